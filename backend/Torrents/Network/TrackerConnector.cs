using System.Net;
using System.Net.Sockets;

namespace NzbDav.Torrents.Network;

/// <summary>Makes HTTP clients connect by the engine's route, and through its proxy if it has one.</summary>
/// <param name="sockets">Creates the connections to a proxy.</param>
/// <param name="connect">Creates the other connections.</param>
internal sealed class TrackerConnector(
    PeerSockets sockets, Func<IReadOnlyList<IPAddress>, int, CancellationToken, ValueTask<Socket>> connect)
{
    /// <summary>Makes a handler connect by the route.</summary>
    /// <param name="handler">If it has a connect callback, that callback makes the connections that use no proxy.</param>
    public void Attach(SocketsHttpHandler handler)
    {
        var own = handler.ConnectCallback ?? ConnectAsync;
        handler.UseProxy = true;
        handler.Proxy = new LiveProxy(sockets);
        handler.ConnectCallback = (context, cancellationToken) => ChooseAsync(own, context, cancellationToken);
    }

    /// <summary>Connects without a proxy, by the current route.</summary>
    private async ValueTask<Stream> ConnectAsync(SocketsHttpConnectionContext context, CancellationToken cancellationToken)
    {
        var host = context.DnsEndPoint.Host.Trim('[', ']');
        var addresses = IPAddress.TryParse(host, out var literal) ? [literal] : await Dns.GetHostAddressesAsync(host, cancellationToken);
        return new NetworkStream(await connect(addresses, context.DnsEndPoint.Port, cancellationToken), ownsSocket: true);
    }

    private async ValueTask<Stream> ChooseAsync(
        Func<SocketsHttpConnectionContext, CancellationToken, ValueTask<Stream>> own, SocketsHttpConnectionContext context,
        CancellationToken cancellationToken)
    {
        var route = sockets.Route;

        // Checked before a name is resolved.
        if (route.Trouble is { } trouble)
            throw new IOException(trouble);
        if (route.Proxy is not { } proxy)
            return await own(context, cancellationToken);

        // The client read the proxy setting before the setting changed. The direct connection that it requests is no longer allowed.
        if (!context.DnsEndPoint.Host.Trim('[', ']').Equals(proxy.Host, StringComparison.OrdinalIgnoreCase)
            || context.DnsEndPoint.Port != proxy.Port)
            throw new IOException("The proxy has changed.");
        return new NetworkStream(await ProxyConnector.ReachAsync(sockets, proxy, cancellationToken), ownsSocket: true);
    }
}

/// <summary>The proxy of an HTTP client: that of the current route, or none.</summary>
/// <param name="sockets">Supplies the route.</param>
internal sealed class LiveProxy(PeerSockets sockets) : IWebProxy, ICredentials
{
    /// <summary>This object.</summary>
    public ICredentials? Credentials
    {
        get => this;
        set => throw new NotSupportedException();
    }

    public Uri? GetProxy(Uri destination) => sockets.Route.Proxy?.Address;

    public bool IsBypassed(Uri host) => sockets.Route.Proxy is null;

    public NetworkCredential? GetCredential(Uri uri, string authType) =>
        sockets.Route.Proxy is { User.Length: > 0 } proxy ? new NetworkCredential(proxy.User, proxy.Password) : null;
}
