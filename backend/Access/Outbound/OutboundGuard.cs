using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using NzbDav.Content.Dialling;

namespace NzbDav.Access.Outbound;

/// <summary>
/// Opens connections to addresses that others have chosen (in a call, a .torrent, a redirect). Refuses private networks and the networks of
/// this machine unless the host is allowed: a client that may add jobs must not reach the network behind this server. Checks the address of
/// the actual connection, so neither a name nor a redirect bypasses the check. Thread-safe.
/// </summary>
/// <param name="allowed">Hosts in private networks that may be connected to: names, addresses, networks such as 192.168.1.0/24; <c>*</c>
/// for all. Evaluated for each connection.</param>
/// <param name="setting">Name of the setting with these hosts, for the message.</param>
/// <param name="refused">Called with the message for each refused host, once; null: nothing is reported.</param>
/// <param name="own">Decides which addresses are private; null: the networks that the system reports.</param>
public sealed class OutboundGuard(
    Func<IReadOnlyList<string>> allowed, string setting, Action<string>? refused = null, OwnNetworks? own = null)
{
    /// <summary>Most hosts reported. Without a limit a list of invented trackers would fill the log.</summary>
    private const int MaxReportedHosts = 100;

    private readonly OwnNetworks _own = own ?? new OwnNetworks();
    private readonly ConcurrentDictionary<string, bool> _reported = new(StringComparer.OrdinalIgnoreCase);

    /// <summary>A handler whose connections all go through the guard, including those of redirects. The caller disposes of it.</summary>
    /// <param name="connect">Connects to the first of these addresses that answers; null: <see cref="Dialler.Shared"/>.</param>
    public SocketsHttpHandler CreateHandler(Func<IReadOnlyList<IPAddress>, int, CancellationToken, ValueTask<Socket>>? connect = null) =>
        new()
        {
            ConnectCallback = (context, cancellationToken) => ConnectAsync(context, connect, cancellationToken),
            MaxAutomaticRedirections = 5,

            // The guard would see the proxy's address instead of the one behind it.
            UseProxy = false,
            ConnectTimeout = TimeSpan.FromSeconds(15),
        };

    /// <summary>Connects, for <see cref="SocketsHttpHandler.ConnectCallback"/>.</summary>
    /// <exception cref="RefusedAddressException">All addresses of the host are in private networks, and it is not allowed.</exception>
    public ValueTask<Stream> ConnectAsync(SocketsHttpConnectionContext context, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(context);
        return ConnectAsync(context, connect: null, cancellationToken);
    }

    private async ValueTask<Stream> ConnectAsync(
        SocketsHttpConnectionContext context, Func<IReadOnlyList<IPAddress>, int, CancellationToken, ValueTask<Socket>>? connect,
        CancellationToken cancellationToken)
    {
        var usable = await FindAsync(context.DnsEndPoint.Host, cancellationToken);
        var socket = await (connect ?? Dialler.Shared.ConnectAsync)(usable, context.DnsEndPoint.Port, cancellationToken);
        return new NetworkStream(socket, ownsSocket: true);
    }

    /// <summary>The permitted addresses of a host, for protocols without connections (UDP).</summary>
    /// <param name="host">A name, or an address as text.</param>
    /// <param name="cancellationToken">Cancels the lookup.</param>
    /// <exception cref="RefusedAddressException">All addresses of the host are in private networks, and it is not allowed.</exception>
    /// <exception cref="SocketException">The name is not known.</exception>
    public async ValueTask<IReadOnlyList<IPAddress>> ResolveAsync(string host, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(host);
        return await FindAsync(host, cancellationToken);
    }

    /// <summary>True for an address that is reached only because its host is allowed.</summary>
    public bool IsPrivate(IPAddress address) => _own.Contain(address);

    /// <summary>True if a peer of a torrent may be connected to, whatever the source of its address.</summary>
    public bool AllowsPeer(IPAddress address) => !_own.ContainPeer(address) || Allows(address);

    /// <summary>
    /// Why a host must not be requested through a proxy that resolves names itself; null: it may be. Resolves nothing here, because that
    /// would tell this machine's DNS what the proxy is to hide: private addresses and names of a local network are recognised by their
    /// text.
    /// </summary>
    public string? RefusalOf(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        var host = Plain(name);
        var isPrivate = IPAddress.TryParse(host, out var literal)
            ? _own.Contain(literal) && !Allows(literal) : OwnNetworks.IsLocalName(host);
        return isPrivate && !Allows(host) ? Refuse(host).Message : null;
    }

    /// <summary>Removes brackets: a URL has them around an IPv6 address, other places often not.</summary>
    private static string Plain(string host) => host.Trim('[', ']');

    private async ValueTask<IPAddress[]> FindAsync(string name, CancellationToken cancellationToken)
    {
        var host = Plain(name);
        var addresses = IPAddress.TryParse(host, out var literal) ? [literal] : await Dns.GetHostAddressesAsync(host, cancellationToken);
        var usable = Allows(host) ? addresses : Array.FindAll(addresses, address => !_own.Contain(address) || Allows(address));
        return usable.Length > 0 ? usable : throw Refuse(host);
    }

    private RefusedAddressException Refuse(string host)
    {
        var message = $"{host} is in a private network: allow it with {setting}={host}";
        if (refused is not null && _reported.Count < MaxReportedHosts && _reported.TryAdd(host, true))
            refused(message);
        return new RefusedAddressException(message);
    }

    private bool Allows(string host)
    {
        foreach (var one in allowed())
        {
            if (one == "*" || Plain(one).Equals(host, StringComparison.OrdinalIgnoreCase))
                return true;
        }

        return false;
    }

    private bool Allows(IPAddress address)
    {
        var plain = PrivateNetworks.Plain(address);
        foreach (var one in allowed())
        {
            if (one == "*" || (IPAddress.TryParse(Plain(one), out var single) && PrivateNetworks.Plain(single).Equals(plain))
                || (IPNetwork.TryParse(one, out var network) && network.Contains(plain)))
                return true;
        }

        return false;
    }
}

/// <summary>
/// An address must not be connected to. <see cref="HttpClient"/> wraps this exception; its message is for people and names the setting that
/// allows the host.
/// </summary>
public sealed class RefusedAddressException(string message) : IOException(message);
