using Microsoft.AspNetCore.Http;
using NzbDav.WebDav.Access;
using NzbDav.WebDav.Files;
using NzbDav.WebDav.Requests;
using NzbDav.WebDav.Store;
using NzbDav.WebDav.Streams;

namespace NzbDav.WebDav.View;

/// <summary>
/// Handles everything under <see cref="ViewLinks.Mount"/>: GET and HEAD of the file that the token names, with the same code as WebDAV.
/// Also accepts the addresses that another program gave its files, if that program's library was migrated.
/// </summary>
internal sealed class ViewMiddleware(
    IStore store, ViewLinks links, IMadeLinks? made, IOtherLinks? others, FileSender files, IAdmissionListener? listener)
{
    private static readonly PathString Mount = new(ViewLinks.Mount);

    public async Task InvokeAsync(HttpContext http, RequestDelegate next)
    {
        if (!http.Request.Path.StartsWithSegments(Mount, StringComparison.Ordinal, out var rest) && !OtherLinkReader.IsStream(http.Request))
        {
            await next(http);
            return;
        }

        if (!HttpMethods.IsGet(http.Request.Method) && !HttpMethods.IsHead(http.Request.Method))
        {
            http.Response.Headers.Allow = "GET, HEAD";
            Reply.RefuseBody(http);
            await Reply.Status(http, StatusCodes.Status405MethodNotAllowed);
            return;
        }

        var path = OtherLinkReader.Read(http.Request, rest) is { } other
            ? others is null ? null : await others.FindAsync(other.Path, other.Key, http.RequestAborted)
            : await ReadAsync(rest, http.RequestAborted);
        if (path is null || await store.GetItemAsync(path, http.RequestAborted) is not IStoreFile file)
        {
            await Reply.TextAsync(http, StatusCodes.Status404NotFound, "There is no such link.");
            return;
        }

        listener?.Admitted(http);

        // Keeps the link out of the logs of other sites.
        http.Response.Headers["Referrer-Policy"] = "no-referrer";
        await files.SendAsync(http, file, path, StreamOrigin.View);
    }

    /// <summary>The path of a valid link of this server; null: it is not valid.</summary>
    private async ValueTask<StorePath?> ReadAsync(PathString rest, CancellationToken cancellationToken)
    {
        var path = links.TryRead(TokenIn(rest), out var id);
        return path is null || id is null || (made is not null && await made.StandsAsync(id.Value, cancellationToken)) ? path : null;
    }

    private static ReadOnlySpan<char> TokenIn(PathString rest)
    {
        var token = rest.Value.AsSpan().TrimStart('/');
        var slash = token.IndexOf('/');
        return slash < 0 ? token : token[..slash];
    }
}

/// <summary>Addresses that another program wrote into .strm files. Thread-safe.</summary>
public interface IOtherLinks
{
    /// <summary>The file for an address; null: there is none.</summary>
    /// <param name="path">The path in the address, names joined by '/'.</param>
    /// <param name="key">The key in the address.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    ValueTask<StorePath?> FindAsync(string path, string key, CancellationToken cancellationToken);
}

/// <summary>Finds path and key in addresses of other programs: nzbdav's <c>/view/.ids/8/f/3/e/3/GUID?downloadKey=…</c>, altmount's
/// <c>/api/files/stream?path=…&amp;download_key=…</c>.</summary>
internal static class OtherLinkReader
{
    /// <summary>Longest path in an address; no library has longer ones.</summary>
    private const int LongestPath = 4096;

    private static readonly PathString Stream = new("/api/files/stream");

    /// <summary>True for an address in altmount's form.</summary>
    public static bool IsStream(HttpRequest request) => request.Path.Equals(Stream, StringComparison.Ordinal);

    /// <summary>Path and key; null for any other address.</summary>
    /// <param name="request">The request.</param>
    /// <param name="rest">The path after <see cref="ViewLinks.Mount"/>.</param>
    public static (string Path, string Key)? Read(HttpRequest request, PathString rest)
    {
        var (path, key) = IsStream(request) ? ((string?)request.Query["path"], (string?)request.Query["download_key"])
            : rest.StartsWithSegments("/.ids", StringComparison.Ordinal) ? (rest.Value, (string?)request.Query["downloadKey"])
            : (null, null);
        return path is { Length: > 0 and <= LongestPath } && key is { Length: > 0 and <= LongestPath } ? (path.Trim('/'), key) : null;
    }
}
