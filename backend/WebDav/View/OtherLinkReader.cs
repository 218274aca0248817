using Microsoft.AspNetCore.Http;

namespace NzbDav.WebDav.View;

/// <summary>Finds path and key in addresses of other programs: nzbdav's <c>/view/.ids/8/f/3/e/3/GUID?downloadKey=…</c>, altmount's <c>/api/files/stream?path=…&amp;download_key=…</c>.</summary>
internal static class OtherLinkReader
{
    /// <summary>Longer paths than this are in no library.</summary>
    private const int LongestPath = 4096;

    private static readonly PathString Stream = new("/api/files/stream");

    /// <summary>True for an address of altmount's, whatever it opens.</summary>
    public static bool IsStream(HttpRequest request) => request.Path.Equals(Stream, StringComparison.Ordinal);

    /// <summary>Path and key; null if it is no such address.</summary>
    /// <param name="request">The request.</param>
    /// <param name="rest">What follows <see cref="ViewLinks.Mount"/>.</param>
    public static (string Path, string Key)? Read(HttpRequest request, PathString rest)
    {
        var (path, key) = IsStream(request) ? ((string?)request.Query["path"], (string?)request.Query["download_key"])
            : rest.StartsWithSegments("/.ids", StringComparison.Ordinal) ? (rest.Value, (string?)request.Query["downloadKey"])
            : (null, null);
        return path is { Length: > 0 and <= LongestPath } && key is { Length: > 0 and <= LongestPath } ? (path.Trim('/'), key) : null;
    }
}
