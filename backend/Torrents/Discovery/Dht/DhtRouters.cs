using System.Net;
using System.Net.Sockets;
using NzbDav.Torrents.Datagrams;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Discovery.Dht;

/// <summary>
/// The nodes by which we enter the network. A name is looked up here, or left to whoever relays the datagrams: then its address is learned from its first reply. Used under the DHT's lock,
/// except <see cref="FindAsync"/>.
/// </summary>
/// <param name="channel">Says who looks names up.</param>
/// <param name="settings">Asked at each use.</param>
/// <param name="resolver">Finds addresses; throws what a <c>HostResolver</c> does.</param>
internal sealed class DhtRouters(IDatagramChannel channel, Func<DhtSettings> settings, Func<string, CancellationToken, ValueTask<IReadOnlyList<IPAddress>>> resolver)
{
    /// <summary>The routers of the big clients: they know nodes, and nothing else.</summary>
    private static readonly string[] Public = ["router.bittorrent.com:6881", "dht.transmissionbt.com:6881", "dht.libtorrent.org:25401", "router.utorrent.com:6881"];

    private HashSet<DatagramAddress> _addresses = [];
    private HashSet<DnsEndPoint> _names = [];

    /// <summary>They are being looked up.</summary>
    public bool IsResolving { get; private set; }

    /// <summary>Gives a search those whose address is known, and those whose name can be sent to.</summary>
    public void Seed(DhtLookup lookup)
    {
        foreach (var address in _addresses.Where(address => address.Family == lookup.Family.Family))
            lookup.Add(address, id: null);
        if (!channel.CarriesNames)
            return;
        foreach (var name in _names)
            lookup.Add(name);
    }

    /// <summary>It is one of them, as far as is known: no place for it in the table.</summary>
    public bool Contains(DatagramAddress address) => _addresses.Contains(address);

    /// <summary>A name has answered: from now on it is asked at its address.</summary>
    /// <param name="name">As it was sent to.</param>
    /// <param name="from">Where the reply came from; none if the relay did not say.</param>
    public void Learn(DnsEndPoint name, DatagramAddress from)
    {
        if (from.IsUsable && _names.Remove(name))
            _addresses.Add(from);
    }

    /// <summary>Has them looked up, unless that is under way.</summary>
    /// <returns>True if the caller is to call <see cref="FindAsync"/>.</returns>
    public bool Begin()
    {
        if (IsResolving)
            return false;
        return IsResolving = true;
    }

    /// <summary>Looks them up; takes no lock. Give the result to <see cref="Use"/>.</summary>
    public async Task<IReadOnlyList<EndPoint>> FindAsync(CancellationToken cancellationToken)
    {
        var hosts = settings().Bootstrap is { Count: > 0 } configured ? configured : Public;
        return [.. (await Task.WhenAll(hosts.Select(host => ResolveAsync(host, cancellationToken)))).SelectMany(static found => found)];
    }

    /// <summary>These are they from here on.</summary>
    public void Use(IReadOnlyList<EndPoint> routers)
    {
        IsResolving = false;
        _addresses = [.. routers.OfType<IPEndPoint>().Select(static router => new DatagramAddress(router)).Where(static address => address.IsUsable)];
        _names = [.. routers.OfType<DnsEndPoint>()];
    }

    private async Task<IEnumerable<EndPoint>> ResolveAsync(string host, CancellationToken cancellationToken)
    {
        try
        {
            return PeerAddress.Parse(host) switch
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
