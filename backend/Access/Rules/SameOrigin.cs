using System.Globalization;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Primitives;
using NzbDav.Access.Proxies;

namespace NzbDav.Access.Rules;

/// <summary>Checks the origin that a browser states for a request.</summary>
public static class SameOrigin
{
    /// <summary>False if a browser says that another site made the request. Programs other than browsers send no origin.</summary>
    public static bool Allows(HttpRequest request)
    {
        ArgumentNullException.ThrowIfNull(request);
        if (request.Headers["Sec-Fetch-Site"] is [{ } site])
            return site is "same-origin" or "none";
        return request.Headers.Origin is not [{ } origin] || IsOwn(origin, request);
    }

    /// <summary>
    /// False if an <c>Origin</c> or <c>Referer</c> names another site, as qBittorrent checks them. Requests with neither are allowed.
    /// </summary>
    public static bool AllowsReferer(HttpRequest request)
    {
        ArgumentNullException.ThrowIfNull(request);
        return IsOwnOrAbsent(request.Headers.Origin, request) && IsOwnOrAbsent(request.Headers.Referer, request);
    }

    private static bool IsOwnOrAbsent(StringValues values, HttpRequest request) =>
        values is not [{ Length: > 0 } value] || IsOwn(value, request);

    /// <summary>
    /// Does not compare the scheme: it differs behind a proxy that ends TLS. A missing port is the default of the origin's scheme, except
    /// behind a proxy that passes on only the name (<c>Host $host</c> of nginx): then only <c>X-Forwarded-Port</c>, if present, gives the
    /// browser's port. <c>X-Forwarded-Host</c> counts from any peer: a page of another site cannot make a browser send it.
    /// </summary>
    private static bool IsOwn(string origin, HttpRequest request)
    {
        if (!Uri.TryCreate(origin, UriKind.Absolute, out var uri) || uri.Scheme is not ("http" or "https"))
            return false;
        var usual = uri.Scheme == "https" ? 443 : 80;
        var isBehindProxy = request.HttpContext.Features.Get<ClientOrigin>() is { IsTrustedProxy: true } or { IsForwarded: true };
        int? forwardedPort = int.TryParse(
            request.Headers["X-Forwarded-Port"].ToString(), NumberStyles.None, CultureInfo.InvariantCulture, out var port)
            ? port
            : null;
        if (Matches(request.Host))
            return true;
        return request.Headers["X-Forwarded-Host"] is [{ Length: > 0 } forwarded]
            && Matches(new HostString(forwarded.Split(',')[0].Trim()));

        bool Matches(HostString host) => uri.Host.Equals(host.Host, StringComparison.OrdinalIgnoreCase)
            && (uri.Port == (host.Port ?? usual)
                || (isBehindProxy && host.Port is null && (forwardedPort is null || forwardedPort == uri.Port)));
    }
}
