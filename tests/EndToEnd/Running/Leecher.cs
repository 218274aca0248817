using System.Net;
using System.Security.Cryptography;
using NzbDav.Content;
using NzbDav.MockSwarm.Contents;
using NzbDav.Torrents;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Settings;

namespace NzbDav.EndToEnd.Tests.Running;

/// <summary>A peer without data that knows only one server: everything it gets was seeded by that server.</summary>
internal static class Leecher
{
    /// <summary>Downloads a whole torrent and compares it with its source.</summary>
    /// <param name="torrent">The torrent.</param>
    /// <param name="port">Where the server listens for peers, on loopback.</param>
    public static async Task AssertSeedsAsync(MockTorrent torrent, int port)
    {
        await using var engine = new TorrentEngine(
            new TorrentOptions { Listen = new IPEndPoint(IPAddress.Loopback, 0), Workers = 1 }, TimeProvider.System);
        var open = engine.Add(Metainfo.Read(torrent.TorrentFile()).Value!);
        open.AddPeers(new IPEndPoint(IPAddress.Loopback, port));
        foreach (var file in (await open.DescribeAsync(Deadline.Token)).Files.Where(static file => !file.IsPadding && file.Length > 0))
        {
            using var actual = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
            await using var reader = open.Open(file).OpenReader(0, file.Length, ReadIntent.Playback);
            for (var at = 0L; at < file.Length;)
            {
                using var lease = await reader.NextAsync(Deadline.Token);
                actual.AppendData(lease.Memory.Span);
                at += lease.Length;
            }

            Assert.Equal(Hash(torrent, file.Path), Convert.ToHexString(actual.GetHashAndReset()));
        }

        Assert.Equal(torrent.Content.Length, open.GetStatus().Bytes.Payload);
    }

    /// <summary>Asserts that the folder holds the torrent's files as in its source, and nothing else.</summary>
    public static void AssertIsAt(MockTorrent torrent, string folder, params string[] others)
    {
        var files = torrent.Content.Files.Where(static file => !file.IsPadding).Select(static file => file.Path).ToArray();
        Assert.Equal(
            files.Concat(others).Order(StringComparer.Ordinal),
            Directory.GetFiles(folder, "*", SearchOption.AllDirectories).Select(path => Path.GetRelativePath(folder, path))
                .Order(StringComparer.Ordinal));
        foreach (var file in files)
            Assert.Equal(Hash(torrent, file), Convert.ToHexString(SHA256.HashData(File.ReadAllBytes(Path.Combine(folder, file)))));
    }

    /// <summary>SHA-256 of a file in the source.</summary>
    private static string Hash(MockTorrent torrent, string path)
    {
        var bytes = new byte[torrent.Content.Files.Single(file => file.Path == path).Length];
        torrent.Content.Fill(torrent.Content.OffsetOf(path), bytes);
        return Convert.ToHexString(SHA256.HashData(bytes));
    }
}
