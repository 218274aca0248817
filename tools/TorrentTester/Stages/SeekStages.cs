using System.Diagnostics;
using NzbDav.Content;
using NzbDav.TorrentTester.Findings;
using NzbDav.TorrentTester.Processes;

namespace NzbDav.TorrentTester.Stages;

/// <summary>Measures waiting times.</summary>
internal static class SeekStages
{
    private const long SeekBytes = 1 << 20;

    /// <summary>
    /// Cold seeks that read 1 MiB, with eight seeders of 10 MB/s: alone, then beside a reader that reads as fast as it can.
    /// </summary>
    public static async Task RunAsync(TesterOptions options, Action<Figure> add, CancellationToken cancellationToken)
    {
        foreach (var trip in options.RoundTrips)
        {
            await using var swarm = await SwarmProcess.StartAsync(
                8, trip, 10_000_000, StreamStages.Huge, StreamStages.PieceLength, cancellationToken);
            await using var bench = new Bench(1L << 30);
            var torrent = bench.Add(swarm);
            var content = torrent.Open(swarm.Metainfo.Info.Files[0]);
            await Bench.DrainAsync(content, 0, 64 << 20, ReadIntent.Playback, cancellationToken);
            Add(StreamStages.Name("seek alone", trip), await SeeksAsync(content, options.Seeks, 1, cancellationToken), add);
            using var stop = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
            await using var reader = StreamStages.Open(torrent, swarm, StreamStages.Huge / 2);
            var streaming = DrainUntilAsync(reader, stop.Token);
            await Task.Delay(TimeSpan.FromSeconds(3), cancellationToken);
            var (from, watch) = (reader.Position, Stopwatch.StartNew());
            Add(StreamStages.Name("seek beside a reader", trip), await SeeksAsync(content, options.Seeks, 2, cancellationToken), add);
            add(new Figure(StreamStages.Name("seek beside a reader", trip), "the reader meanwhile",
                (reader.Position - from) / watch.Elapsed.TotalSeconds / 1e6, "MB/s"));
            await stop.CancelAsync();
            await streaming;
            var bytes = torrent.GetStatus().Bytes;
            add(new Figure(StreamStages.Name("seek", trip), "duplicate + discarded",
                100.0 * (bytes.Duplicate + bytes.Discarded) / bytes.Payload, "%"));
        }
    }

    /// <summary>Time from adding a torrent with one peer to its first bytes.</summary>
    public static async Task StartAsync(TesterOptions options, Action<Figure> add, CancellationToken cancellationToken)
    {
        foreach (var trip in options.RoundTrips)
        {
            await using var swarm = await SwarmProcess.StartAsync(1, trip, 0, 1 << 30, 256 << 10, cancellationToken);
            var times = new List<double>();
            for (var i = 0; i < 10; i++)
            {
                await using var bench = new Bench(1L << 30);
                var watch = Stopwatch.StartNew();
                var torrent = bench.Add(swarm);
                await using var reader = StreamStages.Open(torrent, swarm, 0);
                (await reader.NextAsync(cancellationToken)).Dispose();
                times.Add(watch.Elapsed.TotalMilliseconds);
            }

            Add(StreamStages.Name("first byte after adding", trip), times, add);
        }
    }

    /// <summary>Reads the first and the last MiB, as a probe does.</summary>
    public static async Task ProbeAsync(TesterOptions options, Action<Figure> add, CancellationToken cancellationToken)
    {
        await using var swarm = await SwarmProcess.StartAsync(8, 20, 10_000_000, 1 << 30, 256 << 10, cancellationToken);
        await using var bench = new Bench(1L << 30);
        var torrent = bench.Add(swarm);
        var content = torrent.Open(swarm.Metainfo.Info.Files[0]);
        var check = new ByteCheck(1 << 30, 256 << 10);
        await Bench.CompareAsync(content, check, 0, SeekBytes, cancellationToken);
        await Bench.CompareAsync(content, check, content.Length - SeekBytes, content.Length, cancellationToken);
        add(new Figure("probe", "fetched / read", (double)torrent.GetStatus().Bytes.Received / (2 * SeekBytes), "x"));
    }

    private static async Task DrainUntilAsync(ContentReader reader, CancellationToken cancellationToken)
    {
        try
        {
            while (true)
                (await reader.NextAsync(cancellationToken)).Dispose();
        }
        catch (OperationCanceledException)
        {
            // The measured time is over.
        }
    }

    private static async Task<List<double>> SeeksAsync(IContent content, int count, int seed, CancellationToken cancellationToken)
    {
        var random = new Random(seed);
        var check = StreamStages.NewCheck();
        var times = new List<double>();
        for (var i = 0; i < count; i++)
        {
            var start = random.NextInt64(content.Length / 2 - SeekBytes);
            var watch = Stopwatch.StartNew();
            await Bench.CompareAsync(content, check, start, start + SeekBytes, cancellationToken);
            times.Add(watch.Elapsed.TotalMilliseconds);
            await Task.Delay(100, cancellationToken);
        }

        return times;
    }

    public static void Add(string stage, List<double> times, Action<Figure> add)
    {
        times.Sort();
        add(new Figure(stage, "p50", times[times.Count / 2], "ms"));
        add(new Figure(stage, "p95", times[Math.Min(times.Count - 1, times.Count * 95 / 100)], "ms"));
    }
}
