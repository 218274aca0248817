using System.Security.Cryptography;
using NzbDav.Fakes;
using NzbDav.MockSwarm.Contents;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Settings;
using NzbDav.Torrents.Storage;

namespace NzbDav.Torrents.Tests.Storage;

/// <summary>A folder in which torrents are kept, and a torrent of several files.</summary>
internal sealed class KeptFixture : IDisposable
{
    private static readonly SwarmFile[] Files =
    [
        new("a/film.mkv", 3_000_001),
        new("a/b/extra.mkv", 70_000),
        new(".pad/1", 1_000, IsPadding: true),
        new("empty.txt", 0),
        new("tail.nfo", 123_457),
    ];

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("nzbdav-kept-");

    public string Root => _folder.FullName;

    public string Keep => Path.Combine(Root, "keep");

    public string Cache => Path.Combine(Root, "cache");

    public TorrentOptions Options => new() { Memory = 8 << 20, Workers = 2, CacheFolder = Cache, CacheBytes = 1 << 20, KeepFolder = Keep };

    public void Dispose() => _folder.Delete(recursive: true);

    public static MockTorrent Several(ulong seed = 11) => new("Job", SwarmContent.Make(seed, SwarmFixture.PieceLength, Files));

    /// <summary>The disk of a torrent that is kept from now on.</summary>
    public static KeptDisk Disk(KeptFixture kept, TorrentInfo info, OpenFiles open)
    {
        var records = new KeptRecords(kept.Cache);
        return new KeptDisk(info, records.Make(info, kept.Keep), Path.Combine(kept.Cache, info.Hash.ToString()), open, records.Roots);
    }

    /// <summary>All files in a folder of kept torrents, except the one with its id.</summary>
    public static IEnumerable<string> FilesIn(string folder) =>
        Directory.GetFileSystemEntries(folder, "*", SearchOption.AllDirectories)
            .Where(static path => File.Exists(path) && Path.GetFileName(path) != KeptRoots.IdFile);

    public static async Task<Torrent> FetchAsync(SwarmFixture fixture)
    {
        var torrent = fixture.Add();
        Assert.Null(torrent.Keep(true));
        torrent.FetchAll(true);
        await Until.TrueAsync(() => torrent.GetStatus() is var status && status.Have == status.Pieces);
        return torrent;
    }

    public static async Task ReadAllAsync(SwarmFixture fixture, Torrent torrent)
    {
        var info = await torrent.DescribeAsync(default);
        foreach (var file in info.Files.Where(file => file.Length > 0))
        {
            var bytes = new byte[file.Length];
            var at = 0;
            await using var reader = torrent.Open(file).OpenReader(0, file.Length, Content.ReadIntent.Playback);
            while (at < bytes.Length)
            {
                using var lease = await reader.NextAsync(default);
                lease.Memory.Span.CopyTo(bytes.AsSpan(at));
                at += lease.Length;
            }

            Assert.Equal(Hash(fixture.Swarm.Torrent, file.Offset, file.Length), Convert.ToHexString(SHA256.HashData(bytes)));
        }
    }

    public async Task AssertFilesAsync(MockTorrent torrent, string folder)
    {
        var offset = 0L;
        foreach (var file in torrent.Content.Files)
        {
            if (!file.IsPadding)
                Assert.Equal(Hash(torrent, offset, file.Length),
                    Convert.ToHexString(SHA256.HashData(await File.ReadAllBytesAsync(Path.Combine(Keep, folder, file.Path)))));
            offset += file.Length;
        }
    }

    private static string Hash(MockTorrent torrent, long offset, long length)
    {
        var bytes = new byte[length];
        torrent.Content.Fill(offset, bytes);
        return Convert.ToHexString(SHA256.HashData(bytes));
    }
}
