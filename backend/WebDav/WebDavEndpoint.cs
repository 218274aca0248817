using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace NzbDav.WebDav;

/// <summary>How a host takes WebDAV in: <see cref="AddWebDav"/>, an <see cref="IStore"/>, an <see cref="ICredentialCheck"/>, <see cref="MapWebDav(IApplicationBuilder, string)"/>.</summary>
public static class WebDavEndpoint
{
    /// <summary>Registers the handlers and <see cref="FileSender"/>.</summary>
    public static IServiceCollection AddWebDav(this IServiceCollection services, Action<WebDavOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        services.AddOptions();
        if (configure is not null)
            services.Configure(configure);
        services.TryAddSingleton(TimeProvider.System);
        services.TryAddSingleton<FileSender>();
        services.TryAddSingleton(provider => new WebDavAuthentication(
            provider.GetRequiredService<IOptionsMonitor<WebDavOptions>>(),
            provider.GetRequiredService<TimeProvider>(),
            provider.GetRequiredService<ILogger<WebDavAuthentication>>(),
            provider.GetService<ICredentialCheck>()));

        // The table of methods; Allow lists them in this order.
        services.AddSingleton<IMethodHandler>(provider => new GetHandler(provider.GetRequiredService<FileSender>(), HttpMethods.Get));
        services.AddSingleton<IMethodHandler>(provider => new GetHandler(provider.GetRequiredService<FileSender>(), HttpMethods.Head));
        services.AddSingleton<IMethodHandler, PropFindHandler>();
        services.AddSingleton<IMethodHandler, PutHandler>();
        services.AddSingleton<IMethodHandler, DeleteHandler>();
        return services;
    }

    /// <summary>Serves the registered <see cref="IStore"/> under a path.</summary>
    /// <inheritdoc cref="MapWebDav(IApplicationBuilder, string, IStore)"/>
    public static IApplicationBuilder MapWebDav(this IApplicationBuilder app, string mount = "/dav")
    {
        ArgumentNullException.ThrowIfNull(app);
        return app.MapWebDav(mount, app.ApplicationServices.GetRequiredService<IStore>());
    }

    /// <summary>
    /// Serves a store under a path, and OPTIONS on all paths above it. Goes in after forwarded headers and <c>UsePathBase</c>, and before
    /// everything that redirects, sets cookies or compresses.
    /// </summary>
    /// <param name="app">The pipeline.</param>
    /// <param name="mount">Path below the URL base; <c>/</c> for all of it.</param>
    /// <param name="store">The tree.</param>
    public static IApplicationBuilder MapWebDav(this IApplicationBuilder app, string mount, IStore store)
    {
        ArgumentNullException.ThrowIfNull(app);
        ArgumentNullException.ThrowIfNull(store);
        var services = app.ApplicationServices;
        var middleware = new WebDavMiddleware(
            mount, store, services.GetServices<IMethodHandler>(), services.GetRequiredService<WebDavAuthentication>());
        return app.Use(next => http => middleware.InvokeAsync(http, next));
    }
}
