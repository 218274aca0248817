using Microsoft.AspNetCore.Authentication.OpenIdConnect;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.DataProtection;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using NzbDav.Access.Accounts;
using NzbDav.Access.Attempts;
using NzbDav.Access.Connections;
using NzbDav.Access.Keys;
using NzbDav.Access.Oidc;
using NzbDav.Access.Options;
using NzbDav.Access.Outbound;
using NzbDav.Access.Proxies;
using NzbDav.Access.Replies;
using NzbDav.Access.Rules;
using NzbDav.Access.Secrets;
using NzbDav.Access.Sessions;
using NzbDav.Access.Users;

namespace NzbDav.Access;

/// <summary>
/// How a host takes sign-in in: <see cref="AddAccess"/>, <see cref="LimitUnauthenticated"/>, then <see cref="UseProxies"/> before
/// everything,
/// <see cref="UseAccess"/> behind WebDAV, and <see cref="MapAccess"/>. Needs the catalog's <c>UserStore</c> and <c>SessionStore</c>,
/// <see cref="ApiKeys"/>, <see cref="LiveAccess"/> and an <see cref="Content.Secrets.AttemptMemory"/>.
/// </summary>
public static class AccessSetup
{
    /// <summary>Registers everything.</summary>
    /// <param name="services">Where.</param>
    /// <param name="keyFolder">Where the keys that seal cookies are kept.</param>
    /// <param name="facts">What pages are told of the server; null: nothing.</param>
    /// <param name="keySecret">Encrypts these keys; null: they lie there in clear.</param>
    public static IServiceCollection AddAccess(
        this IServiceCollection services, string keyFolder, ServerFacts? facts = null, string? keySecret = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        services.TryAddSingleton(TimeProvider.System);
        services.TryAddSingleton<OwnNetworks>();
        services.AddSingleton<UserAccounts>().AddSingleton<AttemptGate>().AddSingleton<KeyGate>().AddSingleton<SetupToken>()
            .AddSingleton<SignIn>().AddSingleton<SessionRegistry>();
        services.AddSingleton(facts ?? new ServerFacts("")).AddSingleton(provider => new PasswordAgain(
            provider.GetRequiredService<SignIn>(),
            provider.GetRequiredService<UserAccounts>(),
            provider.GetRequiredService<IDataProtectionProvider>(),
            provider.GetRequiredService<TimeProvider>()));
        services.AddSingleton<LinkMakers>().AddSingleton<NetworkTrust>().AddSingleton<CallerFinder>().AddSingleton<AccessGuard>();
        services.AddSingleton(provider =>
            new LongLivedCaller(provider.GetRequiredService<CallerFinder>(), provider.GetRequiredService<IServiceScopeFactory>()));
        services.AddSingleton(provider => new ConnectionSlots(
            address => AccessOptions.Contains(provider.GetRequiredService<LiveAccess>().Current.TrustedProxies, address),
            provider.GetRequiredService<TimeProvider>(),
            provider.GetRequiredService<ILogger<ConnectionSlots>>(),
            provider.GetService<UnauthenticatedLimits>()));
        services.AddSingleton<ForwardedRequests>().AddSingleton<UrlBaseRequests>().AddSingleton<SecurityHeaders>()
            .AddSingleton<NativeErrors>();
        services.AddSingleton<OidcBackchannel>().AddSingleton<OidcDiscovery>().AddSingleton<OidcGate>();
        services.AddSingleton<IConfigureOptions<OpenIdConnectOptions>, OidcScheme>();

        services.AddDataProtection().SetApplicationName("NzbDav")
            .AddKeyManagementOptions(options => options.XmlRepository = new KeyRingFolder(keyFolder, keySecret));

        // It warns that the keys lie there in clear, also where this folder encrypts them.
        services.AddLogging(
            logging => logging.AddFilter("Microsoft.AspNetCore.DataProtection.KeyManagement.XmlKeyManager", LogLevel.Error));

        services.AddAntiforgery(options =>
        {
            options.HeaderName = SessionCookie.TokenHeader;
            options.Cookie.Name = "nzbdav.csrf";
            options.Cookie.SecurePolicy = CookieSecurePolicy.SameAsRequest;
            options.SuppressXFrameOptionsHeader = true;
        });

        // No default scheme: nothing looks at cookies but routes with a rule.
        services.AddAuthentication()
            .AddCookie(SessionCookie.Scheme, SessionCookie.Configure)
            .AddRemoteScheme<OpenIdConnectOptions, OidcHandler>(OidcPaths.Scheme, displayName: null, configureOptions: null);
        services.TryAddEnumerable(
            ServiceDescriptor.Singleton<IPostConfigureOptions<OpenIdConnectOptions>, OpenIdConnectPostConfigureOptions>());

        // What fails is explained by ours; the handler's own lines quote tokens and codes.
        services.AddLogging(logging => logging.AddFilter(typeof(OidcHandler).FullName, LogLevel.None));
        return services;
    }

    /// <summary>Bounds the connections of those who have not signed in. Call for each endpoint, before TLS is added to it.</summary>
    public static void LimitUnauthenticated(this ListenOptions listen)
    {
        ArgumentNullException.ThrowIfNull(listen);
        var places = listen.ApplicationServices.GetRequiredService<ConnectionSlots>();
        listen.Use(next => connection => places.ServeAsync(connection, next));
    }

    /// <summary>Takes in what trusted proxies say, and takes the URL base off. Goes in before everything.</summary>
    public static IApplicationBuilder UseProxies(this IApplicationBuilder app)
    {
        ArgumentNullException.ThrowIfNull(app);
        var places = app.ApplicationServices.GetRequiredService<ConnectionSlots>();
        var forwarded = app.ApplicationServices.GetRequiredService<ForwardedRequests>();
        var urlBase = app.ApplicationServices.GetRequiredService<UrlBaseRequests>();
        app.Use(next => http => places.ServeAsync(http, next));
        app.Use(next => http => forwarded.InvokeAsync(http, next));
        return app.Use(next => http => urlBase.InvokeAsync(http, next));
    }

    /// <summary>
    /// Security headers, routing, and the rules of routes. Goes in behind WebDAV and the signed links, which have rules of their own.
    /// </summary>
    public static IApplicationBuilder UseAccess(this IApplicationBuilder app)
    {
        ArgumentNullException.ThrowIfNull(app);
        var headers = app.ApplicationServices.GetRequiredService<SecurityHeaders>();
        var gate = app.ApplicationServices.GetRequiredService<OidcGate>();
        var guard = app.ApplicationServices.GetRequiredService<AccessGuard>();
        app.Use(next => http => headers.InvokeAsync(http, next));
        var errors = app.ApplicationServices.GetRequiredService<NativeErrors>();
        app.Use(next => http => errors.InvokeAsync(http, next));
        app.UseRouting();
        app.Use(next => http => gate.InvokeAsync(http, next));
        app.UseAuthentication();
        return app.Use(next => http => guard.InvokeAsync(http, next));
    }

    /// <summary>Maps the routes of signing in.</summary>
    public static void MapAccess(this IEndpointRouteBuilder routes)
    {
        ArgumentNullException.ThrowIfNull(routes);
        routes.MapSession();
        routes.MapSetup();
        routes.MapSessions();
        routes.MapUsers();
        routes.MapKeys();
        routes.MapOidc();
    }
}
