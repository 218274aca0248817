using System.CommandLine;
using NzbDav.FullNzbTester.Options;
using NzbDav.FullNzbTester.Report;

namespace NzbDav.FullNzbTester.Faults;

/// <summary>The command line of the fault matrix: <c>nzbdav --test-faults …</c>.</summary>
public static class FaultsCommand
{
    /// <summary>The option that selects it.</summary>
    public const string Name = "--test-faults";

    private static readonly MatrixOptions Default = new();

    /// <summary>True when a command line selects it.</summary>
    public static bool IsAsked(IEnumerable<string> args) => args.Contains(Name, StringComparer.Ordinal);

    /// <summary>Creates the command.</summary>
    public static RootCommand Create()
    {
        var faults = Names("--faults", "Rows of the matrix", FaultScenario.All.Select(fault => fault.Name));
        var layouts = Names("--layouts", "How the film is packed", PostLayout.All.Select(layout => layout.Name));
        var transports = Names("--transport", "How to connect to providers", ["plain", "tls"]);
        var streams = new Option<int[]>("--streams")
        {
            Description = "Players at once, each in a part of the film.",
            AllowMultipleArgumentsPerToken = true,
            DefaultValueFactory = _ => [.. Default.Streams]
        };
        var size = NumberOption.Create("--size", Default.SizeMiB, "MiB of the film, which each cell reads three times.", 1);
        var article = CommandFrame.ArticleSize(Default.ArticleSize);
        var ratio = NumberOption.Create(
            "--least-ratio", Default.LeastRatio, "Least throughput, relative to the readings without the fault.");
        var p99 = NumberOption.Create("--most-p99-ms", Default.MostP99Ms, "Highest p99 of a read that passes.");
        var hung = NumberOption.Create("--hung", Default.HungS, "Seconds after which a read hangs.", 1);
        var again = NumberOption.Create(
            "--again", Default.Again, "How often a cell that is too slow is measured again; then the median counts.", 0);
        var json = CommandFrame.Json("cells");
        var primary = new Option<bool>("--primary")
        {
            Description = "In place of the matrix: a reader at 8 MB/s and imports while the provider of the first priority freezes, "
                + "is refused, loses DNS or has a black-holed address. Takes three minutes.",
        };
        streams.Validators.Add(result =>
        {
            if (!result.Errors.Any() && (result.GetValueOrDefault<int[]>() ?? []).Any(count => count is < 1 or > 64))
                result.AddError("--streams must be numbers from 1 to 64.");
        });
        return CommandFrame.Create(
            Name,
            "Reads films while one of two mock providers misbehaves: every fault with every layout, one and eight players, in plain text "
            + "and over TLS, each beside the same reading without the fault. All 240 cells take 40 minutes.",
            [faults, layouts, transports, streams, size, article, ratio, p99, hung, again, json, primary],
            (parsed, cancellationToken) => parsed.GetValue(primary) ? RunPrimaryAsync(cancellationToken) : RunAsync(
                new MatrixOptions
                {
                    Faults = [.. FaultScenario.All.Where(fault => parsed.GetValue(faults)!.Contains(fault.Name, StringComparer.Ordinal))],
                    Layouts = [.. PostLayout.All.Where(layout => parsed.GetValue(layouts)!.Contains(layout.Name, StringComparer.Ordinal))],
                    Tls = [.. new[] { false, true }.Where(
                        tls => parsed.GetValue(transports)!.Contains(tls ? "tls" : "plain", StringComparer.Ordinal))],
                    Streams = parsed.GetValue(streams)!,
                    SizeMiB = parsed.GetValue(size),
                    ArticleSize = parsed.GetValue(article),
                    LeastRatio = parsed.GetValue(ratio),
                    MostP99Ms = parsed.GetValue(p99),
                    HungS = parsed.GetValue(hung),
                    Again = parsed.GetValue(again),
                    Json = parsed.GetValue(json),
                },
                cancellationToken));
    }

    private static async Task<int> RunPrimaryAsync(CancellationToken cancellationToken) =>
        (await new PrimaryLoss(Console.Out).RunAsync(cancellationToken)).All(static verdict => verdict.Passed) ? 0 : 1;

    private static async Task<int> RunAsync(MatrixOptions options, CancellationToken cancellationToken)
    {
        var cells = await new FaultMatrix(options, Console.Out).RunAsync(cancellationToken);
        MatrixTable.Write(TableConsole.Create(MatrixTable.Width), options, cells);
        if (options.Json is { } json)
            await MatrixFile.WriteAsync(json.FullName, options, cells, cancellationToken);
        return MatrixTable.Verdicts(options, cells).All(verdict => verdict.Passed) ? 0 : 1;
    }

    private static Option<string[]> Names(string name, string description, IEnumerable<string> names)
    {
        string[] all = [.. names];
        var option = new Option<string[]>(name)
        {
            Description = $"{description}: {string.Join(", ", all)} (default: all).",
            AllowMultipleArgumentsPerToken = true,
            DefaultValueFactory = _ => all
        };
        option.AcceptOnlyFromAmong(all);
        return option;
    }
}
