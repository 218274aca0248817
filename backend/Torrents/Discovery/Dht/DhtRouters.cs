using System.Net;
using System.Net.Sockets;
using NzbDav.Torrents.Datagrams;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Discovery.Dht;

/// <summary>
/// The nodes through which we enter the network. Their names are resolved on this machine, or by a proxy for datagrams; with a proxy, a
/// router's address becomes known with its first answer. Used under the DHT's lock, except <see cref="FindAsync"/> and <c>ResolveAsync</c>.
/// </summary>
/// <param name="channel">Tells whether a proxy resolves names.</param>
/// <param name="settings">Read at each use.</param>
/// <param name="resolver">Resolves names. Throws the exceptions of a <c>HostResolver</c>.</param>
internal sealed class DhtRouters(
    IDatagramChannel channel, Func<DhtSettings> settings, Func<string, CancellationToken, ValueTask<IReadOnlyList<IPAddress>>> resolver)
{
    /// <summary>
    /// Public routers, which only know nodes. Those of BitTorrent and µTorrent have been silent since spring 2026. BitTorrent's is still
    /// asked, because it has returned before.
    /// </summary>
    private static readonly string[] Public =
        ["dht.libtorrent.org:25401", "dht.transmissionbt.com:6881", "router.bt.ouinet.work:6881", "router.bittorrent.com:6881"];

    private HashSet<DatagramAddress> _addresses = [];
    private HashSet<DnsEndPoint> _names = [];

    /// <summary>True while the routers' names are being resolved.</summary>
    public bool IsResolving { get; private set; }

    /// <summary>Adds to a search the routers with known addresses, and those that can be reached by name.</summary>
    public void Seed(DhtLookup lookup)
    {
        foreach (var address in _addresses.Where(address => address.Family == lookup.Family.Family))
            lookup.Add(address, id: null);
        if (!channel.CarriesNames)
            return;
        foreach (var name in _names)
            lookup.Add(name);
    }

    /// <summary>True for a known router. Routers do not belong into the table.</summary>
    public bool Contains(DatagramAddress address) => _addresses.Contains(address);

    /// <summary>Stores the address of a router known by name, after its answer. From then on it is asked at that address.</summary>
    /// <param name="name">The name that the query was sent to.</param>
    /// <param name="from">Sender of the answer; the default value if the proxy did not report it.</param>
    public void Resolved(DnsEndPoint name, DatagramAddress from)
    {
        if (from.IsUsable && _names.Remove(name))
            _addresses.Add(from);
    }

    /// <summary>Marks the routers' names as being resolved, unless they already are.</summary>
    /// <returns>True if the caller must call <see cref="FindAsync"/>.</returns>
    public bool Begin()
    {
        if (IsResolving)
            return false;
        return IsResolving = true;
    }

    /// <summary>Resolves the routers' names; takes no lock. Pass the result to <see cref="Use"/>.</summary>
    public async Task<IReadOnlyList<EndPoint>> FindAsync(CancellationToken cancellationToken)
    {
        var hosts = settings().Bootstrap is { Count: > 0 } configured ? configured : Public;
        return await ResolveAsync(hosts.Select(PeerAddress.Parse), cancellationToken);
    }

    /// <summary>Resolves other nodes in the same way. Those that cannot be resolved are left out.</summary>
    public async Task<IReadOnlyList<EndPoint>> ResolveAsync(IEnumerable<EndPoint?> hosts, CancellationToken cancellationToken) =>
        [.. (await Task.WhenAll(hosts.Select(host => ResolveAsync(host, cancellationToken)))).SelectMany(static found => found)];

    /// <summary>Sets the resolved routers.</summary>
    public void Use(IReadOnlyList<EndPoint> routers)
    {
        IsResolving = false;
        _addresses = [
            .. routers.OfType<IPEndPoint>().Select(static router => new DatagramAddress(router)).Where(static address => address.IsUsable)];
        _names = [.. routers.OfType<DnsEndPoint>()];
    }

    private async Task<IEnumerable<EndPoint>> ResolveAsync(EndPoint? host, CancellationToken cancellationToken)
    {
        try
        {
            return host switch
            {
                IPEndPoint address => [address],
                DnsEndPoint name when channel.CarriesNames => [name],
                DnsEndPoint name => (await resolver(name.Host, cancellationToken)).Select(address => new IPEndPoint(address, name.Port)),
                _ => [],
            };
        }
        catch (Exception error) when (error is SocketException or IOException or OperationCanceledException or ObjectDisposedException)
        {
            return [];
        }
    }
}
