using System.Net;

namespace NzbDav.Torrents.Network;

/// <summary>Proxy of an HTTP client: that of the current route, or none.</summary>
/// <param name="sockets">Supplies the route.</param>
internal sealed class LiveProxy(PeerSockets sockets) : IWebProxy, ICredentials
{
    /// <summary>This object.</summary>
    public ICredentials? Credentials
    {
        get => this;
        set => throw new NotSupportedException();
    }

    /// <inheritdoc/>
    public Uri? GetProxy(Uri destination) => sockets.Route.Proxy?.Address;

    /// <inheritdoc/>
    public bool IsBypassed(Uri host) => sockets.Route.Proxy is null;

    /// <inheritdoc/>
    public NetworkCredential? GetCredential(Uri uri, string authType) => sockets.Route.Proxy is { User.Length: > 0 } proxy ? new NetworkCredential(proxy.User, proxy.Password) : null;
}
