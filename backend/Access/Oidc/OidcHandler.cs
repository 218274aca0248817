using System.Net.Http.Headers;
using System.Security.Claims;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using Microsoft.AspNetCore.Authentication;
using Microsoft.AspNetCore.Authentication.OAuth;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using NzbDav.Access.Callers;
using NzbDav.Access.Options;
using NzbDav.Access.Sessions;

namespace NzbDav.Access.Oidc;

/// <summary>
/// The authorization code flow with PKCE as ASP.NET Core does it. Ours is what is OpenID Connect's: how the client shows who it is, and whose session it
/// becomes by what the userinfo endpoint says.
/// </summary>
internal sealed class OidcHandler(
    IOptionsMonitor<OAuthOptions> options, ILoggerFactory loggers, UrlEncoder encoder, LiveAccess access, OidcDiscovery discovery, OidcBackchannel backchannel, SessionRegistry sessions)
    : OAuthHandler<OAuthOptions>(options, loggers, encoder)
{
    /// <inheritdoc/>
    protected override async Task<OAuthTokenResponse> ExchangeCodeAsync(OAuthCodeExchangeContext context)
    {
        var form = new Dictionary<string, string>(StringComparer.Ordinal)
        {
            ["grant_type"] = "authorization_code",
            ["code"] = context.Code,
            ["redirect_uri"] = context.RedirectUri,
        };
        if (context.Properties.Items.Remove(OAuthConstants.CodeVerifierKey, out var verifier) && verifier is not null)
            form[OAuthConstants.CodeVerifierKey] = verifier;
        using var request = new HttpRequestMessage(HttpMethod.Post, Options.TokenEndpoint);
        request.Headers.Accept.Add(new MediaTypeWithQualityHeaderValue("application/json"));
        if (access.Current.Oidc is { } oidc && discovery.Find(oidc) is { TakesBasic: true })
        {
            request.Headers.Authorization = new AuthenticationHeaderValue("Basic", Credentials());
        }
        else
        {
            form["client_id"] = Options.ClientId;
            form["client_secret"] = Options.ClientSecret;
        }

        request.Content = new FormUrlEncodedContent(form);
        var answer = await backchannel.AskAsync(request, "the code", OidcJson.Default.JsonElement, Context.RequestAborted);
        if (answer.ValueKind != JsonValueKind.Object || !answer.TryGetProperty("access_token", out var token) || token.ValueKind != JsonValueKind.String)
            throw new OidcException("The sign-in provider's answer to the code holds no token.");
        return OAuthTokenResponse.Success(JsonDocument.Parse(answer.GetRawText()));
    }

    /// <inheritdoc/>
    protected override async Task<AuthenticationTicket> CreateTicketAsync(ClaimsIdentity identity, AuthenticationProperties properties, OAuthTokenResponse tokens)
    {
        var oidc = access.Current.Oidc ?? throw new OidcException("Signing in with OpenID Connect was switched off.") { Status = 404 };
        using var request = new HttpRequestMessage(HttpMethod.Get, Options.UserInformationEndpoint);
        request.Headers.Authorization = new AuthenticationHeaderValue("Bearer", tokens.AccessToken);
        request.Headers.Accept.Add(new MediaTypeWithQualityHeaderValue("application/json"));
        var claims = await backchannel.AskAsync(request, "the user's name", OidcJson.Default.JsonElement, Context.RequestAborted);
        var user = OidcUser.Read(claims, oidc);
        if (!oidc.Allows(user.Name, user.Groups))
            throw new OidcException("You are not among those who may sign in here.") { Status = 403 };
        properties.IsPersistent = true;
        var session = await sessions.BeginAsync(Context, user.Name, CallerKind.Oidc);
        return new AuthenticationTicket(SessionIdentity.Of(user.Name, session, oidc, user.Groups.Intersect(oidc.AllowedGroups, StringComparer.Ordinal), TimeProvider.GetUtcNow()), properties, Scheme.Name);
    }

    // RFC 6749 §2.3.1: both are form-encoded before they are joined.
    private string Credentials() =>
        Convert.ToBase64String(Encoding.UTF8.GetBytes($"{Uri.EscapeDataString(Options.ClientId)}:{Uri.EscapeDataString(Options.ClientSecret)}"));
}
