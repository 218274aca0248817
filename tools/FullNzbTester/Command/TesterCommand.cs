using System.CommandLine;
using System.Text.Json;
using NzbDav.FullNzbTester.Content;
using NzbDav.FullNzbTester.Findings;
using NzbDav.FullNzbTester.Options;
using NzbDav.FullNzbTester.Report;
using NzbDav.FullNzbTester.Stages;

namespace NzbDav.FullNzbTester.Command;

/// <summary>The command line of the tester: <c>nzbdav --test-full-nzb …</c>.</summary>
public static class TesterCommand
{
    /// <summary>The option that selects it.</summary>
    public const string Name = CommandNames.Tester;

    /// <summary>True when a command line selects the tester.</summary>
    public static bool IsAsked(IEnumerable<string> args) =>
        args.Any(arg => arg == Name || arg.StartsWith(Name + "=", StringComparison.Ordinal));

    /// <summary>Creates the command.</summary>
    /// <param name="settings">Reads the product's settings; reports errors and returns null when they are invalid.</param>
    public static RootCommand Create(Func<TesterSettings?> settings)
    {
        ArgumentNullException.ThrowIfNull(settings);
        var parser = new OptionParser();
        var child = new Option<FileInfo?>(CommandNames.ContentChild) { Hidden = true };
        var root = new RootCommand(
            "Runs the whole life of an NZB, through the content stream and through WebDAV, with the mock provider and the server in " +
            "processes of their own; compares every byte, measures, and fails if anything is wrong.");
        parser.AddTo(root);
        root.Options.Add(child);
        root.SetAction(async (parsed, cancellationToken) =>
        {
            if (settings() is not { } found)
                return 2;
            if (parsed.GetValue(child) is { } request)
                return await ContentRun.RunAsync(request, found, Console.Out, cancellationToken);
            var options = parser.Read(parsed) with { MemoryBudgetMiB = found.MemoryBudgetMiB };
            return await CommandFrame.RunAsync(() => RunAsync(options, found, cancellationToken), cancellationToken);
        });
        return root;
    }

    private static async Task<int> RunAsync(TesterOptions options, TesterSettings settings, CancellationToken cancellationToken)
    {
        if (Refusal(options, settings) is { } refusal)
        {
            await Console.Error.WriteLineAsync($"nzbdav: {refusal}");
            return 2;
        }

        try
        {
            var earlier = options.Compare is { } file ? await FigureFile.ReadAsync(file.FullName, cancellationToken) : null;
            var runs = new List<(NetworkProfile Network, RunFindings Findings)>();
            foreach (var network in options.Networks)
            {
                Console.WriteLine(network);
                runs.Add((network, await TesterRun.RunAsync(options, network,
                    new ConsoleDisplay(Console.Out, !Console.IsOutputRedirected, TimeProvider.System), cancellationToken)));
            }

            TlsRatios.AddTo(runs);
            var console = TableConsole.Create(SummaryTable.WidthOf(runs.Count));
            SummaryTable.Write(console, options, runs);
            if (earlier is not null)
                ComparisonTable.Write(console, earlier, runs);
            if (options.Json is { } json)
                await FigureFile.WriteAsync(json.FullName, runs, cancellationToken);
            return runs.TrueForAll(run => run.Findings.Passed) ? 0 : 1;
        }
        catch (JsonException e)
        {
            await Console.Error.WriteLineAsync($"nzbdav: {options.Compare} is not a result of an earlier run: {e.Message}");
            return 2;
        }
    }

    private static string? Refusal(TesterOptions options, TesterSettings settings)
    {
        foreach (var file in new[] { options.Nzb, options.File, options.Compare }.OfType<FileInfo>())
        {
            if (!file.Exists)
                return $"{file} does not exist.";
        }

        return options.Nzb is not null && settings.Providers.Count == 0
            ? "an .nzb is read with a real account: set NzbDav__Usenet__Providers__0__Host, __Username, __Password; or leave the file " +
                "out and use --mock-server."
            : null;
    }
}
