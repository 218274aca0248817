using System.Net;
using NzbDav.Content;
using NzbDav.Torrents.Metadata;
using NzbDav.TorrentTester.Findings;
using NzbDav.TorrentTester.Processes;

namespace NzbDav.TorrentTester.Stages;

/// <summary>One seeder without a limit and one reader: time from adding the torrent until the last byte is in the file on disk.</summary>
internal static class PlainStage
{
    public static async Task RunAsync(TesterOptions options, Action<Figure> add, CancellationToken cancellationToken)
    {
        var size = (long)options.SizeMiB << 20;
        if (options.Torrent is { } file)
        {
            await ForeignAsync(file, options.Peer!, add, cancellationToken);
            return;
        }

        await using var swarm = await SwarmProcess.StartAsync(1, 0, 0, size, 1 << 20, cancellationToken);
        for (var round = 1; round <= 3; round++)
        {
            await OursAsync(swarm, size, round, add, cancellationToken);
            if (!options.Libtorrent)
                continue;
            var (seconds, cpu, kernel) = await LibtorrentProcess.RunAsync(swarm.TorrentFile, swarm.Peers[0], cancellationToken);
            add(new Figure($"libtorrent, round {round}", "rate", size / seconds / 1e6, "MB/s"));
            add(new Figure($"libtorrent, round {round}", "cpu", cpu / size * (1 << 30), "s/GiB"));
            add(new Figure($"libtorrent, round {round}", "cpu in the kernel", kernel / size * (1 << 30), "s/GiB"));
        }
    }

    private static async Task OursAsync(SwarmProcess swarm, long size, int round, Action<Figure> add, CancellationToken cancellationToken)
    {
        await using var bench = new Bench(4L << 30);
        bench.Begin();
        var torrent = bench.Add(swarm);
        torrent.FetchAll(all: true);
        var content = torrent.Open(swarm.Metainfo.Info.Files[0]);
        var read = await Bench.DrainAsync(content, 0, size, ReadIntent.Download, cancellationToken);
        await bench.WrittenAsync(read, cancellationToken);
        bench.Report($"plain, round {round}", read, torrent, checking: null, add);
        if (round == 1)
            await Bench.CompareAsync(content, new ByteCheck(size, 1 << 20), 0, size, cancellationToken);
    }

    private static async Task ForeignAsync(FileInfo file, string peer, Action<Figure> add, CancellationToken cancellationToken)
    {
        var metainfo = Metainfo.Read(await File.ReadAllBytesAsync(file.FullName, cancellationToken)).Value!;
        for (var round = 1; round <= 3; round++)
        {
            await using var bench = new Bench(4L << 30);
            bench.Begin();
            var torrent = bench.Engine.Add(metainfo);
            torrent.AddPeers(IPEndPoint.Parse(peer));
            torrent.FetchAll(all: true);
            var content = torrent.Open(metainfo.Info.Files[0]);
            var read = await Bench.DrainAsync(content, 0, content.Length, ReadIntent.Download, cancellationToken);
            await bench.WrittenAsync(read, cancellationToken);
            bench.Report($"plain from {peer}, round {round}", read, torrent, checking: null, add);
        }
    }
}
