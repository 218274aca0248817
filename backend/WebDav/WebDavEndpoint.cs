using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using NzbDav.Content.Secrets;
using NzbDav.WebDav.Access;
using NzbDav.WebDav.Files;
using NzbDav.WebDav.Locks;
using NzbDav.WebDav.Methods;
using NzbDav.WebDav.Properties;
using NzbDav.WebDav.Requests;
using NzbDav.WebDav.Store;
using NzbDav.WebDav.Streams;
using NzbDav.WebDav.View;

namespace NzbDav.WebDav;

/// <summary>
/// Adds WebDAV to a host: <see cref="AddWebDav"/>, an <see cref="IStore"/>, an <see cref="ICredentialCheck"/>, <see cref="MapWebDav"/>.
/// </summary>
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
        services.TryAddSingleton<ActiveStreams>();
        services.TryAddSingleton<FileSender>();
        services.TryAddSingleton(provider => new AttemptMemory(
            provider.GetRequiredService<TimeProvider>(), Options(provider).Value.MaxFailures, Options(provider).Value.FailureWindow));
        services.TryAddSingleton(provider => new WebDavAuthentication(
            provider.GetRequiredService<IOptionsMonitor<WebDavOptions>>(),
            provider.GetRequiredService<AttemptMemory>(),
            provider.GetRequiredService<ILogger<WebDavAuthentication>>(),
            provider.GetService<ICredentialCheck>(),
            provider.GetService<IAdmissionListener>()));

        services.TryAddSingleton(provider => new LockTable(provider.GetRequiredService<TimeProvider>()));
        services.TryAddSingleton(provider => new LockDesk(
            provider.GetRequiredService<LockTable>(), provider.GetService<ILockBook>(), provider.GetRequiredService<TimeProvider>(),
            provider.GetRequiredService<ILogger<LockDesk>>()));
        services.AddHostedService(static provider => provider.GetRequiredService<LockDesk>());
        services.TryAddSingleton(provider => new WriteGuard(provider.GetRequiredService<LockTable>()));

        // The methods; Allow lists them in this order.
        services.AddSingleton<IMethodHandler>(provider => new GetHandler(provider.GetRequiredService<FileSender>(), HttpMethods.Get));
        services.AddSingleton<IMethodHandler>(provider => new GetHandler(provider.GetRequiredService<FileSender>(), HttpMethods.Head));
        AddHandler(
            services, provider => new PropFindHandler(provider.GetRequiredService<LockTable>(), provider.GetService<IDeadProperties>()));
        AddHandler(
            services, provider => new PropPatchHandler(provider.GetRequiredService<WriteGuard>(), provider.GetService<IDeadProperties>()));
        AddHandler(services, provider =>
            new PutHandler(provider.GetRequiredService<WriteGuard>(), Options(provider), provider.GetService<IDeadProperties>()));
        AddHandler(services, provider => new DeleteHandler(
            provider.GetRequiredService<WriteGuard>(), provider.GetRequiredService<LockDesk>(), Options(provider),
            provider.GetService<IDeadProperties>()));
        AddHandler(services, provider =>
            new MkColHandler(provider.GetRequiredService<WriteGuard>(), Options(provider), provider.GetService<IDeadProperties>()));
        foreach (var method in (string[])[TransferHandler.Copy, TransferHandler.Move])
        {
            AddHandler(services, provider => new TransferHandler(
                method, provider.GetRequiredService<WriteGuard>(), provider.GetRequiredService<LockDesk>(), Options(provider),
                provider.GetService<IDeadProperties>()));
        }

        AddHandler(services, provider => new LockHandler(
            provider.GetRequiredService<LockDesk>(), provider.GetRequiredService<LockTable>(), provider.GetRequiredService<WriteGuard>(),
            Options(provider), provider.GetService<IDeadProperties>()));
        AddHandler(services, provider => new UnlockHandler(provider.GetRequiredService<LockDesk>()));
        return services;
    }

    /// <summary>
    /// Serves the registered <see cref="IStore"/> under a path, and OPTIONS and PROPFIND on all paths above it. Must come after forwarded
    /// headers and <c>UsePathBase</c>, and before all middleware that redirects, sets cookies or compresses.
    /// </summary>
    /// <param name="app">The pipeline.</param>
    /// <param name="mount">Path below the URL base; <c>/</c> for all of it.</param>
    /// <param name="atRoot">Top-level names of the tree that are also served at the root; the root must have no other items of these
    /// names.</param>
    public static IApplicationBuilder MapWebDav(this IApplicationBuilder app, string mount = "/dav", params IReadOnlyList<string> atRoot)
    {
        ArgumentNullException.ThrowIfNull(app);
        ArgumentNullException.ThrowIfNull(atRoot);
        var services = app.ApplicationServices;
        var middleware = new WebDavMiddleware(
            new DavMounts(mount, atRoot), services.GetRequiredService<IStore>(), services.GetServices<IMethodHandler>(),
            services.GetRequiredService<WebDavAuthentication>());
        return app.Use(next => http => middleware.InvokeAsync(http, next));
    }

    /// <summary>
    /// Also serves the contents of a collection at the root, read-only: <c>/tv/JOB</c> is <c>/content/tv/JOB</c>. Must come last: it
    /// handles only requests that no endpoint and no middleware before it handled.
    /// </summary>
    /// <param name="app">The pipeline.</param>
    /// <param name="collection">A top-level collection of the tree. Only the contents of its subcollections are served.</param>
    public static IApplicationBuilder MapWebDavBelow(this IApplicationBuilder app, string collection)
    {
        ArgumentNullException.ThrowIfNull(app);
        var services = app.ApplicationServices;
        var store = new StoreBelow(services.GetRequiredService<IStore>(), collection);
        IMethodHandler[] readers =
        [
            .. services.GetServices<IMethodHandler>().Where(
                static handler => handler.Method is PropFindHandler.Name
                    || HttpMethods.IsGet(handler.Method) || HttpMethods.IsHead(handler.Method)),
        ];
        var middleware = new WebDavMiddleware(
            new DavMounts("/", []), store, readers, services.GetRequiredService<WebDavAuthentication>());
        return app.Use(next => async http =>
        {
            var isRead = Array.Exists(readers, handler => handler.Method == http.Request.Method);
            await (isRead && http.GetEndpoint() is null && await store.IsForAsync(http) ? middleware.InvokeAsync(http, next) : next(http));
        });
    }

    /// <summary>
    /// Serves single files of the registered <see cref="IStore"/> to clients with a link of the registered <see cref="ViewLinks"/>, or with
    /// one that the registered <see cref="IOtherLinks"/> knows. A link that a person or a key created works only while the registered
    /// <see cref="IMadeLinks"/> allows it. Independent of <see cref="MapWebDav"/>.
    /// </summary>
    public static IApplicationBuilder MapViewLinks(this IApplicationBuilder app)
    {
        ArgumentNullException.ThrowIfNull(app);
        var services = app.ApplicationServices;
        var middleware = new ViewMiddleware(
            services.GetRequiredService<IStore>(),
            services.GetRequiredService<ViewLinks>(),
            services.GetService<IMadeLinks>(),
            services.GetService<IOtherLinks>(),
            services.GetRequiredService<FileSender>(),
            services.GetService<IAdmissionListener>());
        return app.Use(next => http => middleware.InvokeAsync(http, next));
    }

    private static void AddHandler(IServiceCollection services, Func<IServiceProvider, IMethodHandler> make) => services.AddSingleton(make);

    private static IOptions<WebDavOptions> Options(IServiceProvider provider) => provider.GetRequiredService<IOptions<WebDavOptions>>();
}
