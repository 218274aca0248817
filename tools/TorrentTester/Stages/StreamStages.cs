using System.Diagnostics;
using System.Globalization;
using NzbDav.Content;
using NzbDav.Torrents;
using NzbDav.TorrentTester.Findings;
using NzbDav.TorrentTester.Processes;

namespace NzbDav.TorrentTester.Stages;

/// <summary>Readers that read as fast as they can.</summary>
internal static class StreamStages
{
    /// <summary>Size of a torrent that no stage reads to its end.</summary>
    public const long Huge = 20L << 30;

    public const long PieceLength = 1 << 20;

    /// <summary>One seeder without a limit, measured from the third second on.</summary>
    public static async Task UnlimitedAsync(TesterOptions options, Action<Figure> add, CancellationToken cancellationToken)
    {
        foreach (var trip in options.RoundTrips)
        {
            await using var swarm = await SwarmProcess.StartAsync(1, trip, 0, Huge, PieceLength, cancellationToken);
            await using var bench = new Bench(1L << 30);
            bench.Begin();
            var torrent = bench.Add(swarm);
            await using var reader = Open(torrent, swarm, 0);
            await ForAsync(reader, 2, cancellationToken);
            var begun = reader.Position;
            var watch = Stopwatch.StartNew();
            await ForAsync(reader, options.Seconds, cancellationToken);
            add(new Figure(Name("unlimited", trip), "rate from 2 s", (reader.Position - begun) / watch.Elapsed.TotalSeconds / 1e6, "MB/s"));
            await ForAsync(reader, 0.5, cancellationToken, NewCheck());
        }
    }

    /// <summary>Eight seeders of 10 MB/s each, measured from adding the torrent on.</summary>
    public static async Task LineAsync(TesterOptions options, Action<Figure> add, CancellationToken cancellationToken)
    {
        foreach (var trip in options.RoundTrips)
        {
            await using var swarm = await SwarmProcess.StartAsync(8, trip, 10_000_000, Huge, PieceLength, cancellationToken);
            await using var bench = new Bench(1L << 30);
            bench.Begin();
            var torrent = bench.Add(swarm);
            await using var reader = Open(torrent, swarm, 0);
            var name = Name("stream 8 x 10 MB/s", trip);
            var check = NewCheck();
            await ForAsync(reader, 0.001, cancellationToken, check);
            var first = bench.Elapsed.TotalSeconds;
            add(new Figure(name, "first byte", first * 1_000, "ms"));
            foreach (var at in new[] { 0.25, 0.5, 1, 2 })
            {
                await ForAsync(reader, at - bench.Elapsed.TotalSeconds, cancellationToken, check);
                add(new Figure(name, $"read by {at.ToString(CultureInfo.InvariantCulture)} s", reader.Position / 1e6, "MB"));
            }

            var (read, allocated) = (reader.Position, GC.GetTotalAllocatedBytes());
            await ForAsync(reader, options.Seconds - 2, cancellationToken, check);
            add(new Figure(name, "rate from the first byte", reader.Position / (bench.Elapsed.TotalSeconds - first) / 1e6, "MB/s"));
            add(new Figure(name, "allocated per block from 2 s",
                (GC.GetTotalAllocatedBytes() - allocated) / ((reader.Position - read) / 16_384.0), "B"));
            bench.Report(name, reader.Position, torrent, check, add);
        }
    }

    /// <summary>One, two, four and eight seeders of 10 MB/s each: their total is the line's rate.</summary>
    public static async Task PeersAsync(TesterOptions options, Action<Figure> add, CancellationToken cancellationToken)
    {
        const int Rate = 10_000_000;
        foreach (var trip in options.RoundTrips)
        {
            foreach (var seeders in new[] { 1, 2, 4, 8 })
            {
                await using var swarm = await SwarmProcess.StartAsync(seeders, trip, Rate, Huge, PieceLength, cancellationToken);
                await using var bench = new Bench(1L << 30);
                bench.Begin();
                var torrent = bench.Add(swarm);
                await using var reader = Open(torrent, swarm, 0);
                var check = NewCheck();
                await ForAsync(reader, 0.001, cancellationToken, check);
                var (first, from) = (bench.Elapsed.TotalSeconds, reader.Position);
                await ForAsync(reader, options.Seconds, cancellationToken, check);
                var rate = (reader.Position - from) / (bench.Elapsed.TotalSeconds - first);
                var name = Name(string.Create(CultureInfo.InvariantCulture, $"{seeders} x 10 MB/s"), trip);
                add(new Figure(name, "rate from the first byte", rate / 1e6, "MB/s"));
                add(new Figure(name, "of the line", 100 * rate / (seeders * Rate), "%"));
            }
        }
    }

    /// <summary>Two readers on that line.</summary>
    public static async Task PairAsync(TesterOptions options, Action<Figure> add, CancellationToken cancellationToken)
    {
        foreach (var trip in options.RoundTrips)
        {
            await using var swarm = await SwarmProcess.StartAsync(8, trip, 10_000_000, Huge, PieceLength, cancellationToken);
            await using var bench = new Bench(1L << 30);
            var torrent = bench.Add(swarm);
            await using var first = Open(torrent, swarm, 0);
            await ForAsync(first, 1, cancellationToken);
            await using var second = Open(torrent, swarm, Huge / 2);
            var (firstFrom, secondFrom) = (first.Position, second.Position);
            var watch = Stopwatch.StartNew();
            await Task.WhenAll(ForAsync(first, options.Seconds, cancellationToken, NewCheck()),
                ForAsync(second, options.Seconds, cancellationToken, NewCheck()));
            add(new Figure(Name("two readers", trip), "first", (first.Position - firstFrom) / watch.Elapsed.TotalSeconds / 1e6, "MB/s"));
            add(new Figure(Name("two readers", trip), "second", (second.Position - secondFrom) / watch.Elapsed.TotalSeconds / 1e6, "MB/s"));
        }
    }

    public static string Name(string stage, double trip) => string.Create(CultureInfo.InvariantCulture, $"{stage}, {trip:0} ms");

    public static ContentReader Open(Torrent torrent, SwarmProcess swarm, long start)
    {
        var content = torrent.Open(swarm.Metainfo.Info.Files[0]);
        return content.OpenReader(start, content.Length, ReadIntent.Playback);
    }

    public static ByteCheck NewCheck() => new(Huge, (int)PieceLength);

    /// <summary>Reads for this many seconds, and compares if there is a <paramref name="check"/>.</summary>
    public static async Task ForAsync(ContentReader reader, double seconds, CancellationToken cancellationToken, ByteCheck? check = null)
    {
        var watch = Stopwatch.StartNew();
        while (watch.Elapsed.TotalSeconds < seconds)
        {
            var at = reader.Position;
            using var lease = await reader.NextAsync(cancellationToken);
            check?.Verify(at, lease.Memory.Span);
        }
    }
}
