using System.Net;
using System.Net.Sockets;
using NzbDav.Torrents.Datagrams;
using NzbDav.Torrents.Discovery.Dht;
using NzbDav.Torrents.Discovery.Local;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Network;
using NzbDav.Torrents.Scheduling;
using NzbDav.Torrents.Settings;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Discovery;

/// <summary>The sources of peers used by all torrents of an engine. Thread-safe.</summary>
internal sealed class PeerSearch : IAsyncDisposable
{
    private readonly HttpTrackerClient _http;
    private readonly IDatagramChannel _channel;
    private readonly UdpTrackerExchanges _exchanges;
    private readonly TrackerClient _trackers;
    private readonly LocalDiscovery _local;
    private readonly DhtNetwork _dht;

    /// <param name="context">State shared by the torrents.</param>
    /// <param name="channel">For UDP trackers and the DHT; owned.</param>
    /// <param name="handlers">For HTTP trackers: see <see cref="HttpTrackerClient"/>. Owned.</param>
    /// <param name="isDirect">True while no proxy is used.</param>
    /// <param name="resolver">Resolves UDP trackers.</param>
    /// <param name="names">Resolves the DHT's routers.</param>
    /// <param name="network">Opens a channel to the local network.</param>
    public PeerSearch(
        SwarmContext context, IDatagramChannel channel, IReadOnlyList<SocketsHttpHandler> handlers, Func<bool> isDirect,
        HostResolver resolver, HostResolver names, Func<ILocalChannel> network)
    {
        _channel = channel;
        _http = new HttpTrackerClient(handlers, isDirect, context.Time, context.Rules.RefusalOf);
        _exchanges = new UdpTrackerExchanges(channel, context.Time);
        _trackers = new TrackerClient(_http, new UdpTrackerClient(_exchanges, channel, resolver, context.Time, context.Rules.RefusalOf));
        _local = new LocalDiscovery(context.Time, () => context.Port, network);
        _dht = new DhtNetwork(
            channel,
            context.Time,
            () => new DhtSettings(context.Options.Dht, context.Options.DhtBootstrap, context.Options.CacheFolder, context.PublicPort),
            context.Port,
            names.Invoke);
        context.Dht = _dht;
        Switch(context.Options);
    }

    /// <summary>Our node in the DHT.</summary>
    public DhtNetwork Dht => _dht;

    /// <summary>Applies changed options.</summary>
    public void Apply(TorrentOptions options)
    {
        Switch(options);
        _dht.Apply();
    }

    /// <summary>Creates the finders of one torrent; the caller owns them.</summary>
    /// <param name="swarm">Receives the peers.</param>
    /// <param name="tiers">Addresses of its trackers by tier (BEP 12).</param>
    /// <param name="nodes">Nodes of the DHT listed in its .torrent.</param>
    /// <param name="isPrivate">True if the torrent is known to be private.</param>
    public IReadOnlyList<IPeerFinder> Find(
        Swarm swarm, IReadOnlyList<IReadOnlyList<Uri>> tiers, IReadOnlyList<EndPoint> nodes, bool isPrivate) => isPrivate
            ? [new TorrentTrackers(_trackers, swarm, tiers, isPrivate)]
            : [new TorrentTrackers(_trackers, swarm, tiers, isPrivate), new DhtFinder(_dht, swarm, nodes), new LocalFinder(_local, swarm)];

    /// <summary>True if local discovery is on and can be used: without a proxy, and not bound to one address or interface.</summary>
    public static bool UsesLocal(TorrentOptions options) => options is { LocalDiscovery: true, Bind: null, Proxy: null };

    /// <summary>
    /// Fetches the .torrent from the locations given in a magnet link, from all at once, while its peers are asked too. The first one found
    /// counts.
    /// </summary>
    /// <param name="swarm">The link's torrent.</param>
    /// <param name="sources">The locations.</param>
    /// <param name="complete">Receives the .torrent.</param>
    public async Task DescribeAsync(Swarm swarm, IReadOnlyList<Uri> sources, Action<Metainfo> complete)
    {
        try
        {
            var stopping = swarm.Stopping;
            var fetches = sources.Select(source => _http.FetchAsync(source, swarm.Hash, stopping));
            await foreach (var fetched in Task.WhenEach(fetches).WithCancellation(stopping))
            {
                if (swarm.Described.IsCompleted)
                    return;
                if (await fetched is not { } metainfo)
                    continue;
                complete(metainfo);
                return;
            }
        }
        catch (Exception error) when (error is OperationCanceledException or ObjectDisposedException or IOException)
        {
            // The torrent was closed meanwhile, or its data cannot be opened; that is tried again on the next use.
        }
    }

    /// <summary>Adds a peer that is given by a host name.</summary>
    public static async Task AddAsync(Swarm swarm, DnsEndPoint host)
    {
        try
        {
            var addresses = await Dns.GetHostAddressesAsync(host.Host, swarm.Stopping);
            swarm.AddPeers(addresses.Select(address => new IPEndPoint(address, host.Port)), PeerSources.Link);
        }
        catch (Exception error) when (error is SocketException or OperationCanceledException or ObjectDisposedException)
        {
            // A name that cannot be resolved is treated like a peer that does not answer.
        }
    }

    public async ValueTask DisposeAsync()
    {
        await _local.DisposeAsync();
        _dht.Dispose();
        _exchanges.Dispose();
        _channel.Dispose();
        _http.Dispose();
    }

    private void Switch(TorrentOptions options) => _local.Switch(UsesLocal(options));
}

/// <summary>One source of peers of a torrent. Owned by its <see cref="Torrent"/>; disposal ends the search. Thread-safe.</summary>
internal interface IPeerFinder : IAsyncDisposable
{
    /// <summary>The error, if no part of the source works; null if some part works or has not been tried yet.</summary>
    string? Trouble { get; }

    /// <summary>
    /// Starts the search. Called again when the info dictionary becomes known, which may give the torrent an alias: see
    /// <see cref="Swarm.Alias"/>.
    /// </summary>
    void Start();

    /// <summary>Requests peers now, or as soon as the source allows.</summary>
    void FindNow();

    /// <summary>
    /// Called when the torrent turns out to be private: its peers may come only from its tracker (BEP 27). All other sources end then.
    /// </summary>
    void Restrict();

    /// <summary>State of its sources.</summary>
    IReadOnlyList<TrackerStatus> List();
}
