using System.Text;
using NzbDav.WebDav.Requests;
using NzbDav.WebDav.Store;

namespace NzbDav.WebDav.Methods;

/// <summary>
/// A small page with a collection's children, for browsers. Links are relative, so that they work behind any proxy. If the URL has no
/// trailing slash, they start with the collection's own name.
/// </summary>
internal static class CollectionIndex
{
    public static async Task SendAsync(WebDavRequest request, IStoreCollection collection, bool headersOnly)
    {
        var response = request.Http.Response;
        response.ContentType = "text/html; charset=utf-8";
        response.Headers.ContentSecurityPolicy = "default-src 'none'; style-src 'unsafe-inline'";
        response.Headers.XContentTypeOptions = "nosniff";
        if (headersOnly)
            return;

        using var output = new Utf8Output(response.BodyWriter);
        var title = request.Path.IsRoot ? "/" : request.Path.Name;
        var directory = Encoding.ASCII.GetBytes(Directory(request));
        output.Write("<!doctype html><html><head><meta charset=\"utf-8\"><title>"u8);
        output.WriteEscaped(title);
        output.Write("</title><style>body{font-family:sans-serif}td{padding:.1em 1em}</style></head><body><h1>"u8);
        output.WriteEscaped(title);
        output.Write("</h1><table>\n"u8);
        if (!request.Path.IsRoot)
            output.Write(request.Path.HasTrailingSlash
                ? "<tr><td><a href=\"../\">..</a></td></tr>\n"u8 : "<tr><td><a href=\"./\">..</a></td></tr>\n"u8);
        await foreach (var child in collection.GetChildrenAsync(request.Aborted))
        {
            output.Write("<tr><td><a href=\""u8);
            output.Write(directory);
            output.WritePercentEncoded(child.Name);
            output.Write(child.IsCollection ? "/\">"u8 : "\">"u8);
            output.WriteEscaped(child.Name);
            output.Write(child.IsCollection ? "/</a></td><td></td><td>"u8 : "</a></td><td>"u8);
            if (child is IStoreFile file)
            {
                output.WriteNumber(file.Length);
                output.Write("</td><td>"u8);
            }

            output.WriteHttpDate(child.ModifiedAt);
            output.Write("</td></tr>\n"u8);
            if (output.Pending >= Utf8Output.FlushSize && !await output.FlushAsync(request.Aborted))
                return;
        }

        output.Write("</table></body></html>\n"u8);
        await output.FlushAsync(request.Aborted);
    }

    /// <summary>
    /// The collection relative to the request's URL; begins with <c>./</c> or a name, so that no child looks like a scheme.
    /// </summary>
    private static string Directory(WebDavRequest request)
    {
        if (request.Path.HasTrailingSlash)
            return "./";
        var full = request.Root + request.Path;
        return string.Concat("./", full.AsSpan(full.LastIndexOf('/') + 1), "/");
    }
}
