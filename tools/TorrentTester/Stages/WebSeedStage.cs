using System.Diagnostics;
using System.Globalization;
using NzbDav.Content;
using NzbDav.MockSwarm.Contents;
using NzbDav.MockSwarm.Seeders;
using NzbDav.Torrents.Metadata;
using NzbDav.TorrentTester.Findings;

namespace NzbDav.TorrentTester.Stages;

/// <summary>One web seed at a distance and no peer: time to the first bytes, cold seeks, and the rate of a reader.</summary>
internal static class WebSeedStage
{
    private const long Size = 256 << 20;
    private const long SeekBytes = 1 << 20;

    public static async Task RunAsync(TesterOptions options, Action<Figure> add, CancellationToken cancellationToken)
    {
        foreach (var pieceLength in new[] { 256 << 10, 4 << 20 })
        {
            var torrent = new MockTorrent("film.mkv", SwarmContent.Make(seed: 1, pieceLength, files: [new SwarmFile("film.mkv", Size)]));
            foreach (var trip in options.RoundTrips)
                await RunAsync(torrent, trip, options.Seeks, add, cancellationToken);
        }
    }

    private static async Task RunAsync(MockTorrent made, double trip, int seeks, Action<Figure> add, CancellationToken cancellationToken)
    {
        await using var server = new MockWebSeed(made) { Latency = TimeSpan.FromMilliseconds(trip) };
        var metainfo = new Metainfo(Metainfo.Read(made.TorrentFile()).Value!.Info, []) { WebSeeds = [new Uri(server.Url)] };
        var name = string.Create(CultureInfo.InvariantCulture, $"web seed, pieces of {made.Content.PieceLength >> 10} KiB, {trip} ms");
        var starts = new List<double>();
        for (var i = 0; i < 10; i++)
        {
            await using var fresh = new Bench(1L << 30);
            var watch = Stopwatch.StartNew();
            await using var reader = fresh.Engine.Add(metainfo).Open(metainfo.Info.Files[0]).OpenReader(0, Size, ReadIntent.Playback);
            (await reader.NextAsync(cancellationToken)).Dispose();
            starts.Add(watch.Elapsed.TotalMilliseconds);
        }

        SeekStages.Add($"{name}: first byte after adding", starts, add);
        await using var bench = new Bench(1L << 30);
        var torrent = bench.Engine.Add(metainfo);
        var content = torrent.Open(metainfo.Info.Files[0]);
        var random = new Random(1);
        var times = new List<double>();
        for (var i = 0; i < seeks; i++)
        {
            var start = random.NextInt64(Size - SeekBytes);
            var watch = Stopwatch.StartNew();
            await Bench.DrainAsync(content, start, start + SeekBytes, ReadIntent.Playback, cancellationToken);
            times.Add(watch.Elapsed.TotalMilliseconds);
        }

        SeekStages.Add($"{name}: seek", times, add);
        await using var whole = new Bench(1L << 30);
        whole.Begin();
        var all = whole.Engine.Add(metainfo);
        var read = await Bench.DrainAsync(all.Open(metainfo.Info.Files[0]), 0, Size, ReadIntent.Playback, cancellationToken);
        whole.Report($"{name}: all", read, all, checking: null, add);
        add(new Figure(name, "requests", server.Requests.Count, ""));
        add(new Figure(name, "most connections", server.MostConnections, ""));
    }
}
