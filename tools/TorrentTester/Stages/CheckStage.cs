using System.Diagnostics;
using System.Globalization;
using NzbDav.TorrentTester.Findings;
using NzbDav.TorrentTester.Processes;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Pieces;

namespace NzbDav.TorrentTester.Stages;

/// <summary>
/// The cost of checking hashes: alternating pairs of the same stream from the same seeders with and without it; the ratio of each pair, and
/// their median. Over lines of 50 ms, which leave cores free, and over one without latency or limit, which does not.
/// </summary>
internal static class CheckStage
{
    private const int Pairs = 4;

    public static async Task RunAsync(TesterOptions options, Action<Figure> add, CancellationToken cancellationToken)
    {
        await RunAsync("check, 8 x 10 MB/s", 8, 50, 10_000_000, options, add, cancellationToken);
        await RunAsync("check, 8 x 20 MB/s", 8, 50, 20_000_000, options, add, cancellationToken);
        await RunAsync("check, 1 without limit", 1, 0, 0, options, add, cancellationToken);
    }

    private static async Task RunAsync(
        string name, int seeders, double trip, long rate, TesterOptions options, Action<Figure> add, CancellationToken cancellationToken)
    {
        await using var swarm = await SwarmProcess.StartAsync(
            seeders, trip, rate, StreamStages.Huge, StreamStages.PieceLength, cancellationToken);
        var ratios = new List<double>();
        for (var pair = 1; pair <= Pairs; pair++)
        {
            // Each of the two goes first equally often.
            var isFirst = pair % 2 == 0;
            var early = await OneAsync(isFirst);
            var late = await OneAsync(!isFirst);
            ratios.Add(isFirst ? early / late : late / early);

            async Task<double> OneAsync(bool isChecked)
            {
                await using var bench = new Bench(1L << 30, isChecked ? new HashCheck() : new NoCheck());
                var torrent = bench.Add(swarm);
                await using var reader = StreamStages.Open(torrent, swarm, 0);
                await StreamStages.ForAsync(reader, 1, cancellationToken);
                var (from, watch, busy) = (reader.Position, Stopwatch.StartNew(), Busy());
                await StreamStages.ForAsync(reader, options.Seconds, cancellationToken);
                var seconds = watch.Elapsed.TotalSeconds;
                var measured = (reader.Position - from) / seconds / 1e6;
                var stage = string.Create(CultureInfo.InvariantCulture, $"{name}, pair {pair}, {(isChecked ? "with" : "without")}");
                add(new Figure(stage, "rate", measured, "MB/s"));
                add(new Figure(stage, "cores in use", (Busy() - busy).TotalSeconds / seconds, ""));

                // The measured bytes were the swarm's.
                await StreamStages.ForAsync(reader, 0.1, cancellationToken, StreamStages.NewCheck());
                return measured;
            }
        }

        ratios.Sort();
        add(new Figure(name, "with / without, median", (ratios[(Pairs - 1) / 2] + ratios[Pairs / 2]) / 2, "x"));
        add(new Figure(name, "with / without, least", ratios[0], "x"));

        TimeSpan Busy() => Environment.CpuUsage.TotalTime + swarm.Cpu;
    }
}

/// <summary>Accepts every piece, to measure what checking costs. Exists only here: the engine itself always checks the hash.</summary>
internal sealed class NoCheck : IPieceCheck
{
    public bool IsGood(TorrentInfo info, int piece, ReadOnlySpan<byte> bytes) => true;
}
