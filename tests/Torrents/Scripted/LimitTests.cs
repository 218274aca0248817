using System.Net;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Torrents.Connections;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Pieces;
using NzbDav.Torrents.Settings;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Tests.Scripted;

/// <summary>Limits across all torrents of an engine.</summary>
public sealed class LimitTests
{
    private const int Addresses = 20;

    private static readonly TorrentOptions Options = new() { Workers = 1, Listen = null, MostConnections = 40, MostHalfOpen = 12 };

    [Fact]
    public async Task A_scan_of_two_hundred_torrents_stays_within_limits_and_a_reader_gets_its_peers()
    {
        var (dialer, time) = (new QuietDialer(), new ManualTimeProvider());
        await using var engine = new TorrentEngine(Options, time, metrics: null, pool: null, dialer, new HashCheck());
        var torrents = Enumerable.Range(0, 200).Select(number => Add(engine, number)).ToArray();

        // A quarter of the dials is left for torrents that are read.
        await Until.TrueAsync(() => dialer.Dials == 9);
        var read = torrents[^1];
        await using var reader = read.Open((await read.DescribeAsync(default)).Files[0]).OpenReader(0, 1_000, ReadIntent.Playback);
        read.AddPeers(Endpoints(200));
        await Until.TrueAsync(() => dialer.Dials == 12);
        dialer.Reachable.SetResult();

        // All of its peers, though the others had taken most places.
        await AssignAsync(engine, dialer, time, ConnectionManager.UrgentPace, () => read.GetStatus().Peers == 2 * Addresses);
        Assert.Equal(12, dialer.MostDials);
        Assert.InRange(dialer.MostOpen, 2 * Addresses, 40);
    }

    [Fact]
    public async Task A_lower_limit_closes_connections_and_a_higher_one_opens_new_ones()
    {
        var (dialer, time) = (new QuietDialer(), new ManualTimeProvider());
        dialer.Reachable.SetResult();
        await using var engine = new TorrentEngine(Options, time, metrics: null, pool: null, dialer, new HashCheck());
        var torrents = Enumerable.Range(0, 4).Select(number => Add(engine, number)).ToArray();
        await AssignAsync(engine, dialer, time, ConnectionManager.Pace, () => Peers() == 35);

        engine.Apply(Options with { MostConnections = 16 });
        await Until.TrueAsync(() => Peers() <= 16);
        engine.Apply(Options with { MostConnections = 64 });
        await AssignAsync(engine, dialer, time, ConnectionManager.Pace, () => Peers() > 35);

        int Peers() => torrents.Sum(static torrent => torrent.GetStatus().Peers);
    }

    [Fact]
    public void Connections_to_one_address_are_limited()
    {
        using var limits = new ConnectionManager(static () => new ConnectionBounds(500, 100, 100, 50), TimeProvider.System);
        var address = IPAddress.Parse("192.0.2.7");
        for (var torrent = 0; torrent < 12; torrent++)
        {
            var holder = new Holder();
            for (var i = 0; i < 4; i++)
                Assert.Equal(ConnectionAdmission.Admitted, limits.TryAccept(holder, i % 2 == 0 ? address : address.MapToIPv6()));
            Assert.Equal(ConnectionAdmission.AddressFull, limits.TryAccept(holder, address));
        }

        // Of 50 in all two are left.
        var (last, late) = (new Holder(), new Holder());
        Assert.Equal(ConnectionAdmission.Admitted, limits.TryAccept(last, address));
        Assert.Equal(ConnectionAdmission.Admitted, limits.TryAccept(last, address));
        Assert.Equal(ConnectionAdmission.AddressFull, limits.TryAccept(late, address));
        Assert.Equal(ConnectionAdmission.Admitted, limits.TryAccept(late, IPAddress.Parse("192.0.2.8")));
        limits.Closed(last, address);
        Assert.Equal(ConnectionAdmission.Admitted, limits.TryAccept(late, address));
    }

    [Fact]
    public void Remembered_ports_per_address_are_limited()
    {
        var book = new PeerBook();
        for (var port = 1; port <= 8; port++)
            Assert.True(book.Add(new IPEndPoint(IPAddress.Parse("192.0.2.7"), port), PeerSources.Tracker));
        Assert.False(book.Add(new IPEndPoint(IPAddress.Parse("192.0.2.7"), 9), PeerSources.Tracker));
        Assert.True(book.Add(new IPEndPoint(IPAddress.Parse("192.0.2.8"), 9), PeerSources.Tracker));
    }

    [Fact]
    public async Task The_slowest_peer_makes_room_for_an_untried_one()
    {
        await using var swarm = new ScriptedSwarm(3, new TorrentOptions { MostPeers = 2 });
        var idle = await swarm.ConnectAsync(ScriptedPeer.HaveNone);
        var giving = await swarm.ConnectSeederAsync();
        var third = swarm.DialAsync();
        await swarm.ReadAsync(0, 2);
        swarm.Time.Advance(TimeSpan.FromSeconds(29));
        Assert.False(third.IsCompleted);
        Assert.False(idle.IsClosed);
        swarm.Time.Advance(TimeSpan.FromSeconds(2));
        (await third).Reachable.SetResult();
        Assert.True(idle.IsClosed);
        Assert.False(giving.IsClosed);
    }

    [Fact]
    public async Task New_pieces_are_announced_once_per_second_together()
    {
        const byte Have = 4;
        await using var swarm = new ScriptedSwarm(8);
        await swarm.ConnectSeederAsync();
        var leecher = await swarm.ConnectLeecherAsync();
        var sends = leecher.Sends;
        await swarm.ReadAsync(0, 8);
        Assert.Empty(leecher.Heard(Have));

        swarm.Time.Advance(TimeSpan.FromSeconds(1));
        await leecher.HearsAsync(Have, 8);
        Assert.Equal(sends + 1, leecher.Sends);
    }

    /// <summary>
    /// Lets time pass, one interval after the other, until the condition holds. Dials and closings end before the next interval begins.
    /// </summary>
    private static async Task AssignAsync(
        TorrentEngine engine, QuietDialer dialer, ManualTimeProvider time, TimeSpan pace, Func<bool> condition)
    {
        var connections = engine.Torrents.First().Swarm.Context.Connections;

        // Quiet peers are closed after 15 seconds.
        var left = TimeSpan.FromSeconds(12);
        await SettleAsync();
        for (; !condition(); left -= pace)
        {
            Assert.True(left > TimeSpan.Zero, "The condition does not hold in time.");
            time.Advance(pace);
            await SettleAsync();
        }

        Task SettleAsync() => Until.TrueAsync(() =>
            engine.Torrents.All(torrent => connections.DialsOf(torrent.Swarm) == 0) && connections.Connections == dialer.Open);
    }

    private static Torrent Add(TorrentEngine engine, int number)
    {
        var torrent = engine.Add(Metainfo.Read(SwarmFixture.OneFile(1_000, 1_024, (ulong)number + 1).TorrentFile()).Value!);
        torrent.AddPeers(Endpoints(number));
        return torrent;
    }

    private static IEnumerable<IPEndPoint> Endpoints(int number) =>
        Enumerable.Range(0, Addresses).Select(i => new IPEndPoint(IPAddress.Loopback, 1_000 + (number * Addresses) + i));

    private sealed class Holder : IConnectionHolder
    {
        public bool IsUrgent => true;

        public int CloseLeastUseful(int count) => 0;

        public void PlaceFreed()
        {
        }
    }
}
