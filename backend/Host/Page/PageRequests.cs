namespace NzbDav.Host.Page;

/// <summary>
/// Serves the page and its files at every address that no other route has: the page routes its own addresses. Runs after routing. Requests
/// that do not accept HTML, such as those of programs, get a 404 instead of the page, and so do all requests below the server's other
/// interfaces.
/// </summary>
internal sealed class PageRequests(PageFolder folder)
{
    /// <summary>The one route that the page replaces: its form is for servers without a built page.</summary>
    private static readonly PathString Setup = new("/setup");

    // Addresses of other interfaces: never the page, whatever follows.
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

/// <summary>Adds the page to the host.</summary>
internal static class PageSetup
{
    public static IServiceCollection AddPage(this IServiceCollection services) =>
        services.AddSingleton<PageFolder>().AddSingleton<PageRequests>();

    /// <summary>Runs after the access rules, so that routes are known and security headers are set.</summary>
    public static IApplicationBuilder UsePage(this IApplicationBuilder app)
    {
        var page = app.ApplicationServices.GetRequiredService<PageRequests>();
        return app.Use(next => http => page.InvokeAsync(http, next));
    }
}
