using System.Net;
using System.Security.Cryptography;
using Microsoft.IdentityModel.Tokens;
using NzbDav.Access.Options;
using NzbDav.Access.Tests.Running;
using static NzbDav.Access.Tests.OidcTests;

namespace NzbDav.Access.Tests;

/// <summary>What an identity token is trusted for, and what is asked for and read of groups.</summary>
public sealed class OidcTokenTests
{
    [Fact]
    public async Task A_token_that_is_not_for_this_sign_in_is_refused()
    {
        await using var provider = await FakeProvider.StartAsync();
        await using var server = await AccessServer.StartAsync(new AccessOptions { Oidc = provider.Options });
        using var browser = server.NewBrowser();
        foreach (var (claim, value, says) in new (string, object, string)[]
        {
            ("aud", "another client", "for another client"),
            ("iss", "https://evil.example", "issued by somebody else"),
            ("exp", 1_000_000_000, "not valid now"),
            ("nonce", "another", "belongs to another sign-in"),
            ("sub", "another user", "does not say who you are"),
        })
        {
            provider.TokenClaims[claim] = value;
            AssertRefused(await browser.GetAsync(await ToProviderAndBackAsync(browser, "/signin/oidc")), HttpStatusCode.BadGateway, says);
            provider.TokenClaims.Remove(claim);
        }

        var known = provider.SigningKey;
        provider.SigningKey = new RsaSecurityKey(RSA.Create(2048)) { KeyId = known.KeyId };
        AssertRefused(await browser.GetAsync(await ToProviderAndBackAsync(browser, "/signin/oidc")), HttpStatusCode.BadGateway,
            "its signature fits none");
        provider.SigningKey = known;
        Assert.Equal(HttpStatusCode.Redirect, (await browser.GetAsync(await ToProviderAndBackAsync(browser, "/signin/oidc"))).Status);
        var log = string.Join('\n', server.Log.All);
        Assert.Contains("for another client", log, StringComparison.Ordinal);
        Assert.All(provider.GivenOut, secret => Assert.DoesNotContain(secret, log, StringComparison.Ordinal));
    }

    /// <summary>
    /// Authelia and Pocket ID tell groups to those who ask for them; others refuse to go on if asked for what they do not know.
    /// </summary>
    [Theory]
    [InlineData("openid,profile,email,groups", true, "openid profile email groups")]
    [InlineData("openid,profile,email,groups", false, "openid profile email")]
    [InlineData("openid,profile,email", true, "openid profile email")]
    [InlineData(null, true, "openid profile email")]
    public async Task Groups_are_asked_for_where_they_decide_and_the_provider_knows_them(string? known, bool decide, string asked)
    {
        await using var provider = await FakeProvider.StartAsync();
        provider.Scopes = known?.Split(',');
        await using var server = await AccessServer.StartAsync(
            new AccessOptions { Oidc = provider.Options with { AllowedGroups = decide ? ["films"] : [] } });
        using var browser = server.NewBrowser();
        Assert.Equal(HttpStatusCode.Redirect, (await browser.GetAsync(await ToProviderAndBackAsync(browser, "/signin/oidc"))).Status);
        Assert.Equal(asked, provider.AskedScopes);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Groups_may_be_an_object_and_come_with_the_identity_token(bool hasUserInfo)
    {
        await using var provider = await FakeProvider.StartAsync();
        provider.HasUserInfo = hasUserInfo;
        provider.Claims.Remove("groups");
        provider.TokenClaims["preferred_username"] = "carla";
        provider.TokenClaims["urn:zitadel:iam:org:project:roles"] = new Dictionary<string, object>
        { ["films"] = new Dictionary<string, string> { ["1"] = "films.example" } };
        var oidc = provider.Options with { AllowedGroups = ["films"], GroupsClaim = "urn:zitadel:iam:org:project:roles" };
        await using var server = await AccessServer.StartAsync(new AccessOptions { Oidc = oidc });
        using var browser = server.NewBrowser();
        Assert.Equal(HttpStatusCode.Redirect, (await browser.GetAsync(await ToProviderAndBackAsync(browser, "/signin/oidc"))).Status);
        Assert.Equal("carla", (await browser.GetAsync("/api/v1/session")).Json.GetProperty("username").GetString());
    }
}
