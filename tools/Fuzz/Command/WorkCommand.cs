using System.CommandLine;
using System.Globalization;
using NzbDav.Fuzz.Contract;
using NzbDav.Fuzz.Coverage;
using NzbDav.Fuzz.Probing;

namespace NzbDav.Fuzz.Command;

/// <summary>
/// <c>work</c>: the command that a run starts in its instrumented copy, one process per parser, because a parser may end its process. The
/// last line contains the counts, and the process ends with <see cref="HangWatch.ExitCode"/> if a parser does not return.
/// </summary>
internal static class WorkCommand
{
    /// <summary>Prefix of the last line.</summary>
    public const string Counts = "counts";

    public static System.CommandLine.Command Create()
    {
        var name = new Argument<string>("TARGET");
        var seconds = new Option<double>("--seconds");
        var inputs = new Option<long>("--inputs");
        var seed = new Option<int>("--seed");
        var findings = new Option<DirectoryInfo>("--findings") { Required = true };
        var corpus = new Option<DirectoryInfo>("--corpus") { Required = true };
        var current = new Option<FileInfo>("--current") { Required = true };
        var only = new Option<FileInfo?>("--only");
        var command = new System.CommandLine.Command("work") { name, seconds, inputs, seed, findings, corpus, current, only };
        command.Hidden = true;
        command.SetAction(parsed =>
        {
            // Created before any code that counts branches runs.
            var map = new CoverageMap();
            var target = TargetList.Find(parsed.GetRequiredValue(name))!;
            using var input = new CurrentInput(parsed.GetRequiredValue(current).FullName);
            if (parsed.GetValue(only) is { } file)
                return Once(target, input, File.ReadAllBytes(file.FullName));
            var loop = Loop(target, map, input, parsed.GetRequiredValue(corpus), new FindingFolder(parsed.GetRequiredValue(findings)),
                parsed.GetValue(seed));

            // The first run compiles code, which must not count against the parser.
            loop.Take(target.Seeds());
            using var watch = new HangWatch(input);
            loop.Take(target.Cases());
            loop.Take(parsed.GetRequiredValue(corpus).EnumerateFiles().OrderBy(static file => file.Name, StringComparer.Ordinal)
                .Select(static file => File.ReadAllBytes(file.FullName)).ToList());
            loop.Go(TimeSpan.FromSeconds(parsed.GetValue(seconds)), parsed.GetValue(inputs));
            Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{Counts} {loop.Runs} {loop.Kept} {map.Edges} {loop.Findings}"));
            return 0;
        });
        return command;
    }

    private static FuzzLoop Loop(
        FuzzTarget target, CoverageMap map, CurrentInput input, DirectoryInfo corpus, FindingFolder findings, int seed)
    {
        var kept = 0;
        return new FuzzLoop(target, map, input, seed)
        {
            OnKept = made => File.WriteAllBytes(
                Path.Combine(corpus.FullName, string.Create(CultureInfo.InvariantCulture, $"{seed:x8}-{kept++:d6}")), made),
            OnFinding = (finding, smallest) => Console.Write(findings.Keep(target.Name, finding, smallest)),
        };
    }

    /// <summary>Parses a single input under the same watch, to see whether it still ends the process.</summary>
    private static int Once(FuzzTarget target, CurrentInput current, byte[] input)
    {
        foreach (var seed in target.Seeds())
            Probe.Judge(target, seed, seed: 1);
        using var watch = new HangWatch(current);
        current.Begin(input);
        Probe.Judge(target, input, seed: 1);
        current.End();
        return 0;
    }
}
