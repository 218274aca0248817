using System.CommandLine;

namespace NzbDav.FullNzbTester;

/// <summary>The command line of the soak: <c>nzbdav --test-soak …</c>.</summary>
public static class SoakCommand
{
    /// <summary>The option that asks for it.</summary>
    public const string Name = "--test-soak";

    private static readonly SoakOptions Default = new();

    /// <summary>True when a command line asks for it.</summary>
    public static bool IsAsked(IEnumerable<string> args) => args.Contains(Name, StringComparer.Ordinal);

    /// <summary>The command.</summary>
    public static RootCommand Create()
    {
        var asked = new Option<bool>(Name) { Hidden = true };
        var streams = NumberOption.Create("--streams", Default.Streams, "Players at once.", 1);
        var seconds = NumberOption.Create("--seconds", Default.Seconds, "How long they watch.", 1);
        var size = NumberOption.Create("--size", Default.SizeMiB, "MiB of each film; there is one in each layout.", 1);
        var rate = NumberOption.Create("--rate", Default.Rate, "Bytes per second that each player takes.", 10_000);
        var article = NumberOption.Create("--article-size", Default.ArticleSize, "Bytes of an article.", 1_000);
        var seed = NumberOption.Create("--seed", Default.Seed, "Decides places and faults.", 0);
        var tls = new Option<bool>("--tls") { Description = "Reads over TLS." };
        var memory = new Option<double>("--most-mib") { Description = "Most resident memory of the server, MiB.", DefaultValueFactory = _ => Default.MostMiB };
        var growth = new Option<double>("--most-growth-mib") { Description = "Most that it may grow after a fifth of the time, MiB.", DefaultValueFactory = _ => Default.MostGrowthMiB };
        var share = new Option<double>("--least-share") { Description = "Least that a player may get, over the median of all.", DefaultValueFactory = _ => Default.LeastShare };
        var wait = new Option<double>("--most-wait-s") { Description = "A player who waits longer for a read is starved.", DefaultValueFactory = _ => Default.MostWaitS };
        var json = new Option<FileInfo?>("--json") { Description = "Write all figures to this file." };
        var root = new RootCommand("Many players watch films and jump about in them while faults come and go at two mock providers: compares every byte, and looks for memory that grows, for leaks, and for players who get too little.")
        {
            asked, streams, seconds, size, rate, article, seed, tls, memory, growth, share, wait, json,
        };
        root.SetAction((parsed, cancellationToken) => RunAsync(
            new SoakOptions
            {
                Streams = parsed.GetValue(streams),
                Seconds = parsed.GetValue(seconds),
                SizeMiB = parsed.GetValue(size),
                Rate = parsed.GetValue(rate),
                ArticleSize = parsed.GetValue(article),
                Seed = parsed.GetValue(seed),
                Tls = parsed.GetValue(tls),
                MostMiB = parsed.GetValue(memory),
                MostGrowthMiB = parsed.GetValue(growth),
                LeastShare = parsed.GetValue(share),
                MostWaitS = parsed.GetValue(wait),
                Json = parsed.GetValue(json),
            },
            cancellationToken));
        return root;
    }

    private static async Task<int> RunAsync(SoakOptions options, CancellationToken cancellationToken)
    {
        try
        {
            var result = await new SoakRun(options, Console.Out).RunAsync(cancellationToken);
            SoakTable.Write(Console.Out, options, result);
            if (options.Json is { } json)
                await SoakTable.WriteAsync(json.FullName, options, result, cancellationToken);
            return result.Verdicts(options).All(verdict => verdict.Passed) ? 0 : 1;
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            await Console.Error.WriteLineAsync("nzbdav: interrupted.");
            return 130;
        }
        catch (Exception e) when (e is InvalidOperationException or IOException)
        {
            await Console.Error.WriteLineAsync($"nzbdav: {e.Message}");
            return 1;
        }
    }
}
