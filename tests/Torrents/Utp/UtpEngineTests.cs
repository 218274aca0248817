using System.Net;
using System.Net.Sockets;
using NzbDav.Content.Proxies;
using NzbDav.Fakes;
using NzbDav.MockSwarm.Contents;
using NzbDav.MockSwarm.Swarms;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Settings;
using NzbDav.Torrents.Status;
using NzbDav.Torrents.Wire;
using NzbDav.Torrents.Wire.Encryption;

namespace NzbDav.Torrents.Tests.Utp;

/// <summary>Two engines over real sockets, of which one reaches the other by uTP alone.</summary>
public sealed class UtpEngineTests : IDisposable
{
    private const long Size = 40 * SwarmFixture.PieceLength;
    private static readonly TorrentOptions Options = new()
    { Workers = 1, Listen = new IPEndPoint(IPAddress.Loopback, 0), Utp = UtpPolicy.On };

    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData(EncryptionPolicy.Prefer, PeerEncryption.Handshake)]
    [InlineData(EncryptionPolicy.Require, PeerEncryption.Full)]
    [InlineData(EncryptionPolicy.Off, PeerEncryption.None)]
    public async Task A_peer_that_only_uTP_reaches_is_fetched_from_and_seen_by_both(EncryptionPolicy policy, PeerEncryption encryption)
    {
        await using var seeding = await SeedAsync(Options with { Encryption = policy });
        using var relay = new UdpRelay(seeding.Engine.Port);
        await using var fixture = new SwarmFixture(seeding.Content, [], Options with { Encryption = policy, Utp = UtpPolicy.Dial });
        var torrent = fixture.Add();
        torrent.AddPeers([relay.Endpoint]);
        await fixture.ReadAsync(torrent, 0, Size / 2);

        var peer = Assert.Single(torrent.GetDetails().Peers);
        Assert.Equal((true, encryption, relay.Endpoint), (peer.IsUtp, peer.Encryption, peer.Address));
        var other = Assert.Single(seeding.Torrent.GetDetails().Peers, static other => other.IsIncoming);
        Assert.Equal((true, encryption), (other.IsUtp, other.Encryption));
        await fixture.ReadAsync(torrent, Size / 2, Size);
    }

    [Fact]
    public async Task A_peer_that_TCP_reaches_is_not_dialled_by_uTP()
    {
        await using var seeding = await SeedAsync(Options);
        await using var fixture = new SwarmFixture(seeding.Content, [], Options);
        var torrent = fixture.Add();
        torrent.AddPeers([new IPEndPoint(IPAddress.Loopback, seeding.Engine.Port)]);
        await fixture.ReadAsync(torrent, 0, Size / 2);
        Assert.False(Assert.Single(torrent.GetDetails().Peers).IsUtp);
    }

    [Fact]
    public async Task Peers_that_may_not_connect_by_uTP_are_told_so()
    {
        await using var engine = new TorrentEngine(Options with { Utp = UtpPolicy.Dial }, TimeProvider.System);
        using var relay = new UdpRelay(engine.Port);
        await using var fixture = new SwarmFixture(SwarmFixture.OneFile(Size), [], Options);
        var torrent = fixture.Add();
        torrent.AddPeers([relay.Endpoint]);

        // A reset, after which they try TCP.
        await Until.TrueAsync(() => relay.Answered > 0);
        Assert.Empty(torrent.GetDetails().Peers);
    }

    [Theory]
    [InlineData(UtpPolicy.Off, false)]
    [InlineData(UtpPolicy.On, true)]
    public async Task Peers_that_connect_by_uTP_get_no_answer_where_it_is_off_or_they_are_blocked(UtpPolicy policy, bool isBlocked)
    {
        IReadOnlyList<IPAddress> banned = isBlocked ? [IPAddress.Loopback] : [];
        await using var engine = new TorrentEngine(Options with { Utp = policy, BannedAddresses = banned }, TimeProvider.System);
        using var relay = new UdpRelay(engine.Port);
        await using var fixture = new SwarmFixture(SwarmFixture.OneFile(Size), [], Options);
        fixture.Add().AddPeers([relay.Endpoint]);

        // The third SYN comes three seconds after the first.
        await Until.TrueAsync(() => relay.Came >= 3);
        Assert.Equal(0, relay.Answered);
    }

    [Fact]
    public async Task Turning_uTP_off_dials_nobody_by_it()
    {
        await using var seeding = await SeedAsync(Options);
        using var relay = new UdpRelay(seeding.Engine.Port);
        using var listener = new TcpListener(relay.Endpoint);
        listener.Start();
        await using var fixture = new SwarmFixture(seeding.Content, [], Options with { Utp = UtpPolicy.Off });
        var torrent = fixture.Add();
        torrent.AddPeers([relay.Endpoint]);

        // It is dialled by TCP, again and again: without encryption at the second try of each dial.
        for (var i = 0; i < 3; i++)
            (await listener.AcceptTcpClientAsync()).Dispose();
        Assert.Equal(0, relay.Came);
    }

    [Fact]
    public async Task A_change_of_the_setting_or_of_the_port_ends_connections_by_uTP()
    {
        await using var seeding = await SeedAsync(Options);
        using var relay = new UdpRelay(seeding.Engine.Port);
        await using var fixture = new SwarmFixture(seeding.Content, [], Options);
        var torrent = fixture.Add();
        torrent.AddPeers([relay.Endpoint]);
        await fixture.ReadAsync(torrent, 0, SwarmFixture.PieceLength);
        fixture.Engine.Apply(Options with { Utp = UtpPolicy.Off });
        await Until.TrueAsync(() => torrent.GetStatus().Peers == 0);

        fixture.Engine.Apply(Options);
        torrent.AddPeers([relay.Endpoint]);
        await Until.TrueAsync(() => torrent.GetDetails().Peers is [{ IsUtp: true }]);
        fixture.Engine.Apply(Options with { Listen = new IPEndPoint(IPAddress.Loopback, FreePort()) });
        await Until.TrueAsync(() => torrent.GetDetails().Peers is [] or [{ IsUtp: true, Downloaded: 0 }]);
    }

    [Theory]
    [InlineData(null, true)]
    [InlineData("socks5://127.0.0.1:9", false)]
    [InlineData("http://127.0.0.1:9", false)]
    public async Task Behind_a_proxy_uTP_is_off(string? proxy, bool reaches)
    {
        ProxyAddress? address = null;
        Assert.True(proxy is null || ProxyAddress.TryParse(proxy, out address));
        await using var fixture = new SwarmFixture(SwarmFixture.OneFile(Size), [], Options with { Proxy = address });
        Assert.Equal(reaches, fixture.Add().Swarm.Context.ReachesByUtp(AddressFamily.InterNetwork));
    }

    [Fact]
    public async Task Where_the_interface_is_gone_uTP_is_off()
    {
        await using var fixture = new SwarmFixture(SwarmFixture.OneFile(Size), [], Options with { Bind = "no-such-interface0" });
        Assert.False(fixture.Add().Swarm.Context.ReachesByUtp(AddressFamily.InterNetwork));
    }

    private static int FreePort()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }

    private async Task<Seeding> SeedAsync(TorrentOptions options)
    {
        var content = SwarmFixture.OneFile(Size);
        var swarm = new Swarm(content, SwarmFixture.Seeders(1));
        var engine = new TorrentEngine(options with { CacheFolder = _folder.Path, Encryption = EncryptionPolicy.Off }, TimeProvider.System);
        var torrent = engine.Add(Metainfo.Read(content.TorrentFile()).Value!);
        torrent.FetchAll(true);
        torrent.AddPeers(swarm.Endpoints);
        await Until.TrueAsync(() => torrent.GetStatus() is { Have: > 0 } status && status.Have == status.Pieces);
        engine.Apply(options with { CacheFolder = _folder.Path });
        return new Seeding(swarm, engine, torrent, content);
    }

    private sealed record Seeding(Swarm Swarm, TorrentEngine Engine, Torrent Torrent, MockTorrent Content) : IAsyncDisposable
    {
        public async ValueTask DisposeAsync()
        {
            await Engine.DisposeAsync();
            await Swarm.DisposeAsync();
        }
    }
}
