using System.Collections.Concurrent;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.MockSwarm.Swarms;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Sessions;
using NzbDav.Torrents.Settings;
using NzbDav.Torrents.Tests.Hostile;

namespace NzbDav.Torrents.Tests;

/// <summary>Limits changed while the engine runs: they apply from then on, and readers still get every byte.</summary>
public sealed class LiveTests : IDisposable
{
    private const long Size = 30_000_000;

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("nzbdav-torrents-");

    private TorrentOptions Options => new() { Memory = 8 << 20, Workers = 2, CacheFolder = _folder.FullName, CacheBytes = 1L << 30 };

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public async Task A_smaller_cache_limit_evicts_at_once_except_what_is_being_read()
    {
        await using var fixture = new SwarmFixture(SwarmFixture.OneFile(Size), SwarmFixture.Seeders(2), Options);
        var torrent = fixture.Add();
        torrent.FetchAll(all: true);
        await fixture.ReadAsync(torrent, 0, Size);
        await Until.TrueAsync(() => fixture.Engine.CachedBytes == Size);
        torrent.FetchAll(all: false);

        await using var reader = torrent.Open((await torrent.DescribeAsync(default)).Files[0]).OpenReader(0, Size, ReadIntent.Playback);
        await fixture.CompareAsync(reader, 0, 1_000_000);
        fixture.Engine.Apply(Options with { CacheBytes = 10 << 20 });
        await Until.TrueAsync(() => fixture.Engine.CachedBytes <= 10 << 20);
        await fixture.CompareAsync(reader, reader.Position, Size);
        Assert.InRange(fixture.Engine.CachedBytes, 1, 10 << 20);
    }

    [Fact]
    public async Task Switching_the_cache_off_keeps_nothing_and_switching_it_on_keeps_again()
    {
        await using var fixture = new SwarmFixture(SwarmFixture.OneFile(Size), SwarmFixture.Seeders(2), Options with { CacheBytes = 0 });
        var torrent = fixture.Add();
        await fixture.ReadAsync(torrent, 0, Size);
        Assert.Equal(0, fixture.Engine.CachedBytes);

        fixture.Engine.Apply(Options);

        // A read stores only what the disk has time to write.
        await Until.TrueAsync(async () =>
        {
            await fixture.ReadAsync(torrent, 0, Size);
            return fixture.Engine.CachedBytes > Size / 2;
        });

        fixture.Engine.Apply(Options with { CacheBytes = 0 });
        await Until.TrueAsync(() => fixture.Engine.CachedBytes == 0);
        await fixture.ReadAsync(torrent, 0, Size);

        // A write under way when the cache is switched off is removed as soon as it completes.
        await Until.TrueAsync(() => fixture.Engine.CachedBytes == 0);
    }

    [Fact]
    public async Task Files_of_an_earlier_run_are_removed_when_the_cache_is_switched_off()
    {
        await using var swarm = new Swarm(SwarmFixture.OneFile(1_000_000), SwarmFixture.Seeders(1));
        await using (var fixture = new SwarmFixture(swarm, Options))
            await fixture.ReadAsync(fixture.Add(), 0, 1_000_000);
        Assert.NotEmpty(_folder.GetFiles("*.data"));
        await using (var fixture = new SwarmFixture(swarm, Options with { CacheBytes = 0 }))
            await Until.TrueAsync(
                () => fixture.Engine.CachedBytes == 0 && _folder.GetFiles("*.data").Length + _folder.GetFiles("*.resume").Length == 0);
    }

    [Fact]
    public async Task Memory_is_freed_down_to_a_lower_limit()
    {
        // Writes waiting for the disk may take a quarter of the memory: everything fits, so no piece is skipped, however slow the disk is.
        var options = Options with { Memory = 256 << 20 };
        await using var fixture = new SwarmFixture(SwarmFixture.OneFile(Size), SwarmFixture.Seeders(2), options);
        var torrent = fixture.Add();
        await fixture.ReadAsync(torrent, 0, Size);
        await Until.TrueAsync(() => fixture.Engine.CachedBytes == Size);
        Assert.True(fixture.Pool.Budget.Reserved > 16 << 20, $"{fixture.Pool.Budget.Reserved} bytes");
        fixture.Engine.Apply(options with { Memory = 8 << 20 });
        Assert.True(fixture.Pool.Budget.Reserved <= 8 << 20, $"{fixture.Pool.Budget.Reserved} bytes");
    }

    [Fact]
    public async Task Surplus_connections_are_closed_and_readers_continue_on_the_others()
    {
        await using var fixture = new SwarmFixture(SwarmFixture.OneFile(Size), SwarmFixture.Seeders(8), Options);
        var torrent = fixture.Add();
        await Until.TrueAsync(() => torrent.GetStatus().Peers == 8);
        await using var reader = torrent.Open((await torrent.DescribeAsync(default)).Files[0]).OpenReader(0, Size, ReadIntent.Playback);
        await fixture.CompareAsync(reader, 0, 1_000_000);
        fixture.Engine.Apply(Options with { MostPeers = 2 });
        await Until.TrueAsync(() => torrent.GetStatus().Peers == 2);
        await fixture.CompareAsync(reader, reader.Position, Size);
        Assert.Equal(2, torrent.GetStatus().Peers);

        fixture.Engine.Apply(Options with { MostPeers = 3 });
        torrent.AddPeers(fixture.Swarm.Endpoints);
        await Until.TrueAsync(() => torrent.GetStatus().Peers == 3);
    }

    [Fact]
    public async Task A_changed_number_of_upload_slots_takes_effect_in_the_next_round()
    {
        var time = new ManualTimeProvider();
        await using var fixture = new SwarmFixture(SwarmFixture.OneFile(100_000), [], Options with { UploadSlots = 1 }, time);
        var torrent = fixture.Add();
        var served = new ConcurrentDictionary<int, bool>();
        var peers = Enumerable.Range(0, 2).Select(number => new HostilePeer(async stream =>
        {
            var head = new byte[HostilePeer.Handshake(new byte[20]).Length];
            await stream.ReadExactlyAsync(head);
            await stream.WriteAsync(HostilePeer.Handshake(head.AsSpan(28, 20)));

            // Interested.
            await stream.WriteAsync(HostilePeer.Message(2));
            while (true)
            {
                await stream.ReadExactlyAsync(head.AsMemory(0, 4));
                var message = new byte[System.Buffers.Binary.BinaryPrimitives.ReadInt32BigEndian(head)];
                await stream.ReadExactlyAsync(message);
                if (message is [0 or 1, ..])
                    served[number] = message[0] == 1;
            }
        })).ToArray();
        torrent.AddPeers(peers.Select(peer => peer.Endpoint));
        await Until.TrueAsync(() => torrent.GetStatus().Peers == 2 && served.Count(peer => peer.Value) == 1);

        fixture.Engine.Apply(Options with { UploadSlots = 4 });
        for (var second = 0; second < 11; second++)
            time.Advance(TimeSpan.FromSeconds(1));
        await Until.TrueAsync(() => served.Count(peer => peer.Value) == 2);
        foreach (var peer in peers)
            await peer.DisposeAsync();
    }

    [Fact]
    public async Task An_unused_torrent_is_closed_after_the_latest_configured_patience()
    {
        var time = new ManualTimeProvider();
        await using var swarm = new Swarm(SwarmFixture.OneFile(1_000_000), SwarmFixture.Seeders(1));
        await using var sessions = new TorrentSessions(
            new TorrentEngine(Options with { Listen = null }, TimeProvider.System), time, TimeSpan.FromMinutes(10));
        var lease = await sessions.UseAsync(Metainfo.Read(swarm.Torrent.TorrentFile()).Value!, default);
        lease.Dispose();
        time.Advance(TimeSpan.FromMinutes(3));
        await sessions.CloseIdleAsync();
        Assert.Single(sessions.Engine.Torrents);
        sessions.UnusedLifetime = TimeSpan.FromMinutes(2);
        await sessions.CloseIdleAsync();
        Assert.Empty(sessions.Engine.Torrents);
    }
}
