using System.Net;
using Microsoft.AspNetCore.Http;
using NzbDav.Access.Options;
using NzbDav.Access.Proxies;

namespace NzbDav.Access.Rules;

/// <summary>Recognises requests that are trusted because of their network. Thread-safe.</summary>
public static class TrustedNetworks
{
    private static readonly string[] LocalEndings = [".local", ".lan", ".home", ".internal", ".home.arpa", ".localhost"];

    /// <summary>True for a request that certainly comes from one of the networks, and under a name that only a local network knows.</summary>
    /// <param name="http">The request.</param>
    /// <param name="networks">Empty: none.</param>
    /// <param name="hosts">Names under which it may ask besides.</param>
    public static bool Include(HttpContext http, IReadOnlyList<IPNetwork> networks, IReadOnlyList<string> hosts)
    {
        ArgumentNullException.ThrowIfNull(http);
        ArgumentNullException.ThrowIfNull(networks);
        ArgumentNullException.ThrowIfNull(hosts);
        return networks.Count > 0
            && http.Features.Get<ClientOrigin>() is { IsCertain: true }
            && AccessOptions.Contains(networks, http.Connection.RemoteIpAddress)
            && IsLocalName(http.Request.Host.Host, hosts);
    }

    /// <summary>True for a request from this machine, under a name that only a local network knows.</summary>
    public static bool IsThisMachine(HttpContext http)
    {
        ArgumentNullException.ThrowIfNull(http);
        return ClientOrigin.IsLoopback(http) && HasLocalName(http);
    }

    /// <summary>True for a request under a name that only a local network knows.</summary>
    public static bool HasLocalName(HttpContext http)
    {
        ArgumentNullException.ThrowIfNull(http);
        return IsLocalName(http.Request.Host.Host, []);
    }

    /// <summary>
    /// A foreign page can make a browser in the network send requests under its own name (DNS rebinding); under an address, or a name that
    /// no public DNS knows, it cannot.
    /// </summary>
    private static bool IsLocalName(string host, IReadOnlyList<string> listed) =>
        (host.Length > 0 && !host.Contains('.', StringComparison.Ordinal))
        || IPAddress.TryParse(host, out _)
        || Array.Exists(LocalEndings, ending => host.EndsWith(ending, StringComparison.OrdinalIgnoreCase))
        || listed.Contains(host, StringComparer.OrdinalIgnoreCase);
}
