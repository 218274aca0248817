using System.Net;
using System.Net.Sockets;
using NzbDav.Fakes;
using NzbDav.MockSwarm.Contents;
using NzbDav.MockSwarm.Swarms;
using NzbDav.Torrents.Datagrams;
using NzbDav.Torrents.Discovery.Dht;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Settings;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Tests.Discovery.Dht;

/// <summary>Torrents and the DHT, over real sockets on loopback.</summary>
public sealed class DhtFinderTests : IDisposable
{
    private const long Size = 1_000_000;

    private readonly UdpChannel _channel = new(new IPEndPoint(IPAddress.Loopback, 0), TimeProvider.System);
    private readonly DhtNetwork _router;
    private readonly string _address;

    public DhtFinderTests()
    {
        var port = _channel.PortOf(AddressFamily.InterNetwork);
        _address = $"127.0.0.1:{port}";
        var options = new TorrentOptions { Dht = true, DhtBootstrap = [_address] };
        _router = new DhtNetwork(_channel, TimeProvider.System, () => new DhtSettings(
            options.Dht, options.DhtBootstrap, options.CacheFolder), port, static (_, _) => throw new IOException("no names here"));
    }

    public void Dispose()
    {
        _router.Dispose();
        _channel.Dispose();
    }

    [Fact]
    public async Task A_magnet_link_without_trackers_is_read_through_the_DHT_alone()
    {
        await AwakeAsync();
        await using var swarm = new Swarm(SwarmFixture.OneFile(Size), SwarmFixture.Seeders(1));
        await using var seed = new SwarmFixture(swarm, Options());
        var seeding = seed.Engine.Add(Metainfo.Read(swarm.Torrent.TorrentFile()).Value!);
        seeding.AddPeers(swarm.Endpoints);
        await seed.ReadAsync(seeding, 0, Size);
        await Until.TrueAsync(() => Row(seeding) is { State: TrackerState.Working, Next: not null });

        await using var fixture = new SwarmFixture(swarm, Options());
        var torrent = fixture.Engine.Add(MagnetLink.Read($"magnet:?xt=urn:btih:{seeding.Hash}").Value!);
        await fixture.ReadAsync(torrent, 0, Size);

        // The side that learns of the other first dials.
        Assert.Contains(
            torrent.GetDetails().Peers.Concat(seeding.GetDetails().Peers), static peer => (peer.Sources & PeerSources.Dht) != 0);
        Assert.InRange(Row(torrent)!.Peers, 1, 10);
        Assert.True(fixture.Engine.Dht is { IsRunning: true, Nodes: >= 1 });
    }

    [Fact]
    public async Task Peers_exchange_their_DHT_ports()
    {
        await using var swarm = new Swarm(SwarmFixture.OneFile(Size), SwarmFixture.Seeders(1));
        await using var seed = new SwarmFixture(swarm, Options("127.0.0.1:1"));
        seed.Engine.Add(Metainfo.Read(swarm.Torrent.TorrentFile()).Value!);
        await using var fixture = new SwarmFixture(swarm, Options("127.0.0.1:1"));
        var torrent = fixture.Engine.Add(Metainfo.Read(swarm.Torrent.TorrentFile()).Value!);
        torrent.AddPeers(new IPEndPoint(IPAddress.Loopback, seed.Engine.Port));
        await Until.TrueAsync(() => fixture.Engine.Dht.Nodes == 1 && seed.Engine.Dht.Nodes == 1);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_torrent_that_names_nodes_needs_no_router(bool namesNodes)
    {
        await AwakeAsync();
        await using var swarm = new Swarm(SwarmFixture.OneFile(Size), SwarmFixture.Seeders(1));
        await using var fixture = new SwarmFixture(swarm, Options("127.0.0.1:1"));
        var metainfo = new Metainfo(Metainfo.Read(swarm.Torrent.TorrentFile()).Value!.Info, [])
        {
            Nodes = namesNodes ? [IPEndPoint.Parse(_address)] : [],
        };
        var torrent = fixture.Engine.Add(metainfo);
        await Until.TrueAsync(() => Row(torrent) is { Next: not null });
        Assert.Equal(namesNodes ? TrackerState.Working : TrackerState.Failed, Row(torrent)!.State);
    }

    [Fact]
    public async Task A_private_torrent_is_not_searched_in_the_DHT()
    {
        var content = SwarmContent.Make(7, SwarmFixture.PieceLength, [new SwarmFile("film.mkv", Size)]);
        await using var swarm = new Swarm(new MockTorrent("film.mkv", content, isPrivate: true), SwarmFixture.Seeders(1));
        await using var fixture = new SwarmFixture(swarm, Options());
        var torrent = fixture.Engine.Add(Metainfo.Read(swarm.Torrent.TorrentFile(swarm.Tracker.Url)).Value!);
        await fixture.ReadAsync(torrent, 0, Size);
        Assert.All(torrent.GetDetails().Sources, static row => Assert.Equal(TrackerState.Off, row.State));
        Assert.False(fixture.Engine.Dht.IsRunning);
    }

    [Fact]
    public async Task A_magnet_link_that_turns_out_private_leaves_the_DHT()
    {
        await AwakeAsync();
        var content = SwarmContent.Make(7, SwarmFixture.PieceLength, [new SwarmFile("film.mkv", Size)]);
        await using var swarm = new Swarm(new MockTorrent("film.mkv", content, isPrivate: true), SwarmFixture.Seeders(1));
        await using var fixture = new SwarmFixture(swarm, Options());
        var torrent = fixture.Engine.Add(MagnetLink.Read(swarm.Torrent.Magnet([], [swarm.Tracker.Url])).Value!);
        await torrent.DescribeAsync(default);
        await Until.TrueAsync(() => Row(torrent) is null);
    }

    [Fact]
    public async Task A_DHT_that_is_switched_off_sends_nothing_and_is_not_shown_until_switched_on()
    {
        await AwakeAsync();
        await using var swarm = new Swarm(SwarmFixture.OneFile(Size), SwarmFixture.Seeders(1));
        await using var fixture = new SwarmFixture(swarm, Options() with { Dht = false });
        var torrent = fixture.Engine.Add(Metainfo.Read(swarm.Torrent.TorrentFile()).Value!);
        Assert.Null(Row(torrent));
        Assert.False(fixture.Engine.Dht.IsRunning);
        fixture.Engine.Apply(Options());
        torrent.Reannounce();
        await Until.TrueAsync(() => Row(torrent) is { State: TrackerState.Working } && fixture.Engine.Dht.IsBootstrapped);
    }

    private static TrackerStatus? Row(Torrent torrent) => torrent.GetDetails().Sources.Single(
        static row => row.Source == PeerSources.Dht) is { State: not TrackerState.Off } row ? row : null;

    private TorrentOptions Options(string? bootstrap = null) =>
        new() { Workers = 1, Listen = new IPEndPoint(IPAddress.Loopback, 0), Dht = true, DhtBootstrap = [bootstrap ?? _address] };

    /// <summary>Starts the router: a node runs from its first search on.</summary>
    private async Task AwakeAsync() => await _router.SearchAsync(NodeId.Random(), static _ => { }, default);
}
