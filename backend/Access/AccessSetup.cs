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
/// Adds sign-in to a host: <see cref="AddAccess"/>, <see cref="LimitUnauthenticated"/>, then <see cref="UseProxies"/> before all other
/// middleware, <see cref="UseAccess"/> after WebDAV, and <see cref="MapAccess"/>. Needs the catalog's <c>UserStore</c> and
/// <c>SessionStore</c>, <see cref="ApiKeys"/>, <see cref="LiveAccess"/> and an <see cref="Content.Secrets.AttemptMemory"/>.
/// </summary>
public static class AccessSetup
{
    /// <summary>Registers the services.</summary>
    /// <param name="services">The host's services.</param>
    /// <param name="keyFolder">Folder of the keys that encrypt cookies.</param>
    /// <param name="facts">Facts about the server for pages; null: none.</param>
    /// <param name="keySecret">Encrypts these keys; null: they are stored in clear text.</param>
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

        // The manager warns that the keys are stored in clear text, even if KeyRingFolder encrypts them.
        services.AddLogging(
            logging => logging.AddFilter("Microsoft.AspNetCore.DataProtection.KeyManagement.XmlKeyManager", LogLevel.Error));

        services.AddAntiforgery(options =>
        {
            options.HeaderName = SessionCookie.TokenHeader;
            options.Cookie.Name = "nzbdav.csrf";
            options.Cookie.SecurePolicy = CookieSecurePolicy.SameAsRequest;
            options.SuppressXFrameOptionsHeader = true;
        });

        // No default scheme: cookies are only read for routes with a rule.
        services.AddAuthentication()
            .AddCookie(SessionCookie.Scheme, SessionCookie.Configure)
            .AddRemoteScheme<OpenIdConnectOptions, OidcHandler>(OidcPaths.Scheme, displayName: null, configureOptions: null);
        services.TryAddEnumerable(
            ServiceDescriptor.Singleton<IPostConfigureOptions<OpenIdConnectOptions>, OpenIdConnectPostConfigureOptions>());

        // OidcFailure explains failures; the handler's own log lines quote tokens and codes.
        services.AddLogging(logging => logging.AddFilter(typeof(OidcHandler).FullName, LogLevel.None));
        return services;
    }

    /// <summary>Limits the connections of clients that have not signed in. Call for each endpoint, before TLS is added to it.</summary>
    public static void LimitUnauthenticated(this ListenOptions listen)
    {
        ArgumentNullException.ThrowIfNull(listen);
        var slots = listen.ApplicationServices.GetRequiredService<ConnectionSlots>();
        listen.Use(next => connection => slots.ServeAsync(connection, next));
    }

    /// <summary>
    /// Applies the headers of trusted proxies, and removes the URL base from paths. Must come before all other middleware.
    /// </summary>
    public static IApplicationBuilder UseProxies(this IApplicationBuilder app)
    {
        ArgumentNullException.ThrowIfNull(app);
        var slots = app.ApplicationServices.GetRequiredService<ConnectionSlots>();
        var forwarded = app.ApplicationServices.GetRequiredService<ForwardedRequests>();
        var urlBase = app.ApplicationServices.GetRequiredService<UrlBaseRequests>();
        app.Use(next => http => slots.ServeAsync(http, next));
        app.Use(next => http => forwarded.InvokeAsync(http, next));
        return app.Use(next => http => urlBase.InvokeAsync(http, next));
    }

    /// <summary>
    /// Security headers, routing, and the rules of routes. Must come after WebDAV and the signed links, which have rules of their own.
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

    /// <summary>Maps the sign-in routes.</summary>
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
