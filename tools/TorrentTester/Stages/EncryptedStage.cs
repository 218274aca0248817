using NzbDav.Content;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Wire.Encryption;
using NzbDav.TorrentTester.Findings;
using NzbDav.TorrentTester.Processes;

namespace NzbDav.TorrentTester.Stages;

/// <summary>
/// The cost of encryption: libtorrent seeds with and without RC4; our engine and libtorrent download from one unlimited seeder, ours also
/// from eight of 10 MB/s each.
/// </summary>
internal static class EncryptedStage
{
    private const long PieceLength = 1 << 20;

    public static async Task RunAsync(TesterOptions options, Action<Figure> add, CancellationToken cancellationToken)
    {
        var size = (long)options.SizeMiB << 20;
        var folder = Directory.CreateTempSubdirectory("nzbdav-encrypted-");
        try
        {
            var torrent = await LibtorrentSeeders.WriteFilesAsync(folder.FullName, size, PieceLength, cancellationToken);
            for (var round = 1; round <= options.Rounds; round++)
            {
                foreach (var isEncrypted in new[] { false, true })
                    await OneAsync(folder.FullName, torrent, size, round, isEncrypted, add, cancellationToken);
            }

            for (var round = 1; round <= options.Rounds; round++)
            {
                foreach (var isEncrypted in new[] { false, true })
                    await EightAsync(folder.FullName, torrent, round, isEncrypted, add, cancellationToken);
            }
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    private static async Task OneAsync(
        string folder, byte[] torrent, long size, int round, bool isEncrypted, Action<Figure> add, CancellationToken cancellationToken)
    {
        await using var seeder = await LibtorrentSeeders.StartAsync(folder, 1, 0, isEncrypted, cancellationToken);
        var name = $"one seeder {(isEncrypted ? "with RC4" : "without")}, round {round}";
        await OursAsync(seeder, torrent, round, isEncrypted, name, add, cancellationToken);
        var (seconds, cpu, _) = await LibtorrentProcess.RunAsync(torrent, seeder.Peers[0], cancellationToken, isEncrypted);
        add(new Figure("libtorrent, " + name, "rate", size / seconds / 1e6, "MB/s"));
        add(new Figure("libtorrent, " + name, "cpu", cpu / size * (1 << 30), "s/GiB"));
    }

    private static async Task EightAsync(
        string folder, byte[] torrent, int round, bool isEncrypted, Action<Figure> add, CancellationToken cancellationToken)
    {
        await using var seeders = await LibtorrentSeeders.StartAsync(folder, 8, 10_000_000, isEncrypted, cancellationToken);
        await OursAsync(seeders, torrent, round, isEncrypted, $"8 x 10 MB/s {(isEncrypted ? "with RC4" : "without")}, round {round}", add,
            cancellationToken);
    }

    private static async Task OursAsync(LibtorrentSeeders seeders, byte[] file, int round, bool isEncrypted, string name,
        Action<Figure> add, CancellationToken cancellationToken)
    {
        var metainfo = Metainfo.Read(file).Value!;
        await using var bench = new Bench(4L << 30, encryption: isEncrypted ? EncryptionPolicy.Require : EncryptionPolicy.Off);
        bench.Begin();
        var torrent = bench.Engine.Add(metainfo);
        torrent.AddPeers(seeders.Peers);
        torrent.FetchAll(all: true);
        var content = torrent.Open(metainfo.Info.Files[0]);
        var read = await Bench.DrainAsync(content, 0, content.Length, ReadIntent.Download, cancellationToken);
        await bench.WrittenAsync(read, cancellationToken);
        bench.Report(name, read, torrent, checking: null, add);
        if (round == 1)
            await Bench.CompareAsync(content, new ByteCheck(content.Length, (int)PieceLength), 0, content.Length, cancellationToken);
    }
}
