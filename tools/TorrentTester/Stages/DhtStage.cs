using System.Diagnostics;
using NzbDav.Torrents.Metadata;
using NzbDav.TorrentTester.Findings;
using NzbDav.TorrentTester.Processes;

namespace NzbDav.TorrentTester.Stages;

/// <summary>
/// A magnet link without trackers, using only the DHT: time from adding it until the metadata is known and until its first byte. Nodes and
/// eight seeders are 50 ms away, and one node is known, as at a first start. Then the same with a third of the nodes silent, as in a real
/// network.
/// </summary>
internal static class DhtStage
{
    private const int Nodes = 40;
    private const double Trip = 50;
    private const int Rounds = 3;
    private const long Size = 1L << 30;
    private const int PieceLength = 1 << 20;

    public static async Task RunAsync(TesterOptions options, Action<Figure> add, CancellationToken cancellationToken)
    {
        await using var swarm = await SwarmProcess.StartAsync(8, Trip, 10_000_000, Size, PieceLength, cancellationToken);
        using var network = await DhtNodes.StartAsync(Nodes, swarm, TimeSpan.FromMilliseconds(Trip), cancellationToken);
        await MeasureAsync("all nodes answer");
        network.Silence(Nodes / 3);
        await MeasureAsync("a third is silent");

        async Task MeasureAsync(string name)
        {
            for (var round = 1; round <= Rounds; round++)
            {
                await using var bench = new Bench(1L << 30, router: network.Router);
                var watch = Stopwatch.StartNew();
                var torrent = bench.Engine.Add(MagnetLink.Read($"magnet:?xt=urn:btih:{swarm.Metainfo.Info.Hash}").Value!);
                var info = await torrent.DescribeAsync(cancellationToken);
                var described = watch.Elapsed;
                var first = await Bench.BeginAsync(
                    torrent.Open(info.Files[0]), new ByteCheck(Size, PieceLength), PieceLength, watch, cancellationToken);
                var stage = $"dht, {Trip} ms, {name}, round {round}";
                add(new Figure(stage, "described after", described.TotalSeconds, "s"));
                add(new Figure(stage, "first byte after", first.TotalSeconds, "s"));
            }
        }
    }
}
