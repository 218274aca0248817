using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using NzbDav.WebDav.Store;

namespace NzbDav.WebDav.Requests;

/// <summary>Reads paths from the raw request line, before the server decoded and normalised it.</summary>
internal static class RequestTarget
{
    /// <summary>The raw target.</summary>
    public static string Of(HttpContext http) =>
        http.Features.Get<IHttpRequestFeature>()?.RawTarget is { Length: > 0 } raw
            ? raw : (http.Request.PathBase + http.Request.Path).ToUriComponent();

    /// <summary>The store's path in a target.</summary>
    /// <param name="target">Origin form or absolute form.</param>
    /// <param name="rest">The rest of the decoded path after the mount, from routing: its slashes show how much of the target belongs to
    /// the store.</param>
    /// <returns>Null for a target that must be refused.</returns>
    public static StorePath? TryGetPath(ReadOnlySpan<char> target, ReadOnlySpan<char> rest)
    {
        // absolute-form = absolute-URI, "a server MUST accept the absolute-form in requests"
        if (!target.StartsWith('/'))
        {
            var authority = target.IndexOf("://", StringComparison.Ordinal);
            if (authority < 0)
                return null;
            target = target[(authority + 3)..];
            var slash = target.IndexOfAny("/?#");
            target = slash < 0 || target[slash] != '/' ? "/" : target[slash..];
        }

        var query = target.IndexOf('?');
        if (query >= 0)
            target = target[..query];

        // Routing has already resolved dot segments, so the target is refused if it has any.
        if (target.Contains('#') || HasDotSegment(target))
            return null;

        // The server does not decode %2F, so plain slashes of both forms correspond one to one.
        var at = target.Length;
        for (var left = rest.Count('/'); left > 0; left--)
        {
            at = target[..at].LastIndexOf('/');
            if (at < 0)
                return null;
        }

        // No name contains a slash: programs that encode a whole path at once mean a separator.
        var path = target[at..];
        if (path.Contains("%2F", StringComparison.OrdinalIgnoreCase))
            path = path.ToString().Replace("%2F", "/", StringComparison.OrdinalIgnoreCase);
        return HasDotSegment(path) ? null : StorePath.TryParse(path);
    }

    /// <summary>The whole path of a path-absolute URI; null if it must be refused.</summary>
    public static StorePath? TryGetWholePath(ReadOnlySpan<char> path)
    {
        var query = path.IndexOf('?');
        if (query >= 0)
            path = path[..query];
        return HasDotSegment(path) ? null : StorePath.TryParse(path);
    }

    private static bool HasDotSegment(ReadOnlySpan<char> path)
    {
        foreach (var range in path.Split('/'))
        {
            var segment = path[range];
            var dots = 0;
            while (!segment.IsEmpty)
            {
                var length = segment[0] == '.' ? 1 : segment.StartsWith("%2e", StringComparison.OrdinalIgnoreCase) ? 3 : 0;
                if (length == 0)
                    break;
                segment = segment[length..];
                dots++;
            }

            if (segment.IsEmpty && dots is 1 or 2)
                return true;
        }

        return false;
    }
}
