using System.Diagnostics;
using NzbDav.Torrents;
using NzbDav.TorrentTester.Findings;
using NzbDav.TorrentTester.Processes;

namespace NzbDav.TorrentTester.Stages;

/// <summary>
/// A reader of one torrent beside the background fetch of another that has twelve times as many seeders. Only a line that both share shows
/// anything: run it in a network namespace whose <c>lo</c> is limited.
/// </summary>
internal static class YieldStage
{
    private const int ReaderSeeders = 5;
    private const int OtherSeeders = 60;
    private const int SlowRate = 200_000;
    private const long StartBytes = 1 << 20;

    public static async Task RunAsync(TesterOptions options, Action<Figure> add, CancellationToken cancellationToken)
    {
        foreach (var trip in options.RoundTrips)
        {
            await RunAsync("reader beside a fetch", 0, trip, options, add, cancellationToken);
            await RunAsync("reader of slow seeders beside a fetch", SlowRate, trip, options, add, cancellationToken);
        }
    }

    private static async Task RunAsync(
        string name, int rate, double trip, TesterOptions options, Action<Figure> add, CancellationToken cancellationToken)
    {
        await using var others = await SwarmProcess.StartAsync(
            OtherSeeders, trip, 0, StreamStages.Huge - 1, StreamStages.PieceLength, cancellationToken);
        await using var swarm = await SwarmProcess.StartAsync(
            ReaderSeeders, trip, rate, StreamStages.Huge, StreamStages.PieceLength, cancellationToken);
        await using var bench = new Bench(16L << 30);
        var fetched = bench.Add(others);
        fetched.FetchAll(true);
        await Task.Delay(TimeSpan.FromSeconds(4), cancellationToken);
        var alone = await MeasureAsync(fetched, TimeSpan.FromSeconds(3), cancellationToken);
        add(new Figure(StreamStages.Name(name, trip), "fetch before it", alone / 1e6, "MB/s"));
        var torrent = bench.Add(swarm);
        var check = StreamStages.NewCheck();
        var watch = Stopwatch.StartNew();
        await using var reader = StreamStages.Open(torrent, swarm, 0);
        while (reader.Position < StartBytes)
            await StreamStages.ForAsync(reader, 0.0001, cancellationToken, check);
        add(new Figure(StreamStages.Name(name, trip), "first MiB after", watch.Elapsed.TotalMilliseconds, "ms"));

        var (from, before) = (torrent.GetStatus().Bytes.Payload, fetched.GetStatus().Bytes.Payload);
        watch.Restart();
        await StreamStages.ForAsync(reader, options.Seconds, cancellationToken, check);
        var seconds = watch.Elapsed.TotalSeconds;
        var (own, rest) = ((torrent.GetStatus().Bytes.Payload - from) / seconds, (fetched.GetStatus().Bytes.Payload - before) / seconds);
        add(new Figure(StreamStages.Name(name, trip), "reader", own / 1e6, "MB/s"));
        add(new Figure(StreamStages.Name(name, trip), "fetch", rest / 1e6, "MB/s"));
        add(new Figure(StreamStages.Name(name, trip), "both, of the fetch before", 100 * (own + rest) / alone, "%"));

        var times = new List<double>();
        for (var seek = 1; seek <= options.Seeks; seek++)
        {
            // Long enough that the fetch no longer yields, and fills the line.
            await Task.Delay(TimeSpan.FromSeconds(2), cancellationToken);
            watch.Restart();
            await using var other = StreamStages.Open(torrent, swarm, (StreamStages.Huge / 64 * seek) + 12_345);
            await other.NextAsync(cancellationToken);
            times.Add(watch.Elapsed.TotalMilliseconds);
        }

        SeekStages.Add(StreamStages.Name(name + ", seek", trip), times, add);
    }

    private static async Task<double> MeasureAsync(Torrent torrent, TimeSpan time, CancellationToken cancellationToken)
    {
        var (before, watch) = (torrent.GetStatus().Bytes.Payload, Stopwatch.StartNew());
        await Task.Delay(time, cancellationToken);
        return (torrent.GetStatus().Bytes.Payload - before) / watch.Elapsed.TotalSeconds;
    }
}
