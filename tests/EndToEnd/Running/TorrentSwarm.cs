using System.Net;
using System.Net.Http.Headers;
using System.Security.Cryptography;
using NzbDav.MockSwarm.Contents;
using NzbDav.MockSwarm.Seeders;
using NzbDav.MockSwarm.Swarms;

namespace NzbDav.EndToEnd.Tests.Running;

/// <summary>A torrent with its seeders and tracker. Compares what a gateway serves with what they seed.</summary>
internal sealed class TorrentSwarm : IAsyncDisposable
{
    private readonly Swarm _swarm;

    public TorrentSwarm(MockTorrent torrent, int seeders = 2, SeederOptions? options = null) =>
        _swarm = new Swarm(torrent, [.. Enumerable.Repeat(options ?? new SeederOptions(), seeders)]);

    public Swarm Swarm => _swarm;

    public MockTorrent Torrent => _swarm.Torrent;

    /// <summary>The .torrent file, which names the tracker.</summary>
    public byte[] File => Torrent.TorrentFile(_swarm.Tracker.Url);

    /// <summary>A magnet link that names only the tracker.</summary>
    public string Magnet => Torrent.Magnet([], [_swarm.Tracker.Url]);

    /// <summary>Bytes of blocks that the seeders have sent.</summary>
    public long Sent => _swarm.Seeders.Sum(seeder => seeder.Counters.Payload);

    /// <summary>A torrent of one video.</summary>
    public static MockTorrent Film(long size, string name = "film.mkv", int pieceLength = 64 << 10, bool isPrivate = false) =>
        new(name, SwarmContent.Make(3, pieceLength, [new SwarmFile(name, size)]), isPrivate);

    /// <summary>Downloads a whole file and compares it.</summary>
    /// <param name="client">The gateway.</param>
    /// <param name="path">Its path there.</param>
    /// <param name="file">The file in the torrent; null for the only one.</param>
    public async Task AssertFileAsync(DavClient client, string path, string? file = null)
    {
        using var response = await client.SendAsync("GET", path);
        Assert.True(response.StatusCode == HttpStatusCode.OK,
            $"{path}: {response.StatusCode}: {(response.IsSuccessStatusCode ? "" : await response.Content.ReadAsStringAsync())}");
        var (offset, length) = Place(file);
        Assert.Equal(length, response.Content.Headers.ContentLength);
        await AssertBodyAsync(response, offset, offset + length);
    }

    /// <summary>Downloads a range of the only file and compares it.</summary>
    public async Task AssertRangeAsync(DavClient client, string path, long start, long end)
    {
        using var response = await client.SendAsync(
            "GET", path, body: null, headers => headers.Range = new RangeHeaderValue(start, end - 1));
        Assert.True(response.StatusCode == HttpStatusCode.PartialContent,
            $"{response.StatusCode}: {(response.IsSuccessStatusCode ? "" : await response.Content.ReadAsStringAsync())}");
        Assert.Equal(
            $"bytes {start}-{end - 1}/{Torrent.Content.Length}", Assert.Single(response.Content.Headers.GetValues("Content-Range")));
        await AssertBodyAsync(response, start, end);
    }

    /// <summary>Several readers read random ranges at once.</summary>
    public Task AssertRangesAsync(DavClient client, string path, int readers, int count) =>
        Task.WhenAll(Enumerable.Range(0, readers).Select(async reader =>
        {
            var random = new Random(reader);
            var length = Torrent.Content.Length;
            for (var i = 0; i < count; i++)
            {
                var start = random.NextInt64(length);
                await AssertRangeAsync(
                    client, path, start, Math.Min(length, start + 1 + (long)Math.Exp(random.NextDouble() * Math.Log(2_000_000))));
            }
        }));

    public ValueTask DisposeAsync() => _swarm.DisposeAsync();

    private (long Offset, long Length) Place(string? file)
    {
        var found = file is null
            ? Torrent.Content.Files.Single(one => !one.IsPadding) : Torrent.Content.Files.Single(one => one.Path == file);
        return (Torrent.Content.OffsetOf(found.Path), found.Length);
    }

    private async Task AssertBodyAsync(HttpResponseMessage response, long start, long end)
    {
        using var expected = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        using var actual = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        await using var body = await response.Content.ReadAsStreamAsync();
        var piece = new byte[256 << 10];
        var source = new byte[256 << 10];
        var at = start;
        int read;
        while ((read = await body.ReadAsync(piece)) > 0)
        {
            actual.AppendData(piece.AsSpan(0, read));
            Assert.True(at + read <= end, "more than was asked for");
            Torrent.Content.Fill(at, source.AsSpan(0, read));
            expected.AppendData(source.AsSpan(0, read));
            at += read;
        }

        Assert.Equal(end, at);
        Assert.Equal(Convert.ToHexString(expected.GetHashAndReset()), Convert.ToHexString(actual.GetHashAndReset()));
    }
}
