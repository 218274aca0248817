using System.Collections.Concurrent;
using System.Net.Http.Headers;
using System.Security.Cryptography;
using System.Text;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;
using NzbDav.Access.Options;

namespace NzbDav.Access.Tests.Running;

/// <summary>
/// An OpenID Connect provider on loopback that asks for no password but checks what a real one checks: redirect address, client and secret, PKCE, and that a code is
/// used once.
/// </summary>
internal sealed class FakeProvider : IAsyncDisposable
{
    public const string ClientId = "nzbdav client";
    public const string Secret = "s3cret: of+the/client";

    private readonly WebApplication _app;
    private readonly ConcurrentDictionary<string, Grant> _codes = new(StringComparer.Ordinal);
    private readonly ConcurrentDictionary<string, byte> _tokens = new(StringComparer.Ordinal);

    private FakeProvider(WebApplication app) => _app = app;

    public string Issuer { get; private set; } = "";

    /// <summary>The claims that userinfo returns.</summary>
    public Dictionary<string, object> Claims { get; set; } = new(StringComparer.Ordinal) { ["sub"] = "4711", ["preferred_username"] = "carla", ["email"] = "carla@films.example", ["groups"] = new[] { "staff", "films" } };

    /// <summary>Supported client authentication methods; null if the provider does not list them.</summary>
    public string[]? AuthMethods { get; set; }

    /// <summary>Every code and token that was issued.</summary>
    public ConcurrentBag<string> GivenOut { get; } = [];

    public int DiscoveryCalls { get; private set; }

    public int TokenCalls { get; private set; }

    /// <summary>Answers every request with 500.</summary>
    public bool IsBroken { get; set; }

    public static async Task<FakeProvider> StartAsync(string url = "http://127.0.0.1:0")
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.WebHost.UseUrls(url);
        builder.Logging.ClearProviders();
        var app = builder.Build();
        var provider = new FakeProvider(app);
        app.Use(next => http =>
        {
            if (!provider.IsBroken)
                return next(http);
            http.Response.StatusCode = 500;
            return Task.CompletedTask;
        });
        app.MapGet("/realm/.well-known/openid-configuration", provider.Discover);
        app.MapGet("/realm/authorize", provider.Authorize);
        app.MapPost("/realm/token", provider.TokenAsync);
        app.MapGet("/realm/userinfo", provider.UserInfo);
        await app.StartAsync();
        provider.Issuer = app.Urls.First() + "/realm";
        return provider;
    }

    public OidcOptions Options => new() { Authority = new Uri(Issuer), ClientId = ClientId, ClientSecret = Secret };

    public ValueTask DisposeAsync() => _app.DisposeAsync();

    private IResult Discover()
    {
        DiscoveryCalls++;
        var document = new Dictionary<string, object>(StringComparer.Ordinal)
        {
            ["issuer"] = Issuer,
            ["authorization_endpoint"] = Issuer + "/authorize",
            ["token_endpoint"] = Issuer + "/token",
            ["userinfo_endpoint"] = Issuer + "/userinfo",
        };
        if (AuthMethods is not null)
            document["token_endpoint_auth_methods_supported"] = AuthMethods;
        return Results.Json(document);
    }

    private IResult Authorize(HttpRequest request)
    {
        var query = request.Query;
        if (query["client_id"] != ClientId || query["response_type"] != "code" || query["code_challenge_method"] != "S256" || !query["scope"].ToString().Split(' ').Contains("openid"))
            return Results.BadRequest();
        var code = Given();
        _codes[code] = new Grant(query["redirect_uri"].ToString(), query["code_challenge"].ToString());
        return Results.Redirect($"{query["redirect_uri"]}?code={code}&state={Uri.EscapeDataString(query["state"].ToString())}");
    }

    private async Task<IResult> TokenAsync(HttpRequest request)
    {
        TokenCalls++;
        var form = await request.ReadFormAsync();
        if (!IsClient(request, form))
            return Results.Json(new { error = "invalid_client", error_description = $"wrong secret {Secret}" }, statusCode: 401);
        if (form["grant_type"] != "authorization_code" || !_codes.TryRemove(form["code"].ToString(), out var grant) || grant.RedirectUri != form["redirect_uri"]
            || Base64Url(SHA256.HashData(Encoding.ASCII.GetBytes(form["code_verifier"].ToString()))) != grant.Challenge)
        {
            return Results.Json(new { error = "invalid_grant", error_description = $"no such code {form["code"]}" }, statusCode: 400);
        }

        var token = Given();
        _tokens[token] = 0;
        return Results.Json(new { access_token = token, token_type = "Bearer", expires_in = 60, id_token = "not looked at" });
    }

    private IResult UserInfo(HttpRequest request) =>
        AuthenticationHeaderValue.TryParse(request.Headers.Authorization, out var header) && header is { Scheme: "Bearer", Parameter: { } token } && _tokens.ContainsKey(token)
            ? Results.Json(Claims)
            : Results.Unauthorized();

    private bool IsClient(HttpRequest request, IFormCollection form)
    {
        var methods = AuthMethods ?? ["client_secret_basic"];
        if (methods.Contains("client_secret_post") && form["client_id"] == ClientId && form["client_secret"] == Secret)
            return true;
        if (!methods.Contains("client_secret_basic") || form.ContainsKey("client_secret")
            || !AuthenticationHeaderValue.TryParse(request.Headers.Authorization, out var header) || header is not { Scheme: "Basic", Parameter: { } encoded })
        {
            return false;
        }

        var parts = Encoding.UTF8.GetString(Convert.FromBase64String(encoded)).Split(':');
        return parts.Length == 2 && Uri.UnescapeDataString(parts[0]) == ClientId && Uri.UnescapeDataString(parts[1]) == Secret;
    }

    private string Given()
    {
        var text = Convert.ToHexString(RandomNumberGenerator.GetBytes(16));
        GivenOut.Add(text);
        return text;
    }

    private static string Base64Url(byte[] bytes) => Convert.ToBase64String(bytes).TrimEnd('=').Replace('+', '-').Replace('/', '_');

    private sealed record Grant(string RedirectUri, string Challenge);
}
