using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using NzbDav.Content.Proxies;
using NzbDav.Fakes;
using NzbDav.Torrents.Datagrams;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Network;
using NzbDav.Torrents.Settings;
using NzbDav.Torrents.Status;
using NzbDav.Torrents.Tests.Discovery;
using NzbDav.Torrents.Wire.Encryption;

namespace NzbDav.Torrents.Tests.Network;

public sealed class ProxyTests
{
    private const long Size = 8 * SwarmFixture.PieceLength;

    [Theory]
    [InlineData("socks5", null)]
    [InlineData("socks5", "user:p%40ss word")]
    [InlineData("http", null)]
    [InlineData("http", "user:p%40ss word")]
    public async Task Peers_and_trackers_are_reached_only_through_the_proxy_which_resolves_names(string scheme, string? credentials)
    {
        await using var proxy = new MockProxy { Credentials = credentials is null ? null : Uri.UnescapeDataString(credentials) };
        var user = credentials is null ? "" : credentials.Replace(" ", "%20", StringComparison.Ordinal) + "@";
        Assert.True(ProxyAddress.TryParse($"{scheme}://{user}127.0.0.1:{proxy.Port}", out var address));
        await using var fixture = new SwarmFixture(
            SwarmFixture.OneFile(Size),
            SwarmFixture.Seeders(2),
            new TorrentOptions
            { Workers = 1, Proxy = address, Encryption = EncryptionPolicy.Off, Listen = new IPEndPoint(IPAddress.Loopback, 0) });

        var port = new Uri(fixture.Swarm.Tracker.Url).Port;

        // A name that only the proxy can resolve.
        proxy.Names["tracker.invalid"] = new IPEndPoint(IPAddress.Loopback, port);
        var torrent = fixture.Engine.Add(
            Metainfo.Read(fixture.Swarm.Torrent.TorrentFile([$"http://tracker.invalid:{port}/announce"])).Value!);
        await fixture.ReadAsync(torrent, 0, Size);

        Assert.Equal(0, fixture.Engine.Port);
        var peers = proxy.Asked.Count(static asked => asked.StartsWith("127.0.0.1:", StringComparison.Ordinal));
        Assert.Equal(peers, fixture.Swarm.Seeders.Sum(static seeder => seeder.Counters.Connections));
        Assert.Contains($"tracker.invalid:{port}", proxy.Asked);
        Assert.All(torrent.GetDetails().Peers, peer => Assert.Contains(peer.Address, fixture.Swarm.Endpoints));
    }

    [Fact]
    public async Task Nothing_bypasses_a_proxy_that_refuses()
    {
        await using var proxy = new MockProxy { Credentials = "user:right" };
        foreach (var scheme in new[] { "socks5", "http" })
        {
            Assert.True(ProxyAddress.TryParse($"{scheme}://user:wrong@127.0.0.1:{proxy.Port}", out var address));
            await using var fixture = new SwarmFixture(
                SwarmFixture.OneFile(Size), SwarmFixture.Seeders(1), new TorrentOptions { Workers = 1, Proxy = address });
            var torrent = fixture.Engine.Add(Metainfo.Read(fixture.Swarm.Torrent.TorrentFile([fixture.Swarm.Tracker.Url])).Value!);
            torrent.AddPeers(fixture.Swarm.Endpoints);
            await Until.TrueAsync(() => torrent.GetDetails().Trackers is [{ Message: not null }]);
            Assert.Empty(proxy.Asked);
            Assert.Equal(0, fixture.Swarm.Seeders.Sum(static seeder => seeder.Counters.Connections));
        }
    }

    [Fact]
    public async Task Datagrams_go_through_a_SOCKS_proxy_and_answers_carry_their_sender()
    {
        await using var proxy = new MockProxy();
        using var sockets = new PeerSockets(static () => default, new FixedAddresses(), TimeProvider.System);
        using var channel = new SocksChannel(
            sockets, new ProxyAddress(ProxyKind.Socks5, "127.0.0.1", proxy.Port, "", ""), TimeProvider.System);
        using var there = new UdpClient(new IPEndPoint(IPAddress.Loopback, 0));
        var endpoint = (IPEndPoint)there.Client.LocalEndPoint!;
        var heard = new TaskCompletionSource<(DatagramAddress, byte[])>(TaskCreationOptions.RunContinuationsAsynchronously);
        channel.Register((from, datagram) => heard.TrySetResult((from, datagram.ToArray())));
        await Until.TrueAsync(() => channel.CanReach(AddressFamily.InterNetwork));

        channel.Send(new DatagramAddress(endpoint), "question"u8);
        var question = await there.ReceiveAsync().WaitAsync(TimeSpan.FromSeconds(30));
        Assert.Equal("question"u8.ToArray(), question.Buffer);
        await there.SendAsync("answer"u8.ToArray(), question.RemoteEndPoint);
        var (sender, answer) = await heard.Task.WaitAsync(TimeSpan.FromSeconds(30));
        Assert.Equal(new DatagramAddress(endpoint), sender);
        Assert.Equal("answer"u8.ToArray(), answer);
        Assert.Equal(endpoint, Assert.Single(proxy.Datagrams));
    }

    [Fact]
    public async Task Only_the_SOCKS_proxy_resolves_the_name_of_a_UDP_tracker()
    {
        await using var proxy = new MockProxy();
        using var there = new UdpChannel([new IPEndPoint(IPAddress.Loopback, 0)], TimeProvider.System);
        var senders = new ConcurrentBag<IPEndPoint>();
        there.Register((from, _) =>
        {
            senders.Add(from.ToEndPoint());
            return false;
        });
        var tracker = new MockUdpTracker(there, TimeProvider.System);
        tracker.Peers.Add(IPEndPoint.Parse("198.51.100.1:5000"));
        var port = there.PortOf(AddressFamily.InterNetwork);
        proxy.Names["tracker.invalid"] = new IPEndPoint(IPAddress.Loopback, port);
        var resolved = new ConcurrentBag<string>();
        var options = Proxied(ProxyKind.Socks5, proxy);
        await using (var engine = new TorrentEngine(options, TimeProvider.System, resolver: Resolver(resolved)))
        {
            var torrent = engine.Add(
                MagnetLink.Read($"magnet:?xt=urn:btih:{InfoHash.Of([7])}&tr=udp%3A%2F%2Ftracker.invalid%3A{port}%2Fannounce").Value!);
            await Until.TrueAsync(() => torrent.GetDetails().Trackers is [{ State: TrackerState.Working, Peers: 1, Seeds: not null }]);
            await Until.TrueAsync(() => tracker.Scrapes > 0);
        }

        Assert.Empty(resolved);
        Assert.Equal($"tracker.invalid:{port}", Assert.Single(proxy.Named));
        Assert.Equal((1, 2), (tracker.Connects, tracker.Announces.Count));
        Assert.Equal(proxy.Relays, senders.Distinct());
    }

    [Fact]
    public async Task A_UDP_tracker_fails_behind_an_HTTP_proxy_and_nothing_bypasses_it()
    {
        await using var proxy = new MockProxy();
        using var there = new UdpClient(new IPEndPoint(IPAddress.Loopback, 0));
        var port = ((IPEndPoint)there.Client.LocalEndPoint!).Port;
        var resolved = new ConcurrentBag<string>();
        await using (var engine = new TorrentEngine(Proxied(ProxyKind.Http, proxy), TimeProvider.System, resolver: Resolver(resolved)))
        {
            var torrent = engine.Add(MagnetLink.Read(
                $"magnet:?xt=urn:btih:{InfoHash.Of([7])}&tr=udp%3A%2F%2Flocalhost%3A{port}&tr=udp%3A%2F%2F127.0.0.1%3A{port}").Value!);
            await Until.TrueAsync(() => torrent.GetDetails().Trackers.Count(static tracker => tracker.State == TrackerState.Failed) == 2);
            Assert.All(torrent.GetDetails().Trackers,
                static tracker => Assert.Contains("cannot be asked through an HTTP proxy", tracker.Message, StringComparison.Ordinal));
        }

        Assert.Empty(resolved);
        Assert.Equal(0, there.Available);
        Assert.Empty(proxy.Asked);
    }

    [Fact]
    public async Task While_the_interface_is_down_no_name_is_resolved_and_nothing_is_sent()
    {
        using var there = new UdpClient(new IPEndPoint(IPAddress.Loopback, 0));
        var port = ((IPEndPoint)there.Client.LocalEndPoint!).Port;
        var resolved = new ConcurrentBag<string>();
        var options = new TorrentOptions { Workers = 1, Bind = "gone0", Dht = false };
        var connected = 0;
        await using var engine = new TorrentEngine(
            options,
            TimeProvider.System,
            trackers: _ => new SocketsHttpHandler
            {
                ConnectCallback = (_, _) =>
                {
                    connected++;
                    throw new IOException("asked");
                },
            },
            resolver: Resolver(resolved));
        var link = $"magnet:?xt=urn:btih:{InfoHash.Of([7])}&tr=udp%3A%2F%2Flocalhost%3A{port}&tr=http%3A%2F%2Flocalhost%3A{port}%2Fannounce&x.pe=localhost%3A{port}";
        var torrent = engine.Add(MagnetLink.Read(link).Value!);
        await Until.TrueAsync(() => torrent.GetDetails().Trackers.Count(static tracker => tracker.State == TrackerState.Failed) == 2);
        Assert.All(torrent.GetDetails().Trackers, static tracker => Assert.Contains("gone0", tracker.Message, StringComparison.Ordinal));
        Assert.Empty(resolved);
        Assert.Equal((0, 0), (connected, there.Available));

        // The same resolver is asked once it may be: this counts them.
        engine.Apply(options with { Bind = null });
        torrent.Reannounce();
        await Until.TrueAsync(() => !resolved.IsEmpty && there.Available > 0);
    }

    [Fact]
    public async Task A_tracker_in_the_own_network_is_not_asked_for_through_a_proxy()
    {
        await using var proxy = new MockProxy();
        var rules = new OutboundRules(static _ => true, static host => host is "tracker.lan" or "127.0.0.1" ? $"{host} is refused" : null);
        var resolved = new ConcurrentBag<string>();
        await using var engine = new TorrentEngine(
            Proxied(ProxyKind.Socks5, proxy), TimeProvider.System, resolver: Resolver(resolved), rules: rules);
        var torrent = engine.Add(MagnetLink.Read(
            $"magnet:?xt=urn:btih:{InfoHash.Of([7])}&tr=http%3A%2F%2Ftracker.lan%2Fannounce&tr=udp%3A%2F%2Ftracker.lan%3A9"
                + "&tr=http%3A%2F%2F127.0.0.1%3A9%2Fannounce").Value!);
        await Until.TrueAsync(() => torrent.GetDetails().Trackers.Count(static tracker => tracker.State == TrackerState.Failed) == 3);
        Assert.All(
            torrent.GetDetails().Trackers, static tracker => Assert.EndsWith("is refused", tracker.Message, StringComparison.Ordinal));
        Assert.Empty(proxy.Asked);
        Assert.Empty(proxy.Named);
        Assert.Empty(resolved);
    }

    [Fact]
    public async Task A_peer_that_a_link_names_by_its_host_is_not_dialled_in_the_own_network()
    {
        using var there = new TcpListener(IPAddress.Loopback, 0);
        there.Start();
        var port = ((IPEndPoint)there.LocalEndpoint).Port;
        var asked = new ConcurrentBag<IPAddress>();
        var rules = new OutboundRules(
            address =>
            {
                asked.Add(address);
                return !IPAddress.IsLoopback(address);
            },
            static _ => null);
        await using var engine = new TorrentEngine(
            new TorrentOptions { Workers = 1, Dht = false, Listen = null }, TimeProvider.System, rules: rules);
        var torrent = engine.Add(MagnetLink.Read($"magnet:?xt=urn:btih:{InfoHash.Of([7])}&x.pe=localhost%3A{port}").Value!);
        await Until.TrueAsync(() => asked.Contains(IPAddress.Loopback));
        Assert.Equal(0, torrent.Swarm.Book.Known);
        Assert.False(there.Pending());
    }

    [Theory]
    [InlineData("socks5://host:1080", ProxyKind.Socks5, "host", 1_080, "", "")]
    [InlineData("socks5://host", ProxyKind.Socks5, "host", 1_080, "", "")]
    [InlineData("http://us%3Aer:p%40s:s@[2001:db8::1]:8080", ProxyKind.Http, "2001:db8::1", 8_080, "us:er", "p@s:s")]
    [InlineData("http://host", ProxyKind.Http, "host", 80, "", "")]
    public void A_proxy_address_is_parsed(string text, ProxyKind kind, string host, int port, string user, string password)
    {
        Assert.True(ProxyAddress.TryParse(text, out var proxy));
        Assert.Equal(new ProxyAddress(kind, host, port, user, password), proxy);
        Assert.DoesNotContain("p@s", proxy.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("socks4://host:1080")]
    [InlineData("host:1080")]
    [InlineData("http://host:1080/path")]
    [InlineData("socks5://")]
    public void An_invalid_proxy_address_is_refused(string text) => Assert.False(ProxyAddress.TryParse(text, out _));

    private static TorrentOptions Proxied(ProxyKind kind, MockProxy proxy) =>
        new() { Workers = 1, Dht = false, Proxy = new ProxyAddress(kind, "127.0.0.1", proxy.Port, "", "") };

    /// <summary>Resolves every name to loopback and records it.</summary>
    private static HostResolver Resolver(ConcurrentBag<string> resolved) => (host, _) =>
    {
        resolved.Add(host);
        return ValueTask.FromResult<IReadOnlyList<IPAddress>>([IPAddress.Loopback]);
    };
}
