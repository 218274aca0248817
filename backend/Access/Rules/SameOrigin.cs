using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Primitives;

namespace NzbDav.Access.Rules;

/// <summary>Checks the origin that a browser states for a request.</summary>
public static class SameOrigin
{
    /// <summary>False if a browser says that another site has made the request. Programs that are no browsers say nothing.</summary>
    public static bool Allows(HttpRequest request)
    {
        ArgumentNullException.ThrowIfNull(request);
        if (request.Headers["Sec-Fetch-Site"] is [{ } site])
            return site is "same-origin" or "none";
        return request.Headers.Origin is not [{ } origin] || IsOwn(origin, request.Host);
    }

    /// <summary>False if an <c>Origin</c> or <c>Referer</c> names another site, as qBittorrent reads them. Programs that send neither are let through.</summary>
    public static bool AllowsReferer(HttpRequest request)
    {
        ArgumentNullException.ThrowIfNull(request);
        return IsOwnOrAbsent(request.Headers.Origin, request.Host) && IsOwnOrAbsent(request.Headers.Referer, request.Host);
    }

    private static bool IsOwnOrAbsent(StringValues values, HostString host) => values is not [{ Length: > 0 } value] || IsOwn(value, host);

    /// <summary>The scheme is not compared: behind a proxy that ends TLS it differs. A port that is left out is the default of the origin's scheme.</summary>
    private static bool IsOwn(string origin, HostString host) =>
        Uri.TryCreate(origin, UriKind.Absolute, out var uri)
        && uri.Scheme is "http" or "https"
        && uri.Host.Equals(host.Host, StringComparison.OrdinalIgnoreCase)
        && uri.Port == (host.Port ?? (uri.Scheme == "https" ? 443 : 80));
}
