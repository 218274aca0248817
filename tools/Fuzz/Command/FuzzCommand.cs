using System.CommandLine;
using NzbDav.Fuzz.Contract;

namespace NzbDav.Fuzz.Command;

/// <summary>The command line of <c>nzbdav-fuzz</c>.</summary>
internal static class FuzzCommand
{
    /// <param name="output">Receives the text for people.</param>
    public static RootCommand Create(TextWriter output)
    {
        var targets = new Argument<string[]>("TARGET") { Description = "Parsers, or all", Arity = ArgumentArity.ZeroOrMore };
        var minutes = new Option<double>("--minutes") { Description = "How long each is fuzzed", DefaultValueFactory = static _ => 1 };
        var seconds = new Option<double?>("--seconds") { Description = "The same, in seconds" };
        var inputs = new Option<long>("--inputs")
        { Description = "The most inputs for each", DefaultValueFactory = static _ => long.MaxValue };
        var seed = new Option<int?>("--seed") { Description = "Seed of the mutations; drawn and printed by default" };
        var findings = new Option<DirectoryInfo>("--findings")
        {
            Description = "Folder for the smallest input of each fault",
            DefaultValueFactory = static _ => new DirectoryInfo("fuzz-findings")
        };
        var corpus = new Option<DirectoryInfo?>("--corpus")
        { Description = "Folder that keeps the inputs that took new branches, for the next run" };
        var together = new Option<int>("--together") { Description = "Parsers fuzzed at once", DefaultValueFactory = static _ => 1 };
        var root = new RootCommand(
            "Feeds the parsers of external data with mutated inputs, until one crashes, hangs, uses too much memory or contradicts " +
            "itself. Lists the parsers when none is given.")
        {
            targets, minutes, seconds, inputs, seed, findings, corpus, together,
        };
        root.SetAction((parsed, cancellationToken) =>
        {
            var names = parsed.GetValue(targets) ?? [];
            if (names.Length == 0)
                return Task.FromResult(List(output));
            if (names.FirstOrDefault(static name => name != "all" && TargetList.Find(name) is null) is { } unknown)
                return Task.FromResult(Refuse(unknown, output));
            IReadOnlyList<FuzzTarget> chosen = names.Contains("all", StringComparer.Ordinal)
                ? TargetList.All : [.. names.Select(static name => TargetList.Find(name)!)];
            var run = new FuzzRun(
                TimeSpan.FromSeconds(parsed.GetValue(seconds) ?? (parsed.GetValue(minutes) * 60)),
                parsed.GetValue(inputs),
                parsed.GetValue(seed) ?? Random.Shared.Next(),
                parsed.GetRequiredValue(findings),
                parsed.GetValue(corpus),
                new RunReport(output));
            return run.RunAsync(chosen, Math.Max(1, parsed.GetValue(together)), cancellationToken);
        });
        root.Subcommands.Add(ReplayCommand.Create(output));
        root.Subcommands.Add(WorkCommand.Create());
        return root;
    }

    private static int List(TextWriter output)
    {
        foreach (var target in TargetList.All)
            output.WriteLine($"{target.Name,-12} {target.Describes}");
        output.WriteLine($"{"all",-12} all of them, one after the other");
        return 0;
    }

    private static int Refuse(string unknown, TextWriter output)
    {
        output.WriteLine(
            $"There is no parser named {unknown}. There are: {string.Join(", ", TargetList.All.Select(static target => target.Name))}.");
        return 2;
    }
}
