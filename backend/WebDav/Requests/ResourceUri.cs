using Microsoft.AspNetCore.Http;
using NzbDav.WebDav.Store;

namespace NzbDav.WebDav.Requests;

/// <summary>URIs inside headers (Destination, If): absolute or path-absolute, of this server and below the mount.</summary>
internal static class ResourceUri
{
    /// <summary>The store's path that a URI means.</summary>
    /// <param name="request">Tells host and mount.</param>
    /// <param name="uri">As the client sent it.</param>
    /// <param name="elsewhere">True if the URI is sound but means another server, or another part of this one.</param>
    /// <returns>Null if it means nothing here.</returns>
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

        if (RequestTarget.TryGetWholePath(uri) is not { } path || StorePath.TryParse(request.Root) is not { } root)
            return null;
        elsewhere = !path.Equals(root) && !path.IsBelow(root);
        return elsewhere ? null : path.Rebase(root, StorePath.Root);
    }

    private static bool SameHost(HttpRequest request, ReadOnlySpan<char> host, ReadOnlySpan<char> scheme)
    {
        var asked = request.Host.Value.AsSpan();
        return WithoutPort(host, scheme).Equals(WithoutPort(asked, scheme), StringComparison.OrdinalIgnoreCase);
    }

    /// <summary>The default port of the scheme is the same as none.</summary>
    private static ReadOnlySpan<char> WithoutPort(ReadOnlySpan<char> host, ReadOnlySpan<char> scheme)
    {
        var port = scheme.Equals("https", StringComparison.OrdinalIgnoreCase) ? ":443" : ":80";
        return host.EndsWith(port, StringComparison.Ordinal) ? host[..^port.Length] : host;
    }
}
