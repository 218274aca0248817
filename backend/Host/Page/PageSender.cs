using System.Net;
using Microsoft.Net.Http.Headers;
using NzbDav.Access.Proxies;

namespace NzbDav.Host.Page;

/// <summary>Sends the files of the page.</summary>
internal static class PageSender
{
    private const string NoncePlace = "<meta name=\"nonce\" content=\"\"";
    private const string HeadPlace = "<head>";

    /// <summary>
    /// Sends index.html, adapted to this response: with the base address for its relative links, and the nonce for its styles. Browsers
    /// must not cache it, because an old nonce does not match a new header.
    /// </summary>
    public static Task SendIndexAsync(HttpContext http, PageBundle bundle)
    {
        var nonce = PagePolicy.AllowStyles(http);
        var root = WebUtility.HtmlEncode(http.Request.PathBase.Add("/").ToUriComponent());
        var page = bundle.Index.Replace(HeadPlace, $"{HeadPlace}<base href=\"{root}\">", StringComparison.Ordinal)
            .Replace(NoncePlace, $"<meta name=\"nonce\" content=\"{nonce}\"", StringComparison.Ordinal);
        return SendHtmlAsync(http, page);
    }

    /// <summary>The answer while the page is not built.</summary>
    public static Task SendHintAsync(HttpContext http) => SendHtmlAsync(
        http,
        """
        <!doctype html>
        <html lang="en">
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>NzbDav</title>
        <h1>NzbDav</h1>
        <p>The server runs. Its page has not been built, because Node.js 20.19 or newer with npm was not found when the server was built.</p>
        <p>Install <a href="https://nodejs.org">Node.js</a>, stop the server and start it again with <code>dotnet run --project backend</code>: this builds the page.
        The container image has it already.</p>
        <p>Everything else works: <a href="dav/">WebDAV</a>, the API, the command line. Create the first user <a href="setup">here</a>, with the token from the server's log.</p>

        """);

    /// <summary>Sends a file: the smallest copy that the client accepts, or 304 if it has it.</summary>
    public static Task SendFileAsync(HttpContext http, PageFile file)
    {
        var headers = http.Response.Headers;
        var coding = file.Brotli is not null && Accepts(http.Request, "br")
            ? "br" : file.Gzip is not null && Accepts(http.Request, "gzip") ? "gzip" : null;
        var tag = new EntityTagHeaderValue(coding is null ? $"\"{file.Hash}\"" : $"\"{file.Hash}-{coding}\"");
        headers.ETag = tag.ToString();
        headers.CacheControl = file.IsImmutable ? "public, max-age=31536000, immutable" : "no-cache";
        if (file.Brotli is not null || file.Gzip is not null)
            headers.Vary = HeaderNames.AcceptEncoding;
        if (http.Request.GetTypedHeaders().IfNoneMatch.Any(
            known => known.Equals(EntityTagHeaderValue.Any) || known.Compare(tag, useStrongComparison: false)))
        {
            http.Response.StatusCode = StatusCodes.Status304NotModified;
            return Task.CompletedTask;
        }

        http.Response.ContentType = file.ContentType;
        var (path, length) = coding switch
        {
            "br" => (file.Path + ".br", file.Brotli!.Value),
            "gzip" => (file.Path + ".gz", file.Gzip!.Value),
            _ => (file.Path, file.Length),
        };
        if (coding is not null)
            headers.ContentEncoding = coding;
        http.Response.ContentLength = length;
        return HttpMethods.IsHead(http.Request.Method)
            ? Task.CompletedTask : http.Response.SendFileAsync(path, 0, length, http.RequestAborted);
    }

    private static Task SendHtmlAsync(HttpContext http, string page)
    {
        http.Response.ContentType = "text/html; charset=utf-8";
        http.Response.Headers.CacheControl = "no-store";
        return http.Response.WriteAsync(page, http.RequestAborted);
    }

    // RFC 9110, 12.5.3: a weight of 0 means "not acceptable".
    private static bool Accepts(HttpRequest request, string coding) =>
        request.GetTypedHeaders().AcceptEncoding.Any(
            accepted => accepted.Value.Equals(coding, StringComparison.OrdinalIgnoreCase) && accepted.Quality is not 0);
}
