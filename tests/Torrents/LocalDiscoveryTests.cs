using System.Net;
using System.Net.Sockets;
using System.Text;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.MockSwarm.Contents;
using NzbDav.Torrents.Connections;
using NzbDav.Torrents.Discovery.Local;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Pieces;
using NzbDav.Torrents.Settings;
using NzbDav.Torrents.Status;
using NzbDav.Torrents.Tests.Scripted;

namespace NzbDav.Torrents.Tests;

/// <summary>Peers in the local network (BEP 14).</summary>
public sealed class LocalDiscoveryTests
{
    private static readonly IPAddress Neighbour = IPAddress.Parse("192.168.1.7");

    [Fact]
    public async Task A_torrent_is_announced_at_once_and_then_every_five_minutes()
    {
        await using var scene = new Scene();
        var torrent = scene.Engine.Add(Link(1));
        scene.Time.Advance(TimeSpan.FromSeconds(1));
        var announced = Assert.Single(scene.Network.Announced);
        Assert.Equal(scene.Engine.Port, announced.Port);
        Assert.Equal([torrent.Hash], announced.Hashes);

        scene.Time.Advance(TimeSpan.FromSeconds(299));
        Assert.Single(scene.Network.Announced);
        scene.Time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(2, scene.Network.Announced.Count);
    }

    [Fact]
    public async Task Many_torrents_share_datagrams_and_very_many_are_spread_over_seconds()
    {
        await using var scene = new Scene();
        for (var number = 1; number <= 100; number++)
            scene.Engine.Add(Link(number));
        scene.Time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal([23, 23, 23, 23], scene.Network.Announced.Select(static announced => announced.Hashes.Count));
        Assert.All(scene.Network.Announced, static announced => Assert.InRange(announced.Write("[ff15::efc0:988f]:6771").Length, 1, 1_400));
        scene.Time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(100, scene.Network.Announced.SelectMany(static announced => announced.Hashes).Distinct().Count());
    }

    [Fact]
    public async Task A_reopened_torrent_is_announced_a_minute_after_its_last_announcement()
    {
        await using var scene = new Scene();
        var torrent = scene.Engine.Add(Link(1));
        scene.Time.Advance(TimeSpan.FromSeconds(1));
        await torrent.DisposeAsync();
        scene.Engine.Add(Link(1));
        scene.Time.Advance(TimeSpan.FromSeconds(59));
        Assert.Single(scene.Network.Announced);
        scene.Time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(2, scene.Network.Announced.Count);
    }

    [Fact]
    public async Task A_host_that_announces_an_open_torrent_becomes_a_peer_and_our_own_announcement_is_ignored()
    {
        await using var scene = new Scene();
        var torrent = scene.Engine.Add(Link(1));
        scene.Time.Advance(TimeSpan.FromSeconds(1));
        await Until.TrueAsync(() => scene.Network.IsTaken);
        Assert.Equal(0, torrent.Swarm.Book.Known);

        scene.Network.Say(
            new IPEndPoint(Neighbour, 6_771), new LocalAnnouncement(7_000, [Number(2), torrent.Hash], "x").Write("239.192.152.143:6771"));
        await Until.TrueAsync(() => torrent.GetStatus().Peers == 1);
        var peer = Assert.Single(torrent.GetDetails().Peers);
        Assert.Equal((new IPEndPoint(Neighbour, 7_000), PeerSources.Local), (peer.Address, peer.Sources));
    }

    [Fact]
    public async Task A_hybrid_is_announced_and_found_by_both_names()
    {
        await using var scene = new Scene();
        var content = new MockTorrent(
            "film.mkv", SwarmContent.Make(7, SwarmFixture.PieceLength, [new SwarmFile("film.mkv", 100_000)]), isHybrid: true);
        var torrent = scene.Engine.Add(MagnetLink.Read(content.Magnet([], [])).Value!);
        torrent.Describe(Metainfo.Read(content.TorrentFile()).Value!.Info);
        var alias = torrent.Swarm.Alias!.Value;
        scene.Time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal([torrent.Hash, alias], Assert.Single(scene.Network.Announced).Hashes);

        scene.Network.Say(new IPEndPoint(Neighbour, 6_771), new LocalAnnouncement(7_000, [alias], "x").Write("239.192.152.143:6771"));
        await Until.TrueAsync(() => torrent.GetStatus().Peers == 1);
        Assert.True(Assert.Single(torrent.Swarm.Peers) is { ByAlias: true, Sources: PeerSources.Local });

        // It is found by no name once it is closed.
        await torrent.DisposeAsync();
        scene.Time.Advance(TimeSpan.FromMinutes(10));
        Assert.Single(scene.Network.Announced);
    }

    [Fact]
    public async Task A_name_that_is_one_torrents_hash_and_claimed_by_another_finds_the_first()
    {
        await using var scene = new Scene();
        var claim = MagnetLink.Read($"magnet:?xt=urn:btih:{Number(2)}&xt=urn:btmh:1220{Number(1)}{new string('0', 24)}").Value!;
        var claiming = scene.Engine.Add(claim);
        var claimed = scene.Engine.Add(Link(1));
        await claiming.DisposeAsync();
        claiming = scene.Engine.Add(claim);
        scene.Network.Say(
            new IPEndPoint(Neighbour, 6_771), new LocalAnnouncement(7_000, [claimed.Hash], "x").Write("239.192.152.143:6771"));
        await Until.TrueAsync(() => claimed.GetStatus().Peers == 1);
        Assert.Equal(0, claiming.Swarm.Book.Known);
    }

    [Fact]
    public async Task A_private_torrent_is_neither_announced_nor_found()
    {
        await using var scene = new Scene();
        var content = new MockTorrent(
            "film.mkv", SwarmContent.Make(7, SwarmFixture.PieceLength, [new SwarmFile("film.mkv", 100_000)]), isPrivate: true);
        var linked = scene.Engine.Add(MagnetLink.Read(content.Magnet([], [])).Value!);
        linked.Describe(Metainfo.Read(content.TorrentFile()).Value!.Info);
        scene.Time.Advance(TimeSpan.FromSeconds(1));
        await linked.DisposeAsync();
        var torrent = scene.Engine.Add(Metainfo.Read(content.TorrentFile()).Value!);
        scene.Time.Advance(TimeSpan.FromMinutes(10));

        scene.Network.Say(
            new IPEndPoint(Neighbour, 6_771), new LocalAnnouncement(7_000, [torrent.Hash], null).Write("239.192.152.143:6771"));
        await Until.TrueAsync(() => scene.Network.IsTaken);
        Assert.Empty(scene.Network.Announced);
        Assert.Equal(0, torrent.Swarm.Book.Known);
    }

    [Fact]
    public async Task Local_discovery_leaves_the_network_when_switched_off_and_rejoins_when_switched_on()
    {
        await using var scene = new Scene();
        scene.Engine.Add(Link(1));
        scene.Engine.Apply(scene.Options with { LocalDiscovery = false });
        scene.Time.Advance(TimeSpan.FromMinutes(10));
        Assert.True(scene.Network.IsClosed);
        Assert.Empty(scene.Network.Announced);
        scene.Engine.Apply(scene.Options);
        scene.Time.Advance(TimeSpan.FromSeconds(1));
        Assert.Single(scene.Network.Announced);
    }

    [Fact]
    public async Task An_unusable_network_is_shown_with_its_reason_and_tried_again_when_switched_on_again()
    {
        var network = new LocalNetworkFake();
        var fails = true;
        await using var discovery = new LocalDiscovery(new ManualTimeProvider(), static () => 1,
            () => fails ? throw new SocketException((int)SocketError.AddressAlreadyInUse) : network);
        discovery.Switch(on: true);
        Assert.StartsWith("The local network cannot be asked: ", discovery.Trouble, StringComparison.Ordinal);
        fails = false;
        discovery.Switch(on: true);
        Assert.Null(discovery.Trouble);
    }

    [Theory]
    [InlineData(
        "BT-SEARCH * HTTP/1.1\r\nHost: 239.192.152.143:6771\r\nPort: 6881\r\nInfohash: " +
        "0102030405060708090A0B0C0D0E0F1011121314\r\n\r\n\r\n", 6_881)]
    [InlineData("BT-SEARCH * HTTP/1.1\r\nhost:x\r\nport:1\r\nINFOHASH:0102030405060708090a0b0c0d0e0f1011121314\r\n\r\n", 1)]
    [InlineData("BT-SEARCH * HTTP/1.1\r\nPort: 0\r\nInfohash: 0102030405060708090a0b0c0d0e0f1011121314\r\n\r\n", null)]
    [InlineData("BT-SEARCH * HTTP/1.1\r\nPort: 70000\r\nInfohash: 0102030405060708090a0b0c0d0e0f1011121314\r\n\r\n", null)]
    [InlineData("BT-SEARCH * HTTP/1.1\r\nPort: 6881\r\nInfohash: 01\r\n\r\n", null)]
    [InlineData("M-SEARCH * HTTP/1.1\r\nPort: 6881\r\nInfohash: 0102030405060708090a0b0c0d0e0f1011121314\r\n\r\n", null)]
    [InlineData("", null)]
    public void Only_valid_announcements_are_parsed(string datagram, int? port) =>
        Assert.Equal(port, LocalAnnouncement.Read(Encoding.ASCII.GetBytes(datagram))?.Port);

    private static MagnetLink Link(int number) => MagnetLink.Read($"magnet:?xt=urn:btih:{Number(number)}").Value!;

    private static InfoHash Number(int number) => new([.. BitConverter.GetBytes(number), .. new byte[16]]);

    private sealed class Scene : IAsyncDisposable
    {
        public Scene(Func<ILocalChannel>? open = null)
        {
            var dialer = new QuietDialer();
            dialer.Reachable.SetResult();
            Engine = new TorrentEngine(Options, Time, null, new BufferPool(new BufferBudget(8 << 20)), dialer, new HashCheck(),
                network: open ?? (() => Network = new LocalNetworkFake()));
        }

        public TorrentOptions Options { get; } = new()
        { LocalDiscovery = true, Workers = 1, Listen = new IPEndPoint(IPAddress.Loopback, 0) };

        public ManualTimeProvider Time { get; } = new();

        public LocalNetworkFake Network { get; private set; } = new();

        public TorrentEngine Engine { get; }

        public ValueTask DisposeAsync() => Engine.DisposeAsync();
    }
}
