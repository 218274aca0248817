using System.Security.Cryptography;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.MockSwarm.Contents;
using NzbDav.MockSwarm.Seeders;
using NzbDav.MockSwarm.Swarms;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Pieces;
using NzbDav.Torrents.Settings;
using NzbDav.Torrents.Telemetry;

namespace NzbDav.Torrents.Tests;

/// <summary>An engine on a pool that finds leaks, and a swarm of mock seeders on loopback.</summary>
internal sealed class SwarmFixture : IAsyncDisposable
{
    public const int PieceLength = 64 << 10;

    private readonly bool _ownsSwarm;

    public SwarmFixture(
        MockTorrent torrent, IReadOnlyList<SeederOptions> seeders, TorrentOptions? options = null, TimeProvider? time = null)
        : this(new Swarm(torrent, seeders), options, time) => _ownsSwarm = true;

    public SwarmFixture(
        Swarm swarm,
        TorrentOptions? options = null,
        TimeProvider? time = null,
        TorrentMetrics? metrics = null,
        IPieceCheck? check = null,
        Func<string, bool>? hasHoles = null,
        Func<string, long?>? free = null)
    {
        Swarm = swarm;
        options ??= new TorrentOptions { Workers = 2 };
        Pool = new DiagnosticBufferPool(new BufferBudget(options.Memory));
        Engine = new TorrentEngine(
            options, time ?? TimeProvider.System, metrics, Pool, dialer: null, check ?? new HashCheck(), hasHoles: hasHoles, free: free);
    }

    public Swarm Swarm { get; }

    public DiagnosticBufferPool Pool { get; }

    public TorrentEngine Engine { get; }

    /// <summary>A torrent of one file.</summary>
    public static MockTorrent OneFile(long size, int pieceLength = PieceLength, ulong seed = 7) =>
        new("film.mkv", SwarmContent.Make(seed, pieceLength, [new SwarmFile("film.mkv", size)]));

    /// <summary>So many seeders that behave alike.</summary>
    public static IReadOnlyList<SeederOptions> Seeders(int count, SeederOptions? options = null) =>
        [.. Enumerable.Repeat(options ?? new SeederOptions(), count)];

    /// <summary>Adds the .torrent and all seeders.</summary>
    public Torrent Add()
    {
        var torrent = Engine.Add(Metainfo.Read(Swarm.Torrent.TorrentFile()).Value!);
        torrent.AddPeers(Swarm.Endpoints);
        return torrent;
    }

    /// <summary>Reads a range of the only file and compares every byte with its source.</summary>
    public async Task ReadAsync(
        Torrent torrent, long start, long end, ReadIntent intent = ReadIntent.Playback, CancellationToken cancellationToken = default)
    {
        var info = await torrent.DescribeAsync(cancellationToken);
        await using var reader = torrent.Open(info.Files[0]).OpenReader(start, end, intent);
        await CompareAsync(reader, start, end, cancellationToken);
    }

    /// <summary>Reads on to <paramref name="end"/> and compares.</summary>
    public async Task CompareAsync(ContentReader reader, long start, long end, CancellationToken cancellationToken = default)
    {
        var expected = new byte[256 << 10];
        while (start < end)
        {
            using var lease = await reader.NextAsync(cancellationToken);
            Assert.False(lease.IsEmpty, $"ended at {start} of {end}");
            var part = expected.AsSpan(0, lease.Length);
            Swarm.Torrent.Content.Fill(start, part);
            Assert.True(part.SequenceEqual(lease.Memory.Span), $"wrong bytes between {start} and {start + lease.Length}");
            start += lease.Length;
        }
    }

    public async ValueTask DisposeAsync()
    {
        await Engine.DisposeAsync();
        if (_ownsSwarm)
            await Swarm.DisposeAsync();
        Pool.AssertAllReturned();
        Pool.AssertNothingReserved();
    }
}
