using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.MockSwarm.Swarms;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Settings;
using NzbDav.Torrents.Storage;

namespace NzbDav.Torrents.Tests.Storage;

/// <summary>A film that is larger than the cache, on a disk with room and on one without.</summary>
public sealed class WatchedTests : IDisposable
{
    private const long Limit = 4 << 20;
    private const long Reserve = 100 << 20;
    private const int Size = 20_000_000;
    private const int Step = 1_000_000;

    private readonly KeptFixture _kept = new();
    private readonly ManualTimeProvider _clock = new();
    private long _disk = 1L << 30;
    private SwarmFixture? _fixture;

    private TorrentOptions Options => _kept.Options with { Memory = 64 << 20, CacheBytes = Limit, WatchedReserve = Reserve };

    public void Dispose() => _kept.Dispose();

    [Fact]
    public async Task What_is_watched_stays_until_it_ends()
    {
        await using var swarm = new Swarm(SwarmFixture.OneFile(Size), SwarmFixture.Seeders(1));
        await using var fixture = Open(swarm, Options);
        var torrent = fixture.Add();
        var file = (await torrent.DescribeAsync(default)).Files[0];
        await using (var reader = torrent.Open(file).OpenReader(0, Size, ReadIntent.Playback))
            await WatchAsync(reader, torrent);
        Assert.Equal(Size, fixture.Engine.CachedBytes);
        Assert.Equal(torrent.GetStatus().Pieces, torrent.GetStatus().Have);

        // Somebody else's seek, a little later: nothing is fetched again.
        _clock.Advance(PieceStore.WatchTime - TimeSpan.FromSeconds(20));
        await fixture.ReadAsync(torrent, 0, Size);
        Assert.Equal(Size, torrent.GetStatus().Bytes.Payload);
        _clock.Advance(PieceStore.WatchTime - TimeSpan.FromSeconds(20));
        Assert.Equal(Size, fixture.Engine.CachedBytes);
        await Until.TrueAsync(() =>
        {
            _clock.Advance(TimeSpan.FromSeconds(10));
            return fixture.Engine.CachedBytes <= Limit;
        });
    }

    [Fact]
    public async Task The_reserve_of_the_disk_is_never_touched()
    {
        await using var swarm = new Swarm(SwarmFixture.OneFile(Size), SwarmFixture.Seeders(1));
        await using var fixture = Open(swarm, Options);
        _disk = Reserve + (10 << 20);
        var torrent = fixture.Add();
        var file = (await torrent.DescribeAsync(default)).Files[0];
        await using var reader = torrent.Open(file).OpenReader(0, Size, ReadIntent.Playback);
        await WatchAsync(reader, torrent);
        Assert.InRange(fixture.Engine.CachedBytes, Limit + 1, 10 << 20);

        // Something else fills the disk.
        _disk = Reserve + (6 << 20);
        await Until.TrueAsync(() =>
        {
            _clock.Advance(TimeSpan.FromSeconds(10));
            return fixture.Engine.CachedBytes <= 6 << 20;
        });
        _disk = 0;
        await Until.TrueAsync(() =>
        {
            _clock.Advance(TimeSpan.FromSeconds(10));
            return fixture.Engine.CachedBytes <= Limit;
        });
    }

    [Theory]
    [InlineData(0, ReadIntent.Playback, 1L << 30)]
    [InlineData(Reserve, ReadIntent.Download, 1L << 30)]
    [InlineData(Reserve, ReadIntent.Playback, Reserve)]
    public async Task Otherwise_the_limit_holds(long reserve, ReadIntent intent, long disk)
    {
        await using var swarm = new Swarm(SwarmFixture.OneFile(Size), SwarmFixture.Seeders(1));
        await using var fixture = Open(swarm, Options with { WatchedReserve = reserve });
        _disk = disk;
        var torrent = fixture.Add();
        var file = (await torrent.DescribeAsync(default)).Files[0];
        await using var reader = torrent.Open(file).OpenReader(0, Size, intent);
        await WatchAsync(reader, torrent);
        Assert.InRange(fixture.Engine.CachedBytes, 1, Limit);
        fixture.Engine.Apply(Options with { WatchedReserve = 0 });
        Assert.InRange(fixture.Engine.CachedBytes, 1, Limit);
    }

    private SwarmFixture Open(Swarm swarm, TorrentOptions options) =>
        _fixture = new SwarmFixture(swarm, options, _clock, free: _ => Interlocked.Read(ref _disk) - (_fixture?.Engine.CachedBytes ?? 0));

    /// <summary>A request that is under way while the clock jumps would look late.</summary>
    private static bool IsAsking(Scheduling.Swarm swarm)
    {
        lock (swarm.Gate)
            return swarm.Peers.Exists(static peer => peer.RequestCount > 0);
    }

    /// <summary>Reads all at a film's pace.</summary>
    private async Task WatchAsync(ContentReader reader, Torrent torrent)
    {
        while (reader.Position < Size)
        {
            await _fixture!.CompareAsync(reader, reader.Position, Math.Min(reader.Position + Step, Size));
            await Until.TrueAsync(() => torrent.Swarm.Pieces!.WriteJobs == 0 && !IsAsking(torrent.Swarm));
            _clock.Advance(TimeSpan.FromSeconds(4));
        }

        await Until.TrueAsync(() => torrent.Swarm.Pieces!.WriteJobs == 0);
    }
}
