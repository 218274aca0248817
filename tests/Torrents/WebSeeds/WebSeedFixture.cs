using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.MockSwarm.Contents;
using NzbDav.MockSwarm.Seeders;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Pieces;
using NzbDav.Torrents.Settings;

namespace NzbDav.Torrents.Tests.WebSeeds;

/// <summary>An engine without peers, and a web server with the files of a torrent.</summary>
internal sealed class WebSeedFixture : IAsyncDisposable
{
    /// <param name="torrent">The torrent.</param>
    /// <param name="refused">A host that must not be connected to.</param>
    /// <param name="options">Null = two workers.</param>
    public WebSeedFixture(MockTorrent torrent, string? refused = null, TorrentOptions? options = null)
    {
        Torrent = torrent;
        Seed = new MockWebSeed(torrent);
        options ??= new TorrentOptions { Workers = 2 };
        Pool = new DiagnosticBufferPool(new BufferBudget(options.Memory));
        Engine = new TorrentEngine(options, Time, metrics: null, Pool, dialer: null, new HashCheck(), connect => new SocketsHttpHandler
        {
            ConnectCallback = async (context, cancellationToken) =>
            {
                if (context.DnsEndPoint.Host == refused)
                    throw new IOException($"{refused} is refused");
                return new NetworkStream(
                    await connect([IPAddress.Loopback], context.DnsEndPoint.Port, cancellationToken), ownsSocket: true);
            },
        });
    }

    /// <summary>Drives the engine.</summary>
    public ManualTimeProvider Time { get; } = new(new DateTimeOffset(2026, 11, 28, 12, 0, 0, TimeSpan.Zero));

    public MockTorrent Torrent { get; }

    public MockWebSeed Seed { get; }

    public DiagnosticBufferPool Pool { get; }

    public TorrentEngine Engine { get; }

    public TorrentInfo Info => Metainfo.Read(Torrent.TorrentFile()).Value!.Info;

    /// <summary>Adds the .torrent with web seeds.</summary>
    public Torrent Add(params string[] seeds) =>
        Engine.Add(new Metainfo(Info, []) { WebSeeds = [.. seeds.Select(static seed => new Uri(seed))] });

    /// <summary>SHA-256 of a file.</summary>
    public string HashOf(int file)
    {
        var at = Torrent.Content.Files.Take(file).Sum(static one => one.Length);
        var bytes = new byte[Torrent.Content.Files[file].Length];
        Torrent.Content.Fill(at, bytes);
        return Convert.ToHexStringLower(SHA256.HashData(bytes));
    }

    /// <summary>SHA-256 of what is read of a file.</summary>
    public static async Task<string> ReadAsync(Torrent torrent, int file)
    {
        var info = await torrent.DescribeAsync(CancellationToken.None);
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        await using var reader = torrent.Open(info.Files[file]).OpenReader(0, info.Files[file].Length, ReadIntent.Playback);
        for (var read = 0L; read < info.Files[file].Length;)
        {
            using var lease = await reader.NextAsync(CancellationToken.None);
            hash.AppendData(lease.Memory.Span);
            read += lease.Length;
        }

        return Convert.ToHexStringLower(hash.GetHashAndReset());
    }

    public async ValueTask DisposeAsync()
    {
        await Engine.DisposeAsync();
        await Seed.DisposeAsync();
        Pool.AssertAllReturned();
        Pool.AssertNothingReserved();
    }
}
