using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using NzbDav.Content.Dialling;

namespace NzbDav.Access.Outbound;

/// <summary>
/// Opens connections to addresses that others have chosen (in a call, a .torrent, a redirect), but none into a private network or one
/// of this machine's own unless its host is allowed: a client that may add jobs must not reach the network behind this server. Looks at
/// the address that is connected to, so neither a name nor a redirect gets around it. Thread-safe.
/// </summary>
/// <param name="allowed">
/// Hosts in private networks that may be connected to: names, addresses, networks such as 192.168.1.0/24; <c>*</c> for all. Asked for each
/// connection.
/// </param>
/// <param name="setting">What they are set by: for the message.</param>
/// <param name="refused">Told the message for each host that is refused, once; null: nobody is.</param>
/// <param name="own">What counts as private; null: what the system reports.</param>
public sealed class OutboundGuard(
    Func<IReadOnlyList<string>> allowed, string setting, Action<string>? refused = null, OwnNetworks? own = null)
{
    /// <summary>The most hosts that are reported; further ones are not, or a list of invented trackers would fill the log.</summary>
    private const int MaxReportedHosts = 100;

    private readonly OwnNetworks _own = own ?? new OwnNetworks();
    private readonly ConcurrentDictionary<string, bool> _reported = new(StringComparer.OrdinalIgnoreCase);

    /// <summary>A handler all of whose connections go through the guard, those of redirects too. To be disposed by the caller.</summary>
    /// <param name="connect">Connects to the first of these addresses that answers; null = <see cref="Dialler.Shared"/>.</param>
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

    /// <summary>The addresses of a host that may be sent to, for what does not connect (UDP).</summary>
    /// <param name="host">A name, or an address as text.</param>
    /// <param name="cancellationToken">Ends the search.</param>
    /// <exception cref="RefusedAddressException">All addresses of the host are in private networks, and it is not allowed.</exception>
    /// <exception cref="SocketException">The name is not known.</exception>
    public async ValueTask<IReadOnlyList<IPAddress>> ResolveAsync(string host, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(host);
        return await FindAsync(host, cancellationToken);
    }

    /// <summary>True for an address that is reached only because its host is allowed.</summary>
    public bool IsPrivate(IPAddress address) => _own.Contain(address);

    /// <summary>True if a peer of a torrent may be connected to, whoever has named its address.</summary>
    public bool AllowsPeer(IPAddress address) => !_own.ContainPeer(address) || Allows(address);

    /// <summary>
    /// Why a host must not be asked for through a proxy that looks up names itself; null: it may be. Nothing is looked up here, which would
    /// tell this machine's DNS what the proxy is to hide: a private address and a name of a local network are recognised as they are
    /// written.
    /// </summary>
    public string? RefusalOf(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        var host = Plain(name);
        var isPrivate = IPAddress.TryParse(host, out var literal)
            ? _own.Contain(literal) && !Allows(literal) : OwnNetworks.IsLocalName(host);
        return isPrivate && !Allows(host) ? Refuse(host).Message : null;
    }

    /// <summary>An IPv6 address is written in brackets in a URL, and often without elsewhere.</summary>
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

/// <summary>An address that must not be connected to. <see cref="HttpClient"/> wraps it; its message is for people and names the setting
/// that allows the host.</summary>
public sealed class RefusedAddressException(string message) : IOException(message);
