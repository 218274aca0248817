using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using NzbDav.Content.Proxies;
using NzbDav.Fakes;
using NzbDav.Torrents.Datagrams;
using NzbDav.Torrents.Discovery.Dht;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Network;
using NzbDav.Torrents.Settings;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Tests.Network;

/// <summary>The DHT behind a proxy, over real sockets on loopback.</summary>
public sealed class ProxiedDhtTests : IDisposable
{
    private const int AnnouncedPort = 7_000;

    private static readonly NodeId Torrent = NodeId.Of(InfoHash.Of([1, 2, 3]));
    private readonly ConcurrentBag<string> _resolved = [];
    private readonly UdpChannel _channel = new(new IPEndPoint(IPAddress.Loopback, 0), TimeProvider.System);
    private readonly DhtNetwork _router;

    public ProxiedDhtTests() => _router = Node(_channel, AnnouncedPort);

    private int Port => _channel.PortOf(AddressFamily.InterNetwork);

    public void Dispose()
    {
        _router.Dispose();
        _channel.Dispose();
    }

    [Fact]
    public async Task Behind_a_SOCKS_proxy_the_proxy_resolves_the_router_name()
    {
        await WakeAsync();
        await using var proxy = new MockProxy();
        proxy.Names["router.invalid"] = new IPEndPoint(IPAddress.Loopback, Port);
        using var sockets = new PeerSockets(static () => default, new FixedAddresses(), TimeProvider.System);
        using var channel = new SocksChannel(
            sockets, new ProxyAddress(ProxyKind.Socks5, "127.0.0.1", proxy.Port, "", ""), TimeProvider.System);
        using var node = Node(channel, tcpPort: 0, $"router.invalid:{Port}");

        // The relay need not exist yet: the search waits for it.
        var peers = new ConcurrentBag<IPEndPoint>();
        Assert.InRange(await node.SearchAsync(Torrent, Take, default), 1, 100);
        Assert.Equal([new IPEndPoint(IPAddress.Loopback, AnnouncedPort)], peers.Distinct());
        Assert.True(node.Status.IsBootstrapped);
        Assert.Empty(_resolved);
        Assert.All(proxy.Named, named => Assert.Equal($"router.invalid:{Port}", named));

        // The address is learned from the first reply: the name is not asked for again.
        var named = proxy.Named.Count;
        Assert.InRange(await node.SearchAsync(Torrent, Take, default), 1, 100);
        Assert.Equal(named, proxy.Named.Count);

        void Take(IReadOnlyList<IPEndPoint> found)
        {
            foreach (var peer in found)
                peers.Add(peer);
        }
    }

    [Fact]
    public async Task Without_a_proxy_the_router_name_is_resolved_locally()
    {
        await WakeAsync();
        using var channel = new UdpChannel(new IPEndPoint(IPAddress.Loopback, 0), TimeProvider.System);
        using var node = Node(channel, tcpPort: 0, $"router.invalid:{Port}");
        Assert.InRange(await node.SearchAsync(Torrent, static _ => { }, default), 1, 100);
        Assert.Equal(["router.invalid"], _resolved.Distinct());
    }

    [Fact]
    public async Task Behind_an_HTTP_proxy_the_DHT_reports_that_it_cannot_run()
    {
        await using var proxy = new MockProxy();
        var options = new TorrentOptions
        {
            Workers = 1,
            Dht = true,
            DhtBootstrap = [$"127.0.0.1:{Port}"],
            LocalDiscovery = false,
            Proxy = new ProxyAddress(ProxyKind.Http, "127.0.0.1", proxy.Port, "", "")
        };
        await using var engine = new TorrentEngine(options, TimeProvider.System);
        var torrent = engine.Add(MagnetLink.Read($"magnet:?xt=urn:btih:{InfoHash.Of([7])}").Value!);
        await Until.TrueAsync(() => torrent.GetDetails().Sources.Any(static row =>
            row is { Source: PeerSources.Dht, State: TrackerState.Failed }
                && row.Message!.Contains("through an HTTP proxy", StringComparison.Ordinal)));
        Assert.Empty(proxy.Asked);
    }

    /// <summary>The router starts with its first search, and a peer announces itself to it.</summary>
    private async Task WakeAsync()
    {
        using var other = new UdpChannel(new IPEndPoint(IPAddress.Loopback, 0), TimeProvider.System);
        using var peer = Node(other, AnnouncedPort, $"127.0.0.1:{Port}");
        await _router.SearchAsync(NodeId.Random(), static _ => { }, default);
        var announced = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _router.Watch(Torrent, _ => announced.TrySetResult());
        Assert.InRange(await peer.SearchAsync(Torrent, static _ => { }, default), 1, 100);
        await announced.Task.WaitAsync(TimeSpan.FromSeconds(30));
    }

    private DhtNetwork Node(IDatagramChannel channel, int tcpPort, params string[] routers)
    {
        // The router itself knows nobody but itself.
        string[] bootstrap = routers is [] ? [$"127.0.0.1:{Port}"] : routers;
        return new DhtNetwork(channel, TimeProvider.System, () => new DhtSettings(true, bootstrap, null), tcpPort, (host, _) =>
        {
            _resolved.Add(host);
            return ValueTask.FromResult<IReadOnlyList<IPAddress>>([IPAddress.Loopback]);
        });
    }
}
