using System.Globalization;
using System.IdentityModel.Tokens.Jwt;
using System.Net.Http.Headers;
using System.Security.Claims;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using Microsoft.AspNetCore.Authentication;
using Microsoft.AspNetCore.Authentication.OpenIdConnect;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Microsoft.IdentityModel.Protocols.OpenIdConnect;
using NzbDav.Access.Callers;
using NzbDav.Access.Options;
using NzbDav.Access.Sessions;

namespace NzbDav.Access.Oidc;

/// <summary>
/// The authorization code flow with PKCE as ASP.NET Core implements it, which also validates the identity token. This class replaces the
/// requests to the provider, the error messages, and the session.
/// </summary>
internal sealed class OidcHandler(
    IOptionsMonitor<OpenIdConnectOptions> options, ILoggerFactory loggers, HtmlEncoder html, UrlEncoder encoder, LiveAccess access,
    OidcDiscovery discovery, OidcBackchannel backchannel, SessionRegistry sessions)
    : OpenIdConnectHandler(options, loggers, html, encoder)
{
    protected override async Task<OpenIdConnectMessage> RedeemAuthorizationCodeAsync(OpenIdConnectMessage tokenEndpointRequest)
    {
        var document = await discovery.GetConfigurationAsync(Context.RequestAborted);
        var form = new Dictionary<string, string>(tokenEndpointRequest.Parameters, StringComparer.Ordinal);
        using var request = new HttpRequestMessage(HttpMethod.Post, document.TokenEndpoint);
        request.Headers.Accept.Add(new MediaTypeWithQualityHeaderValue("application/json"));

        // "If omitted, the default is client_secret_basic."
        var methods = document.TokenEndpointAuthMethodsSupported;
        if (methods.Contains("client_secret_basic") || !methods.Contains("client_secret_post"))
        {
            request.Headers.Authorization = new AuthenticationHeaderValue("Basic", Credentials());
            form.Remove("client_id");
            form.Remove("client_secret");
        }

        request.Content = new FormUrlEncodedContent(form);
        var answer = await backchannel.RequestAsync(request, "the code", Context.RequestAborted);
        return new OpenIdConnectMessage(answer.GetRawText());
    }

    protected override async Task<HandleRequestResult> GetUserInformationAsync(
        OpenIdConnectMessage message, JwtSecurityToken jwt, ClaimsPrincipal principal, AuthenticationProperties properties)
    {
        var oidc = access.Current.Oidc ?? throw OidcException.None();
        using var token = JsonDocument.Parse(jwt.Payload.SerializeToJson());
        var user = OidcUser.Read(await RequestUserInfoAsync(message, jwt), token.RootElement, oidc);
        if (!oidc.Allows(user.Name, user.Groups))
            throw new OidcException("You are not among those who may sign in here.") { Status = 403 };
        properties.IsPersistent = true;
        var session = await sessions.BeginAsync(Context, user.Name, CallerKind.Oidc);
        var groups = user.Groups.Intersect(oidc.AllowedGroups, StringComparer.Ordinal);
        var identity = SessionIdentity.Of(user.Name, session, oidc, groups, TimeProvider.GetUtcNow());
        return HandleRequestResult.Success(new AuthenticationTicket(identity, properties, Scheme.Name));
    }

    /// <summary>The claims from the userinfo endpoint for the token's user; null if the provider has no such endpoint.</summary>
    private async Task<JsonElement?> RequestUserInfoAsync(OpenIdConnectMessage message, JwtSecurityToken jwt)
    {
        var document = await discovery.GetConfigurationAsync(Context.RequestAborted);
        if (string.IsNullOrEmpty(document.UserInfoEndpoint))
            return null;
        using var request = new HttpRequestMessage(HttpMethod.Get, document.UserInfoEndpoint);
        request.Headers.Authorization = new AuthenticationHeaderValue("Bearer", message.AccessToken);
        request.Headers.Accept.Add(new MediaTypeWithQualityHeaderValue("application/json"));
        var claims = await backchannel.RequestAsync(request, "the user's name", Context.RequestAborted);

        // "The sub Claim in the UserInfo Response MUST be verified to exactly match the sub Claim in the ID Token."
        if (!claims.TryGetProperty("sub", out var subject) || subject.ValueKind != JsonValueKind.String
            || subject.GetString() != jwt.Subject)
            throw new OidcException("The sign-in provider does not say who you are.");
        return claims;
    }

    // RFC 6749 §2.3.1: both are form-encoded before they are joined.
    private string Credentials() => Convert.ToBase64String(Encoding.UTF8.GetBytes(string.Create(
        CultureInfo.InvariantCulture, $"{Uri.EscapeDataString(Options.ClientId!)}:{Uri.EscapeDataString(Options.ClientSecret!)}")));
}
