using System.Collections.Concurrent;
using System.Net.Http.Headers;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;
using Microsoft.IdentityModel.Tokens;
using NzbDav.Access.Options;

namespace NzbDav.Access.Tests.Running;

/// <summary>
/// An OpenID Connect provider on loopback that asks for no password but checks what a real one checks: redirect address, client and secret,
/// PKCE, and that a code is used once.
/// </summary>
internal sealed class FakeProvider : IAsyncDisposable
{
    public const string ClientId = "nzbdav client";
    public const string Secret = "s3cret: of+the/client";

    private static readonly RsaSecurityKey Key = new(RSA.Create(2048)) { KeyId = "one" };

    private readonly WebApplication _app;
    private readonly ConcurrentDictionary<string, Grant> _codes = new(StringComparer.Ordinal);
    private readonly ConcurrentDictionary<string, byte> _tokens = new(StringComparer.Ordinal);

    private FakeProvider(WebApplication app) => _app = app;

    public string Issuer { get; private set; } = "";

    /// <summary>The claims that userinfo returns.</summary>
    public Dictionary<string, object> Claims { get; set; } = new(StringComparer.Ordinal)
    { ["sub"] = "4711", ["preferred_username"] = "carla", ["email"] = "carla@films.example", ["groups"] = new[] { "staff", "films" } };

    /// <summary>What the identity token says besides, or instead.</summary>
    public Dictionary<string, object> TokenClaims { get; } = new(StringComparer.Ordinal);

    /// <summary>The key that tokens are signed with; the one that the provider publishes unless a test changes it.</summary>
    public RsaSecurityKey SigningKey { get; set; } = Key;

    /// <summary>What the provider says of scopes; null: nothing.</summary>
    public string[]? Scopes { get; set; }

    /// <summary>False: it has no userinfo endpoint.</summary>
    public bool HasUserInfo { get; set; } = true;

    /// <summary>The scopes that were asked for last.</summary>
    public string AskedScopes { get; private set; } = "";

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
        app.MapGet("/realm/keys", PublicKeys);
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
            ["jwks_uri"] = Issuer + "/keys",
        };
        if (HasUserInfo)
            document["userinfo_endpoint"] = Issuer + "/userinfo";
        if (Scopes is not null)
            document["scopes_supported"] = Scopes;
        if (AuthMethods is not null)
            document["token_endpoint_auth_methods_supported"] = AuthMethods;
        return Results.Json(document);
    }

    private static IResult PublicKeys()
    {
        var parameters = Key.Rsa.ExportParameters(includePrivateParameters: false);
        return Results.Json(new
        {
            keys = new[]
            {
                new
                {
                    kty = "RSA",
                    use = "sig",
                    alg = "RS256",
                    kid = Key.KeyId,
                    n = Base64Url(parameters.Modulus!),
                    e = Base64Url(parameters.Exponent!),
                },
            },
        });
    }

    private string IdToken(string nonce)
    {
        var claims = new Dictionary<string, object>(StringComparer.Ordinal) { ["nonce"] = nonce };
        if (Claims.TryGetValue("sub", out var subject))
            claims["sub"] = subject;
        var now = TimeProvider.System.GetUtcNow();
        (claims["iss"], claims["aud"]) = (Issuer, ClientId);
        (claims["iat"], claims["exp"]) = (now.ToUnixTimeSeconds(), now.AddMinutes(5).ToUnixTimeSeconds());
        foreach (var (name, value) in TokenClaims)
            claims[name] = value;
        var (head, body) = (Json(new { alg = "RS256", typ = "JWT", kid = SigningKey.KeyId }), Json(claims));
        var signature = SigningKey.Rsa.SignData(
            Encoding.ASCII.GetBytes($"{head}.{body}"), HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        var token = $"{head}.{body}.{Base64Url(signature)}";
        GivenOut.Add(token);
        return token;

        static string Json(object value) => Base64Url(JsonSerializer.SerializeToUtf8Bytes(value));
    }

    private IResult Authorize(HttpRequest request)
    {
        var query = request.Query;
        if (query["client_id"] != ClientId || query["response_type"] != "code" || query["code_challenge_method"] != "S256"
            || !query["scope"].ToString().Split(' ').Contains("openid"))
            return Results.BadRequest();
        var code = Given();
        AskedScopes = query["scope"].ToString();
        _codes[code] = new Grant(query["redirect_uri"].ToString(), query["code_challenge"].ToString(), query["nonce"].ToString());
        return Results.Redirect($"{query["redirect_uri"]}?code={code}&state={Uri.EscapeDataString(query["state"].ToString())}");
    }

    private async Task<IResult> TokenAsync(HttpRequest request)
    {
        TokenCalls++;
        var form = await request.ReadFormAsync();
        if (!IsClient(request, form))
            return Results.Json(new { error = "invalid_client", error_description = $"wrong secret {Secret}" }, statusCode: 401);
        if (form["grant_type"] != "authorization_code" || !_codes.TryRemove(form["code"].ToString(), out var grant)
            || grant.RedirectUri != form["redirect_uri"]
            || Base64Url(SHA256.HashData(Encoding.ASCII.GetBytes(form["code_verifier"].ToString()))) != grant.Challenge)
        {
            return Results.Json(new { error = "invalid_grant", error_description = $"no such code {form["code"]}" }, statusCode: 400);
        }

        var token = Given();
        _tokens[token] = 0;
        return Results.Json(new { access_token = token, token_type = "Bearer", expires_in = 60, id_token = IdToken(grant.Nonce) });
    }

    private IResult UserInfo(HttpRequest request) =>
        AuthenticationHeaderValue.TryParse(request.Headers.Authorization, out var header)
            && header is { Scheme: "Bearer", Parameter: { } token } && _tokens.ContainsKey(token)
            ? Results.Json(Claims)
            : Results.Unauthorized();

    private bool IsClient(HttpRequest request, IFormCollection form)
    {
        var methods = AuthMethods ?? ["client_secret_basic"];
        if (methods.Contains("client_secret_post") && form["client_id"] == ClientId && form["client_secret"] == Secret)
            return true;
        if (!methods.Contains("client_secret_basic") || form.ContainsKey("client_secret")
            || !AuthenticationHeaderValue.TryParse(request.Headers.Authorization, out var header)
                || header is not { Scheme: "Basic", Parameter: { } encoded })
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

    private sealed record Grant(string RedirectUri, string Challenge, string Nonce);
}
