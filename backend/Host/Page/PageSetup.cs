namespace NzbDav.Host.Page;

/// <summary>Adds the page to the host.</summary>
internal static class PageSetup
{
    public static IServiceCollection AddPage(this IServiceCollection services) => services.AddSingleton<PageFolder>().AddSingleton<PageRequests>();

    /// <summary>Runs after the access rules, so that routes are known and security headers are set.</summary>
    public static IApplicationBuilder UsePage(this IApplicationBuilder app)
    {
        var page = app.ApplicationServices.GetRequiredService<PageRequests>();
        return app.Use(next => http => page.InvokeAsync(http, next));
    }
}
