using Microsoft.AspNetCore.Authentication.OpenIdConnect;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Options;
using Microsoft.IdentityModel.Protocols.OpenIdConnect;
using NzbDav.Access.Options;
using NzbDav.Access.Sessions;

namespace NzbDav.Access.Oidc;

/// <summary>
/// The options of ASP.NET Core's handler, built from <see cref="OidcOptions"/> and the discovery document. Rebuilt when either changes.
/// Without a provider they are placeholders: <see cref="OidcGate"/> lets no request through to the handler.
/// </summary>
internal sealed class OidcScheme(LiveAccess access, IServiceProvider services) : IConfigureNamedOptions<OpenIdConnectOptions>
{
    private const string None = "none";
    private const string Groups = "groups";

    public void Configure(OpenIdConnectOptions options) => Configure(name: null, options);

    public void Configure(string? name, OpenIdConnectOptions options)
    {
        if (name != OidcPaths.Scheme)
            return;

        // Not in the constructor: discovery depends on the cache of these options.
        var discovery = (OidcDiscovery)services.GetService(typeof(OidcDiscovery))!;
        var oidc = access.Current.Oidc;
        options.ConfigurationManager = discovery;
        options.ClientId = oidc?.ClientId ?? None;
        options.ClientSecret = oidc?.ClientSecret ?? None;
        options.Backchannel = ((OidcBackchannel)services.GetService(typeof(OidcBackchannel))!).Http;
        options.CallbackPath = OidcPaths.Callback;
        options.SignInScheme = SessionCookie.Scheme;
        options.ResponseType = OpenIdConnectResponseType.Code;
        options.GetClaimsFromUserInfoEndpoint = true;
        options.MapInboundClaims = false;
        options.DisableTelemetry = true;

        // Not needed here: it would be another way to authenticate the client.
        options.PushedAuthorizationBehavior = PushedAuthorizationBehavior.Disable;

        // A provider in the local network may have no certificate.
        options.RequireHttpsMetadata = false;
        options.Scope.Clear();
        foreach (var scope in oidc is null ? [] : ScopesOf(oidc, discovery.Find(oidc)))
            options.Scope.Add(scope);

        // The provider returns by a plain link, with which Lax cookies are sent.
        options.ResponseMode = OpenIdConnectResponseMode.Query;
        foreach (var (cookie, prefix) in new[] { (options.CorrelationCookie, "nzbdav.oidc."), (options.NonceCookie, "nzbdav.oidc.nonce.") })
        {
            cookie.Name = prefix;
            cookie.SameSite = SameSiteMode.Lax;
            cookie.SecurePolicy = CookieSecurePolicy.SameAsRequest;
        }

        options.Events.OnRemoteFailure = OidcFailure.AnswerAsync;
    }

    /// <summary>
    /// Requests the groups scope where groups decide: Authelia and Pocket ID send them only with it. Only if the provider lists the scope,
    /// because other providers refuse an unknown one (RFC 6749 §4.1.2.1, invalid_scope).
    /// </summary>
    private static IEnumerable<string> ScopesOf(OidcOptions options, OpenIdConnectConfiguration? document) =>
        options.AllowedGroups.Count > 0 && document?.ScopesSupported.Contains(Groups) == true
            ? options.Scopes.Append(Groups).Distinct(StringComparer.Ordinal)
            : options.Scopes;
}
