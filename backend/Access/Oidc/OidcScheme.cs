using Microsoft.AspNetCore.Authentication.OAuth;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Options;
using NzbDav.Access.Options;
using NzbDav.Access.Sessions;

namespace NzbDav.Access.Oidc;

/// <summary>
/// The options of ASP.NET Core's OAuth handler, from ours and the discovery document. Made anew when either changes. Without a provider they are
/// placeholders: <see cref="OidcGate"/> lets no request through to the handler.
/// </summary>
internal sealed class OidcScheme(LiveAccess access, IServiceProvider services) : IConfigureNamedOptions<OAuthOptions>
{
    private const string None = "none";

    public void Configure(OAuthOptions options) => Configure(name: null, options);

    public void Configure(string? name, OAuthOptions options)
    {
        if (name != OidcPaths.Scheme)
            return;

        // Not in the constructor: discovery holds the cache of what is made here.
        var discovery = (OidcDiscovery)services.GetService(typeof(OidcDiscovery))!;
        var oidc = access.Current.Oidc;
        var document = oidc is null ? null : discovery.Find(oidc);
        options.ClientId = oidc?.ClientId ?? None;
        options.ClientSecret = oidc?.ClientSecret ?? None;
        options.AuthorizationEndpoint = document?.AuthorizationEndpoint ?? None;
        options.TokenEndpoint = document?.TokenEndpoint ?? None;
        options.UserInformationEndpoint = document?.UserInfoEndpoint ?? None;
        options.Backchannel = ((OidcBackchannel)services.GetService(typeof(OidcBackchannel))!).Http;
        options.CallbackPath = OidcPaths.Callback;
        options.SignInScheme = SessionCookie.Scheme;
        options.UsePkce = true;
        options.SaveTokens = false;
        options.Scope.Clear();
        foreach (var scope in oidc?.Scopes ?? [])
            options.Scope.Add(scope);

        // The way back is a plain link, with which Lax cookies go.
        options.CorrelationCookie.Name = "nzbdav.oidc.";
        options.CorrelationCookie.SameSite = SameSiteMode.Lax;
        options.CorrelationCookie.SecurePolicy = CookieSecurePolicy.SameAsRequest;
        options.Events.OnRemoteFailure = OidcFailure.AnswerAsync;
    }
}
