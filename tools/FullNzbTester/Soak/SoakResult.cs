using System.Globalization;
using NzbDav.FullNzbTester.Faults;
using NzbDav.FullNzbTester.Report;

namespace NzbDav.FullNzbTester.Soak;

/// <summary>Results of a soak. Immutable.</summary>
internal sealed record SoakResult
{
    /// <summary>Handles and threads that a server may have opened for good during a soak.</summary>
    private const int Spare = 24;

    /// <summary>The server at rest before the players started, after every film had been opened once.</summary>
    public required SoakSample Before { get; init; }

    public required IReadOnlyList<SoakSample> Samples { get; init; }

    /// <summary>The server at rest after they had left.</summary>
    public required SoakSample After { get; init; }

    /// <summary>Highest resident memory of the server.</summary>
    public required double PeakMiB { get; init; }

    /// <summary>Gauges of resources that readers did not release.</summary>
    public required IReadOnlyList<(string Name, double Value)> Held { get; init; }

    /// <summary>Bytes received by each player.</summary>
    public required IReadOnlyList<long> Received { get; init; }

    /// <summary>Each player's longest read, in milliseconds.</summary>
    public required IReadOnlyList<double> LongestMs { get; init; }

    public required long Wrong { get; init; }

    public required int Cuts { get; init; }

    public required int Jumps { get; init; }

    public required int Hung { get; init; }

    /// <summary>Everything that went wrong: failed reads, an unexpected end of the server, errors in its log.</summary>
    public required IReadOnlyList<string> Failures { get; init; }

    /// <summary>Number of faults.</summary>
    public required int Faults { get; init; }

    /// <summary>Bytes of the player that received least, relative to the median.</summary>
    public double Fairness => Received.Min() / MatrixCell.Median(Received.Select(bytes => (double)bytes));

    /// <summary>Growth of resident memory from a fifth of the time to the end, in MiB.</summary>
    public double GrowthMiB => Samples.Count < 2 ? 0 : Samples[^1].ResidentMiB - Samples[Math.Max(0, (Samples.Count / 5) - 1)].ResidentMiB;

    /// <summary>True when the server has given back all handles and threads but <see cref="Spare"/> of each.</summary>
    public static bool IsAtRest(SoakSample before, SoakSample now) => Opened(before, now) is { Handles: <= Spare, Threads: <= Spare };

    /// <summary>One verdict for each requirement.</summary>
    public IReadOnlyList<Verdict> Verdicts(SoakOptions options)
    {
        var longest = LongestMs.Max();
        var (handles, threads) = Opened(Before, After);
        return
        [
            new("0 wrong bytes", Say($"{Wrong:N0} of {Received.Sum():N0}; {Cuts:N0} responses cut and asked for again"), Wrong == 0),
            new("0 hung reads, every read answered, no error logged, the server lives", Say($"{Hung} hung, {Failures.Count} complaints"),
                Failures.Count == 0),
            new(Say($"memory ≤ {options.MostMiB:0} MiB"), Say($"peak {PeakMiB:0} MiB"), PeakMiB <= options.MostMiB),
            new(Say($"memory flat: grows by ≤ {options.MostGrowthMiB:0} MiB after a fifth of the time"), Say($"{GrowthMiB:+0;-0;0} MiB"),
                GrowthMiB <= options.MostGrowthMiB),
            new("buffers, leases and readers given back",
                Held.Count == 0 ? "all" : string.Join(", ", Held.Select(gauge => Say($"{gauge.Name} {gauge.Value:0}"))), Held.Count == 0),
            new(Say($"handles and threads at the end as at the start (± {Spare})"),
                Say($"{handles:+0;-0;0} handles beside connections to providers, {threads:+0;-0;0} threads"), handles <= Spare
                && threads <= Spare),
            new(Say($"none starved: a read ≤ {options.MostWaitS:0.#} s"),
                Say($"longest {longest / 1000:0.00} s; each player's longest: median {MatrixCell.Median(LongestMs) / 1000:0.00} s"),
                longest <= options.MostWaitS * 1000),
            new(Say($"fair: least served over median ≥ {options.LeastShare:0.00}"), Say($"{Fairness:0.000}"),
                Fairness >= options.LeastShare),
        ];
    }

    private static string Say(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);

    // Connections to providers may stay open, and are not counted.
    private static (int Handles, int Threads) Opened(SoakSample before, SoakSample now) =>
        (now.Handles - (int)(now.Connections ?? 0) - before.Handles + (int)(before.Connections ?? 0), now.Threads - before.Threads);
}
