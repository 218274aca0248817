using System.Net;
using Microsoft.AspNetCore.Http;

namespace NzbDav.Access.Proxies;

/// <summary>Where a request came from, before and after the headers of proxies. A feature of the request.</summary>
/// <param name="Peer">The other end of the connection.</param>
/// <param name="IsTrustedProxy">True if the peer may name its client by header.</param>
/// <param name="IsForwarded">For a trusted proxy: it named its client, with no other proxy between the two. For any other peer: the request
/// has the mark of a proxy.</param>
public sealed record ClientOrigin(IPAddress? Peer, bool IsTrustedProxy, bool IsForwarded)
{
    /// <summary>
    /// Prefixes of headers that only proxies and content networks send. <c>X-Original-</c> comes from ASP.NET Core's own proxies.
    /// </summary>
    private static readonly string[] MarkPrefixes = ["X-Forwarded", "Forwarded", "CF-", "X-Original-"];

    private static readonly string[] MarkNames =
        ["Via", "X-Real-IP", "X-Client-IP", "X-Cluster-Client-IP", "True-Client-IP", "Fastly-Client-IP", "CDN-Loop",
            "X-Envoy-External-Address"];

    /// <summary>
    /// True when <see cref="ConnectionInfo.RemoteIpAddress"/> is the client's own address as far as known: no sign of a proxy, or a trusted
    /// proxy that named the client. A proxy without a sign cannot be distinguished from a client: see <see cref="Rules.NetworkTrust"/>.
    /// </summary>
    public bool IsCertain => IsTrustedProxy == IsForwarded;

    /// <summary>
    /// True for a request with the mark of a proxy. By default nginx up to 1.29 uses HTTP/1.0, which current clients do not.
    /// </summary>
    internal static bool HasMark(HttpRequest request)
    {
        if (HttpProtocol.IsHttp10(request.Protocol))
            return true;
        foreach (var (name, _) in request.Headers)
        {
            if (Array.Exists(MarkPrefixes, prefix => name.StartsWith(prefix, StringComparison.OrdinalIgnoreCase))
                || MarkNames.Contains(name, StringComparer.OrdinalIgnoreCase))
                return true;
        }

        return false;
    }

    /// <summary>
    /// True if there is an untrusted proxy behind a trusted one: more addresses are named than trusted proxies account for, or the request
    /// came through Cloudflare.
    /// </summary>
    internal static bool HasFurtherProxy(IHeaderDictionary headers) =>
        headers.ContainsKey("X-Forwarded-For")
            || headers.Keys.Any(static name => name.StartsWith("CF-", StringComparison.OrdinalIgnoreCase));
}
