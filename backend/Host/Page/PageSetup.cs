namespace NzbDav.Host.Page;

/// <summary>How the host takes the page in.</summary>
internal static class PageSetup
{
    public static IServiceCollection AddPage(this IServiceCollection services) => services.AddSingleton<PageFolder>().AddSingleton<PageRequests>();

    /// <summary>Goes in behind the access rules, so that the routes are known and the security headers set.</summary>
    public static IApplicationBuilder UsePage(this IApplicationBuilder app)
    {
        var page = app.ApplicationServices.GetRequiredService<PageRequests>();
        return app.Use(next => http => page.InvokeAsync(http, next));
    }
}
