using System.Net;
using System.Net.Sockets;

namespace NzbDav.Content.Proxies;

/// <summary>
/// Requests a connection from a proxy over a socket connected to the proxy. Afterwards the socket carries that connection. The caller
/// closes the socket when anything fails.
/// </summary>
public static class ProxyClient
{
    /// <summary>Requests a connection. The proxy resolves host names: nothing is looked up here.</summary>
    /// <param name="socket">Connected to the proxy.</param>
    /// <param name="proxy">The proxy.</param>
    /// <param name="host">Name or address.</param>
    /// <param name="port">1 … 65535.</param>
    /// <param name="cancellationToken">Fires when the connection is no longer wanted.</param>
    /// <exception cref="ProxyException">It refused, closed the connection or violated its protocol.</exception>
    public static async ValueTask ConnectAsync(
        Socket socket, ProxyAddress proxy, string host, int port, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(socket);
        ArgumentNullException.ThrowIfNull(proxy);
        ArgumentNullException.ThrowIfNull(host);
        if (proxy.Kind == ProxyKind.Http)
            await HttpTunnel.OpenAsync(socket, proxy, host, port, cancellationToken);
        else
            await SocksDialog.RequestAsync(socket, proxy, SocksDialog.Connect, host, port, cancellationToken);
    }

    /// <summary>Asks a SOCKS 5 proxy to relay datagrams for as long as the socket is open.</summary>
    /// <param name="socket">Connected to the proxy.</param>
    /// <param name="proxy">The proxy.</param>
    /// <param name="own">The address that datagrams will be sent from.</param>
    /// <param name="cancellationToken">Fires when the relay is no longer wanted.</param>
    /// <returns>The address of the relay.</returns>
    /// <exception cref="ProxyException">It refused, closed the connection or violated its protocol.</exception>
    public static ValueTask<IPEndPoint> AssociateAsync(
        Socket socket, ProxyAddress proxy, IPEndPoint own, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(own);
        return SocksDialog.RequestAsync(socket, proxy, SocksDialog.Associate, own.Address.ToString(), own.Port, cancellationToken);
    }
}

/// <summary>
/// A proxy was reached but did not fulfil the request. The message names the proxy, without its password, and says what to do.
/// </summary>
/// <param name="fault">Why.</param>
/// <param name="message">For the user.</param>
/// <param name="inner">The underlying exception, if any.</param>
public sealed class ProxyException(ProxyFault fault, string message, Exception? inner = null) : IOException(message, inner)
{
    /// <summary>Why.</summary>
    public ProxyFault Fault => fault;
}

/// <summary>Why a proxy did not fulfil a request.</summary>
public enum ProxyFault
{
    /// <summary>It closed the connection, or speaks another protocol.</summary>
    Protocol,

    /// <summary>It requires a user name and password, rejects those given, or wants another way to sign in.</summary>
    Login,

    /// <summary>Its rules forbid the connection.</summary>
    Forbidden,

    /// <summary>It cannot reach the host, or cannot resolve its name.</summary>
    Unreachable,

    /// <summary>Anything else.</summary>
    Failed,
}
