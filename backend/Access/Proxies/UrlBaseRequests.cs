using System.Text.Encodings.Web;
using Microsoft.AspNetCore.Http;
using NzbDav.Access.Options;

namespace NzbDav.Access.Proxies;

/// <summary>
/// Removes the URL base from the path. Paths outside it are not found, except <c>/health</c>, for probes, and OPTIONS above the base,
/// because WebDAV clients start at the server's root. Browsers are told where the page is.
/// </summary>
internal sealed class UrlBaseRequests(LiveAccess access)
{
    private static readonly PathString Health = new("/health");
    private static readonly PathString Root = new("/");

    public Task InvokeAsync(HttpContext http, RequestDelegate next)
    {
        var request = http.Request;
        var urlBase = access.Current.UrlBase;
        if (urlBase.HasValue)
        {
            if (request.Path.StartsWithSegments(urlBase, StringComparison.Ordinal, out var rest))
            {
                // A proxy may state the prefix and also leave it in the path: it counts once.
                request.PathBase = request.PathBase.Equals(urlBase, StringComparison.Ordinal) ? urlBase : request.PathBase.Add(urlBase);
                request.Path = rest;
            }
            else if (HttpMethods.IsOptions(request.Method)
                && urlBase.StartsWithSegments(request.Path.Value?.TrimEnd('/') ?? "", StringComparison.Ordinal))
            {
                request.Path = Root;
            }
            else if (!request.PathBase.Equals(urlBase, StringComparison.Ordinal)
                && !request.Path.StartsWithSegments(Health, StringComparison.Ordinal))
            {
                http.Response.StatusCode = StatusCodes.Status404NotFound;
                return IsBrowsing(request) ? ShowWayAsync(http, request.PathBase.Add(urlBase).Add(request.Path)) : Task.CompletedTask;
            }
        }

        // Links in a page are relative and need the trailing slash.
        if (!request.Path.HasValue && request.PathBase.HasValue
            && (HttpMethods.IsGet(request.Method) || HttpMethods.IsHead(request.Method)))
        {
            http.Response.Redirect(request.PathBase.Add(Root).ToUriComponent() + request.QueryString);
            return Task.CompletedTask;
        }

        return next(http);
    }

    /// <summary>
    /// What a person sees who opens an old bookmark, or reloads the page after the base was set. A link and no redirect: behind a proxy
    /// that removes the base without saying so a redirect would come back here for ever.
    /// </summary>
    private static Task ShowWayAsync(HttpContext http, PathString path)
    {
        var address = HtmlEncoder.Default.Encode(path.ToUriComponent() + http.Request.QueryString);
        http.Response.ContentType = "text/html; charset=utf-8";
        return http.Response.WriteAsync(
            $"<!doctype html><html lang=\"en\"><title>NzbDav</title><h1>NzbDav is at another address</h1><p>Its URL base is set: open " +
            $"<a href=\"{address}\">{address}</a>.</p></html>", http.RequestAborted);
    }

    /// <summary>True for a page that a person opens: browsers alone ask for HTML by name.</summary>
    private static bool IsBrowsing(HttpRequest request) =>
        HttpMethods.IsGet(request.Method)
        && request.Headers.Accept.Any(static accept => accept?.Contains("text/html", StringComparison.OrdinalIgnoreCase) == true);
}
