namespace NzbDav.Host.Page;

/// <summary>
/// The page and its files, at every address that nothing else has: the page tells its addresses apart by itself. Goes in behind routing. Of what does not look for
/// HTML, as programs do, nothing gets the page instead of a 404, and neither does anything below the addresses of the server's other doors.
/// </summary>
internal sealed class PageRequests(PageFolder folder)
{
    /// <summary>The one route that gives way to the page: its form is for those who have none.</summary>
    private static readonly PathString Setup = new("/setup");

    // Not of the page, whatever stands behind it.
    private static readonly PathString[] Others = ["/api", "/dav", "/view", "/sabnzbd", "/metrics", "/health", "/signin", "/assets"];

    public Task InvokeAsync(HttpContext http, RequestDelegate next)
    {
        var request = http.Request;
        if (!HttpMethods.IsGet(request.Method) && !HttpMethods.IsHead(request.Method))
            return next(http);
        if (http.GetEndpoint() is not null && request.Path != Setup)
            return next(http);
        var isRoot = request.Path == "/";
        if (!isRoot && folder.Known?.Find(request.Path.Value ?? "") is { } file)
            return PageSender.SendFileAsync(http, file);
        if (!isRoot && !IsOfThePage(request))
            return next(http);
        if (folder.Current is { } bundle)
            return PageSender.SendIndexAsync(http, bundle);
        return isRoot ? PageSender.SendHintAsync(http) : next(http);
    }

    private static bool IsOfThePage(HttpRequest request) =>
        HttpMethods.IsGet(request.Method)
        && request.Headers.Accept.ToString().Contains("text/html", StringComparison.OrdinalIgnoreCase)
        && !Array.Exists(Others, other => request.Path.StartsWithSegments(other, StringComparison.OrdinalIgnoreCase));
}
