using System.CommandLine;
using NzbDav.FullNzbTester.Options;

namespace NzbDav.FullNzbTester.Soak;

/// <summary>The command line of the soak: <c>nzbdav --test-soak …</c>.</summary>
public static class SoakCommand
{
    /// <summary>The option that selects it.</summary>
    public const string Name = "--test-soak";

    /// <summary>True when a command line selects it.</summary>
    public static bool IsAsked(IEnumerable<string> args) => args.Contains(Name, StringComparer.Ordinal);

    /// <summary>Creates the command.</summary>
    public static RootCommand Create()
    {
        var defaults = new SoakOptions();
        var streams = NumberOption.Create("--streams", defaults.Streams, "Players at once.", 1);
        var seconds = NumberOption.Create("--seconds", defaults.Seconds, "How long they watch.", 1);
        var size = NumberOption.Create("--size", defaults.SizeMiB, "MiB of each film; there is one in each layout.", 1);
        var rate = NumberOption.Create("--rate", defaults.Rate, "Bytes per second that each player takes.", 10_000);
        var article = CommandFrame.ArticleSize(defaults.ArticleSize);
        var seed = NumberOption.Create("--seed", defaults.Seed, "Seed of places and faults.", 0);
        var tls = new Option<bool>("--tls") { Description = "Reads over TLS." };
        var memory = NumberOption.Create("--most-mib", defaults.MostMiB, "Limit of the server's resident memory, MiB.");
        var growth = NumberOption.Create(
            "--most-growth-mib", defaults.MostGrowthMiB, "Limit of its growth after a fifth of the time, MiB.");
        var share = NumberOption.Create("--least-share", defaults.LeastShare, "Least that a player must receive, relative to the median.");
        var wait = NumberOption.Create("--most-wait-s", defaults.MostWaitS, "A player who waits longer for a read is starved.");
        var json = CommandFrame.Json("figures");
        return CommandFrame.Create(
            Name,
            "Many players watch films and seek in them while faults come and go at two mock providers: compares every byte, and looks " +
            "for growing memory, for leaks, and for players that receive too little.",
            [streams, seconds, size, rate, article, seed, tls, memory, growth, share, wait, json],
            (parsed, cancellationToken) => RunAsync(
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
    }

    private static async Task<int> RunAsync(SoakOptions options, CancellationToken cancellationToken)
    {
        var result = await new SoakRun(options, Console.Out).RunAsync(cancellationToken);
        SoakTable.Write(Console.Out, options, result);
        if (options.Json is { } json)
            await SoakTable.WriteAsync(json.FullName, options, result, cancellationToken);
        return result.Verdicts(options).All(verdict => verdict.Passed) ? 0 : 1;
    }
}
