using System.Net;
using Microsoft.AspNetCore.Http;

namespace NzbDav.Access.Proxies;

/// <summary>Where a request came from, before and after what proxies say of it. A feature of the request.</summary>
/// <param name="Peer">Who is at the other end of the connection.</param>
/// <param name="IsTrustedProxy">The peer may tell by header whom it asks for.</param>
/// <param name="IsForwarded">The request carried headers of a proxy, trusted or not.</param>
public sealed record ClientOrigin(IPAddress? Peer, bool IsTrustedProxy, bool IsForwarded)
{
    /// <summary>True when <see cref="ConnectionInfo.RemoteIpAddress"/> can be taken for the client's own: no proxy, or a trusted one that named it.</summary>
    public bool IsCertain => IsTrustedProxy == IsForwarded;

    /// <summary>True when the client runs on this machine, as far as can be told.</summary>
    public static bool IsLoopback(HttpContext http)
    {
        ArgumentNullException.ThrowIfNull(http);
        return http.Features.Get<ClientOrigin>() is { IsCertain: true } && http.Connection.RemoteIpAddress is { } address
            && IPAddress.IsLoopback(address.IsIPv4MappedToIPv6 ? address.MapToIPv4() : address);
    }
}
