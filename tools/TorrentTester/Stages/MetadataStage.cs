using System.Diagnostics;
using NzbDav.Torrents.Metadata;
using NzbDav.TorrentTester.Findings;
using NzbDav.TorrentTester.Processes;

namespace NzbDav.TorrentTester.Stages;

/// <summary>A magnet link with 3 MiB of metadata: time from adding it until the metadata is complete, from one seeder 50 ms away.</summary>
internal static class MetadataStage
{
    public static async Task RunAsync(TesterOptions options, Action<Figure> add, CancellationToken cancellationToken)
    {
        await using var swarm = await SwarmProcess.StartAsync(1, 50, 0, 64 << 20, 1 << 20, cancellationToken, "--info-padding", "3M");
        for (var round = 1; round <= 3; round++)
        {
            await using var bench = new Bench(1L << 30);
            var watch = Stopwatch.StartNew();
            var torrent = bench.Engine.Add(MagnetLink.Read($"magnet:?xt=urn:btih:{swarm.Metainfo.Info.Hash}&x.pe={swarm.Peers[0]}").Value!);
            await torrent.DescribeAsync(cancellationToken);
            add(new Figure($"magnet, 3 MiB, 50 ms, round {round}", "described after", watch.Elapsed.TotalSeconds, "s"));
        }
    }
}
