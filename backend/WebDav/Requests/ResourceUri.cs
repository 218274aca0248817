using System.Globalization;
using Microsoft.AspNetCore.Http;
using NzbDav.WebDav.Store;

namespace NzbDav.WebDav.Requests;

/// <summary>URIs in headers (Destination, If): absolute or path-absolute, of this server and below the mount.</summary>
internal static class ResourceUri
{
    /// <summary>The store's path for a URI.</summary>
    /// <param name="request">Has host and mount.</param>
    /// <param name="uri">As the client sent it.</param>
    /// <param name="elsewhere">True if the URI is valid but refers to another server, or another part of this one.</param>
    /// <returns>Null if it refers to nothing here.</returns>
    public static StorePath? TryParse(WebDavRequest request, ReadOnlySpan<char> uri, out bool elsewhere)
    {
        elsewhere = false;
        uri = uri.Trim(" \t");
        if (!uri.StartsWith('/'))
        {
            var authority = uri.IndexOf("://", StringComparison.Ordinal);
            if (authority <= 0)
                return null;
            var scheme = uri[..authority];
            var rest = uri[(authority + 3)..];
            var slash = rest.IndexOf('/');
            var host = slash < 0 ? rest : rest[..slash];
            uri = slash < 0 ? "/" : rest[slash..];

            // The scheme is not compared: behind a proxy that ends TLS it differs.
            if (!SameHost(request.Http.Request, host[(host.LastIndexOf('@') + 1)..], scheme))
            {
                elsewhere = true;
                return null;
            }
        }

        if (RequestTarget.TryGetWholePath(uri) is not { } path)
            return null;
        var (found, depth) = ((StorePath?)null, -1);
        var above = WebDavRequest.BaseOf(request.Http);
        foreach (var mount in request.Mounts.Roots)
        {
            // Use the longest match: /dav/dav/x is not a folder "dav" of the tree.
            var root = StorePath.TryParse(above + mount)!;
            if (root.Segments.Length <= depth || (!path.Equals(root) && !path.IsBelow(root)))
                continue;
            var named = path.Rebase(root, StorePath.Root);
            if (request.Mounts.Serves(mount, named))
                (found, depth) = (named, root.Segments.Length);
        }

        elsewhere = found is null;
        return found;
    }

    /// <summary>
    /// Compares with the request's host, or the one that a proxy states. Behind a proxy that passes on only the name (<c>Host $host</c> of
    /// nginx), <c>X-Forwarded-Port</c> gives the port; without it any port matches. Not a security check: a client that may write chooses
    /// the destination itself.
    /// </summary>
    private static bool SameHost(HttpRequest request, ReadOnlySpan<char> host, ReadOnlySpan<char> scheme)
    {
        if (Same(request.Host.Value, host, scheme))
            return true;
        foreach (var forwarded in request.Headers["X-Forwarded-Host"].ToString().Split(','))
        {
            if (Same(forwarded.AsSpan().Trim(), host, scheme))
                return true;
        }

        return request.Host.Port is null && IsForwarded(request) && HostString.FromUriComponent(host.ToString()) is var named
            && named.Host.Equals(request.Host.Host, StringComparison.OrdinalIgnoreCase)
            && (request.Headers["X-Forwarded-Port"] is not [{ Length: > 0 } port]
                || port == named.Port?.ToString(CultureInfo.InvariantCulture));
    }

    private static bool Same(ReadOnlySpan<char> asked, ReadOnlySpan<char> host, ReadOnlySpan<char> scheme) =>
        WithoutPort(host, scheme).Equals(WithoutPort(asked, scheme), StringComparison.OrdinalIgnoreCase);

    // By now, applied headers of a trusted proxy are renamed to X-Original-.
    private static bool IsForwarded(HttpRequest request) => request.Headers.Keys.Any(static name =>
        name.StartsWith("X-Forwarded-", StringComparison.OrdinalIgnoreCase)
        || name.StartsWith("X-Original-", StringComparison.OrdinalIgnoreCase)
        || name.Equals("X-Real-IP", StringComparison.OrdinalIgnoreCase) || name.Equals("Forwarded", StringComparison.OrdinalIgnoreCase)
        || name.Equals("Via", StringComparison.OrdinalIgnoreCase));

    /// <summary>Removes the default port of the scheme.</summary>
    private static ReadOnlySpan<char> WithoutPort(ReadOnlySpan<char> host, ReadOnlySpan<char> scheme)
    {
        var port = scheme.Equals("https", StringComparison.OrdinalIgnoreCase) ? ":443" : ":80";
        return host.EndsWith(port, StringComparison.Ordinal) ? host[..^port.Length] : host;
    }
}
