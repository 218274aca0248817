using System.Net;
using Microsoft.AspNetCore.Http;
using NzbDav.Access.Options;
using NzbDav.Access.Outbound;
using NzbDav.Access.Proxies;

namespace NzbDav.Access.Rules;

/// <summary>
/// Decides, for every interface, whether a request is trusted because of its network. The address alone does not prove it: with a reverse
/// proxy that adds no header, all requests seem to come from the proxy's own machine. So the user must have named the host by which the
/// network calls, or declared that there is no proxy. Thread-safe.
/// </summary>
public sealed class NetworkTrust(LiveAccess access)
{
    /// <summary>True for a request that comes from one of the networks.</summary>
    /// <param name="http">The request.</param>
    /// <param name="networks">Empty: none.</param>
    public bool Includes(HttpContext http, IReadOnlyList<IPNetwork> networks)
    {
        ArgumentNullException.ThrowIfNull(http);
        ArgumentNullException.ThrowIfNull(networks);
        return networks.Count > 0 && AccessOptions.Contains(networks, http.Connection.RemoteIpAddress) && IsVouchedFor(http);
    }

    /// <summary>True for a request from this machine.</summary>
    public bool IsThisMachine(HttpContext http)
    {
        ArgumentNullException.ThrowIfNull(http);
        return IsLoopback(http) && IsVouchedFor(http);
    }

    /// <summary>
    /// True for a caller of the demo without a password: from this machine or, if the demo is open to all, from anywhere, and by a host
    /// name that only a local network knows. The demo holds nothing worth protecting from a proxy's clients, so proxies are not excluded.
    /// </summary>
    internal static bool IsDemoCaller(HttpContext http, bool isOpenToAll) =>
        (isOpenToAll || (http.Features.Get<ClientOrigin>() is { IsCertain: true } && IsLoopback(http)))
            && IsLocalName(http.Request.Host.Host);

    private static bool IsLoopback(HttpContext http) =>
        http.Connection.RemoteIpAddress is { } address && IPAddress.IsLoopback(address.IsIPv4MappedToIPv6 ? address.MapToIPv4() : address);

    /// <summary>
    /// False for names that public DNS knows: a foreign page can make a browser in the network send requests to this server by such a name
    /// (DNS rebinding), but not by an address or a local name.
    /// </summary>
    private static bool IsLocalName(string host) => OwnNetworks.IsLocalName(host) || IPAddress.TryParse(host, out _);

    /// <summary>True if the address is the client's, according to the user's settings.</summary>
    private bool IsVouchedFor(HttpContext http)
    {
        if (http.Features.Get<ClientOrigin>() is not { IsCertain: true } origin)
            return false;
        var (options, host) = (access.Current, http.Request.Host.Host);
        return options.LanHosts.Contains(host, StringComparer.OrdinalIgnoreCase)
            || ((options.NoProxy || origin.IsTrustedProxy) && IsLocalName(host));
    }
}
