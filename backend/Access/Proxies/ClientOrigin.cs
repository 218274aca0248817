using System.Net;
using Microsoft.AspNetCore.Http;

namespace NzbDav.Access.Proxies;

/// <summary>Where a request came from, before and after what proxies say of it. A feature of the request.</summary>
/// <param name="Peer">Who is at the other end of the connection.</param>
/// <param name="IsTrustedProxy">The peer may tell by header whom it asks for.</param>
/// <param name="IsForwarded">By a trusted proxy: it named its client, and nothing stands between the two. By anybody else: the request has
/// the mark of a proxy.</param>
public sealed record ClientOrigin(IPAddress? Peer, bool IsTrustedProxy, bool IsForwarded)
{
    /// <summary>
    /// Beginnings of headers that only proxies and content networks send. <c>X-Original-</c>: of ASP.NET Core's own proxies.
    /// </summary>
    private static readonly string[] MarkPrefixes = ["X-Forwarded", "Forwarded", "CF-", "X-Original-"];

    private static readonly string[] MarkNames =
        ["Via", "X-Real-IP", "X-Client-IP", "X-Cluster-Client-IP", "True-Client-IP", "Fastly-Client-IP", "CDN-Loop",
            "X-Envoy-External-Address"];

    /// <summary>
    /// True when <see cref="ConnectionInfo.RemoteIpAddress"/> can be taken for the client's own: no sign of a proxy, or a trusted one that
    /// named it. A proxy that leaves no sign cannot be told from a client: see <see cref="Rules.NetworkTrust"/>.
    /// </summary>
    public bool IsCertain => IsTrustedProxy == IsForwarded;

    /// <summary>
    /// True for a request with the mark of a proxy. nginx up to 1.29 asks by HTTP/1.0 unless told otherwise, which clients of today do not.
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
    /// True if, behind a trusted proxy, there is another one that is not: more addresses are named than trusted proxies account for, or the
    /// request came through Cloudflare.
    /// </summary>
    internal static bool HasFurtherProxy(IHeaderDictionary headers) =>
        headers.ContainsKey("X-Forwarded-For")
            || headers.Keys.Any(static name => name.StartsWith("CF-", StringComparison.OrdinalIgnoreCase));
}
