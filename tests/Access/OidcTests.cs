using System.Net;
using Microsoft.AspNetCore.Http;
using NzbDav.Access.Options;
using NzbDav.Access.Tests.Running;

namespace NzbDav.Access.Tests;

/// <summary>Signing in with OpenID Connect, against a provider that checks what real ones check.</summary>
public sealed class OidcTests
{
    [Theory]
    [InlineData(null)]
    [InlineData("client_secret_basic")]
    [InlineData("client_secret_post")]
    [InlineData("client_secret_post,client_secret_basic")]
    public async Task A_user_signs_in_through_the_provider(string? methods)
    {
        await using var provider = await FakeProvider.StartAsync();
        provider.AuthMethods = methods?.Split(',');
        await using var server = await AccessServer.StartAsync(new AccessOptions { Oidc = provider.Options });
        using var browser = server.NewBrowser();
        Assert.Equal("/signin/oidc", (await browser.GetAsync("/api/v1/session")).Json.GetProperty("oidcPath").GetString());

        var back = await ToProviderAndBackAsync(browser, "/signin/oidc?return=/queue%3Fa=b");
        var done = await browser.GetAsync(back);
        Assert.Equal(HttpStatusCode.Redirect, done.Status);
        Assert.Equal("/queue?a=b", done.Header("Location"));
        Assert.Contains("; samesite=lax", done.SetCookie("nzbdav.session")!, StringComparison.Ordinal);
        Assert.Contains("expires=", done.SetCookie("nzbdav.session")!, StringComparison.Ordinal);
        var session = (await browser.GetAsync("/api/v1/session")).Json;
        Assert.Equal(("signedIn", "carla", "oidc"), (session.GetProperty("state").GetString(), session.GetProperty("username").GetString(),
            session.GetProperty("via").GetString()));
        Assert.Equal(HttpStatusCode.Forbidden, (await browser.PostAsync("/api/v1/change")).Status);
        browser.CsrfToken = session.GetProperty("csrfToken").GetString();
        Assert.Equal(HttpStatusCode.OK, (await browser.PostAsync("/api/v1/change")).Status);
        Assert.Equal(1, provider.DiscoveryCalls);
    }

    [Fact]
    public async Task Sign_in_works_below_a_url_base_behind_a_proxy()
    {
        await using var provider = await FakeProvider.StartAsync();
        await using var server = await AccessServer.StartAsync(new AccessOptions
        { Oidc = provider.Options, UrlBase = new PathString("/x"), TrustedProxies = [IPNetwork.Parse("127.0.0.1/32")] });
        using var browser = server.NewBrowser();
        var away = await browser.GetAsync("/x/signin/oidc", ("X-Forwarded-Proto", "https"), ("X-Forwarded-Host", "films.example"));
        Assert.Contains(
            "redirect_uri=https%3A%2F%2Ffilms.example%2Fx%2Fsignin%2Foidc%2Fcallback&", away.Header("Location"), StringComparison.Ordinal);
        Assert.All(away.SetCookies, cookie => Assert.Contains("; path=/x/signin/oidc/callback;", cookie, StringComparison.Ordinal));

        var back = await ToProviderAndBackAsync(browser, "/x/signin/oidc");
        var done = await browser.GetAsync(back);
        Assert.Equal("/x/", done.Header("Location"));
        Assert.Contains("; path=/x;", done.SetCookie("nzbdav.session")!, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_callback_that_this_browser_did_not_start_is_refused()
    {
        await using var provider = await FakeProvider.StartAsync();
        await using var server = await AccessServer.StartAsync(new AccessOptions { Oidc = provider.Options });
        using var browser = server.NewBrowser();
        var back = await ToProviderAndBackAsync(browser, "/signin/oidc");

        // A callback address opened in another browser would sign its user in as somebody else.
        using var other = server.NewBrowser();
        AssertRefused(await other.GetAsync(back), HttpStatusCode.BadRequest, "begin again");
        AssertRefused(
            await browser.GetAsync(back.Replace("state=", "state=A", StringComparison.Ordinal)), HttpStatusCode.BadRequest, "begin again");
        AssertRefused(await browser.GetAsync(back.Split("&state=")[0]), HttpStatusCode.BadRequest, "begin again");
        AssertRefused(await browser.GetAsync("/signin/oidc/callback"), HttpStatusCode.BadRequest, "begin again");
        Assert.Equal(0, provider.TokenCalls);
        Assert.Equal(HttpStatusCode.Redirect, (await browser.GetAsync(back)).Status);
    }

    /// <summary>A user who leaves a group at the provider must not stay signed in for as long as the session is used.</summary>
    [Fact]
    public async Task A_session_ends_after_its_fixed_time_unless_it_began_with_a_password()
    {
        await using var provider = await FakeProvider.StartAsync();
        await using var server = await AccessServer.StartAsync(new AccessOptions { Oidc = provider.Options });
        using var browser = server.NewBrowser();
        using var other = await server.SignedInAsync();
        Assert.Equal(HttpStatusCode.Redirect, (await browser.GetAsync(await ToProviderAndBackAsync(browser, "/signin/oidc"))).Status);
        for (var hour = 0; hour < 23; hour++)
        {
            server.Clock.Advance(TimeSpan.FromHours(1));
            Assert.Equal(HttpStatusCode.OK, (await browser.GetAsync("/api/v1/look")).Status);
        }

        server.Clock.Advance(TimeSpan.FromHours(1));
        Assert.Equal(HttpStatusCode.Unauthorized, (await browser.GetAsync("/api/v1/look")).Status);
        Assert.Equal(HttpStatusCode.OK, (await other.GetAsync("/api/v1/look")).Status);

        // A shorter lifetime also applies to existing sessions.
        Assert.Equal(HttpStatusCode.Redirect, (await browser.GetAsync(await ToProviderAndBackAsync(browser, "/signin/oidc"))).Status);
        server.Clock.Advance(TimeSpan.FromHours(2));
        Assert.Equal(HttpStatusCode.OK, (await browser.GetAsync("/api/v1/look")).Status);
        server.Access.Replace(new AccessOptions { Oidc = provider.Options with { SessionLifetime = TimeSpan.FromHours(2) } });
        Assert.Equal(HttpStatusCode.Unauthorized, (await browser.GetAsync("/api/v1/look")).Status);
    }

    [Fact]
    public async Task A_code_works_once_and_only_for_its_own_sign_in()
    {
        await using var provider = await FakeProvider.StartAsync();
        await using var server = await AccessServer.StartAsync(new AccessOptions { Oidc = provider.Options });
        using var browser = server.NewBrowser();
        var back = await ToProviderAndBackAsync(browser, "/signin/oidc");
        var cookies = browser.Cookies.GetAllCookies().Select(cookie => new Cookie(cookie.Name, cookie.Value, cookie.Path, cookie.Domain))
            .ToList();
        Assert.Equal(HttpStatusCode.Redirect, (await browser.GetAsync(back)).Status);
        AssertRefused(await browser.GetAsync(back), HttpStatusCode.BadRequest, "begin again");

        // With the cookie of the first attempt it gets as far as the provider, which no longer knows the code.
        using var thief = server.NewBrowser();
        cookies.ForEach(thief.Cookies.Add);
        AssertRefused(await thief.GetAsync(back), HttpStatusCode.BadGateway, "400 invalid_grant");

        // Another user's code in one's own callback fails because of PKCE.
        using var first = server.NewBrowser();
        using var second = server.NewBrowser();
        var (mine, yours) = (await ToProviderAndBackAsync(first, "/signin/oidc"), await ToProviderAndBackAsync(second, "/signin/oidc"));
        var mixed = yours.Split("&state=")[0] + "&state=" + mine.Split("&state=")[1];
        AssertRefused(await first.GetAsync(mixed), HttpStatusCode.BadGateway, "400 invalid_grant");
        AssertRefused(
            await second.GetAsync(yours.Replace("code=", "code=0", StringComparison.Ordinal)), HttpStatusCode.BadGateway, "invalid_grant");
        Assert.Equal("signedOut", (await first.GetAsync("/api/v1/session")).Json.GetProperty("state").GetString());
    }

    [Fact]
    public async Task Only_listed_users_may_sign_in_and_removal_ends_their_sessions()
    {
        await using var provider = await FakeProvider.StartAsync();
        var open = new AccessOptions { Oidc = provider.Options };
        await using var server = await AccessServer.StartAsync(open);
        foreach (var (oidc, allowed) in new (OidcOptions, bool)[]
        {
            (provider.Options with { AllowedNames = ["bert"] }, false),
            (provider.Options with { AllowedNames = ["bert", "Carla"] }, true),
            (provider.Options with { AllowedGroups = ["admins"] }, false),
            (provider.Options with { AllowedGroups = ["films"] }, true),
            (provider.Options with { AllowedGroups = ["Films"] }, false),
            (provider.Options with { AllowedGroups = ["films"], GroupsClaim = "roles" }, false),
            (provider.Options with { AllowedNames = ["bert"], AllowedGroups = ["staff"] }, true),
            (provider.Options with { AllowedNames = ["carla@films.example"], NameClaim = "email" }, true),
        })
        {
            server.Access.Replace(open with { Oidc = oidc });
            using var browser = server.NewBrowser();
            var done = await browser.GetAsync(await ToProviderAndBackAsync(browser, "/signin/oidc"));
            if (!allowed)
            {
                AssertRefused(done, HttpStatusCode.Forbidden, "not among those");
                Assert.Null(done.SetCookie("nzbdav.session"));
                continue;
            }

            Assert.Equal(HttpStatusCode.Redirect, done.Status);
            Assert.Equal(HttpStatusCode.OK, (await browser.GetAsync("/api/v1/look")).Status);

            // A user taken off the list is signed out at once.
            server.Access.Replace(open with { Oidc = oidc with { AllowedNames = ["nobody"], AllowedGroups = [] } });
            Assert.Equal(HttpStatusCode.Unauthorized, (await browser.GetAsync("/api/v1/look")).Status);
        }
    }

    [Fact]
    public async Task The_user_name_is_the_first_claim_the_provider_sends()
    {
        await using var provider = await FakeProvider.StartAsync();
        await using var server = await AccessServer.StartAsync(new AccessOptions { Oidc = provider.Options });
        foreach (var (claims, name) in new (Dictionary<string, object>, string?)[]
        {
            (new() { ["sub"] = "1", ["email"] = "a@b.example" }, "a@b.example"),
            (new() { ["sub"] = "1", ["email"] = "a@b.example", ["email_verified"] = false }, null),
            (new() { ["sub"] = "1", ["preferred_username"] = "" }, "1"),
            (new() { ["preferred_username"] = "without sub" }, null),
            (new() { ["sub"] = 5 }, null),
        })
        {
            provider.Claims = claims;
            using var browser = server.NewBrowser();
            var done = await browser.GetAsync(await ToProviderAndBackAsync(browser, "/signin/oidc"));
            Assert.Equal(name is null, done.Status != HttpStatusCode.Redirect);
            if (name is not null)
                Assert.Equal(name, (await browser.GetAsync("/api/v1/session")).Json.GetProperty("username").GetString());
        }
    }

    [Fact]
    public async Task A_provider_that_is_down_does_not_affect_password_users()
    {
        var provider = await FakeProvider.StartAsync();
        var (options, url) = (provider.Options, new Uri(provider.Issuer).GetLeftPart(UriPartial.Authority));
        await provider.DisposeAsync();
        await using var server = await AccessServer.StartAsync(new AccessOptions { Oidc = options });
        using var browser = await server.SignedInAsync();
        Assert.Equal(HttpStatusCode.OK, (await browser.GetAsync("/api/v1/look")).Status);
        AssertRefused(await browser.GetAsync("/signin/oidc"), HttpStatusCode.ServiceUnavailable, "cannot be reached");
        AssertRefused(
            await browser.GetAsync("/signin/oidc/callback?code=1&state=2"), HttpStatusCode.ServiceUnavailable, "cannot be reached");
        var page = await browser.GetAsync("/signin/oidc", ("Accept", "text/html,*/*"));
        Assert.Equal(HttpStatusCode.ServiceUnavailable, page.Status);
        Assert.StartsWith("text/html", page.Header("Content-Type"), StringComparison.Ordinal);
        Assert.Contains("cannot be reached", page.Text, StringComparison.Ordinal);

        // Once the provider is back it is asked again, though not for every request.
        await using var again = await FakeProvider.StartAsync(url);
        Assert.Equal(HttpStatusCode.ServiceUnavailable, (await browser.GetAsync("/signin/oidc")).Status);
        server.Clock.Advance(TimeSpan.FromSeconds(5));
        using var other = server.NewBrowser();
        Assert.Equal(HttpStatusCode.Redirect, (await other.GetAsync(await ToProviderAndBackAsync(other, "/signin/oidc"))).Status);

        // Its cached configuration stays valid while it fails.
        again.IsBroken = true;
        server.Clock.Advance(TimeSpan.FromHours(2));
        Assert.Equal(HttpStatusCode.Redirect, (await other.GetAsync("/signin/oidc")).Status);
        Assert.Equal(HttpStatusCode.OK, (await other.GetAsync("/api/v1/look")).Status);
    }

    [Fact]
    public async Task A_provider_with_another_issuer_or_secret_is_refused()
    {
        await using var provider = await FakeProvider.StartAsync();
        await using var server = await AccessServer.StartAsync(new AccessOptions
        {
            Oidc = provider.Options
            with
            { Authority = new Uri(provider.Issuer.Replace("127.0.0.1", "localhost", StringComparison.Ordinal)) }
        });
        using var browser = server.NewBrowser();
        AssertRefused(await browser.GetAsync("/signin/oidc"), HttpStatusCode.BadGateway, "calls itself otherwise");

        server.Access.Replace(new AccessOptions { Oidc = provider.Options with { ClientSecret = "another secret" } });
        AssertRefused(
            await browser.GetAsync(await ToProviderAndBackAsync(browser, "/signin/oidc")), HttpStatusCode.BadGateway, "401 invalid_client");

        server.Access.Replace(new AccessOptions());
        AssertRefused(await browser.GetAsync("/signin/oidc"), HttpStatusCode.NotFound, "No OpenID Connect provider");
        AssertRefused(await browser.GetAsync("/signin/oidc/callback?code=1"), HttpStatusCode.NotFound, "No OpenID Connect provider");
    }

    [Fact]
    public async Task A_refusal_by_the_provider_is_reported_and_foreign_return_addresses_are_ignored()
    {
        await using var provider = await FakeProvider.StartAsync();
        await using var server = await AccessServer.StartAsync(new AccessOptions { Oidc = provider.Options });
        using var browser = server.NewBrowser();
        var back = await ToProviderAndBackAsync(browser, "/signin/oidc");
        AssertRefused(await browser.GetAsync("/signin/oidc/callback?error=access_denied&state=" + back.Split("&state=")[1]),
            HttpStatusCode.Forbidden, "has refused");
        foreach (var elsewhere in new[] { "https://evil.example", "//evil.example", "/\\evil.example", "evil", "/%0d%0aX: y" })
        {
            var done = await browser.GetAsync(await ToProviderAndBackAsync(browser, "/signin/oidc?return="
                + (elsewhere.Contains('%', StringComparison.Ordinal) ? elsewhere : Uri.EscapeDataString(elsewhere))));
            Assert.Equal("/", done.Header("Location"));
        }
    }

    [Fact]
    public async Task No_secret_is_logged()
    {
        await using var provider = await FakeProvider.StartAsync();
        await using var server = await AccessServer.StartAsync(new AccessOptions { Oidc = provider.Options });
        using var browser = await server.SignedInAsync();
        await browser.GetAsync(await ToProviderAndBackAsync(browser, "/signin/oidc"));
        var back = await ToProviderAndBackAsync(browser, "/signin/oidc");
        await browser.GetAsync(back.Replace("code=", "code=0", StringComparison.Ordinal));
        server.Access.Replace(new AccessOptions { Oidc = provider.Options with { ClientSecret = "another secret" } });
        await browser.GetAsync(await ToProviderAndBackAsync(browser, "/signin/oidc"));
        await browser.GetAsync("/api/v1/look?apikey=" + AccessServer.ReadKey);
        await browser.GetAsync("/api/v1/look?apikey=a-wrong-guess");
        await browser.PostAsync("/api/v1/session", new { username = AccessServer.User, password = "a-wrong-password" });
        await browser.PostAsync(
            "/api/v1/session", new StringContent("{\"password\":\"half-a-password", System.Text.Encoding.UTF8, "application/json"));

        var log = string.Join('\n', server.Log.All);
        Assert.Contains("invalid_client", log, StringComparison.Ordinal);
        Assert.Contains("wrong name or password", log, StringComparison.Ordinal);
        string[] secrets =
        [
            AccessServer.Password, AccessServer.ReadKey, FakeProvider.Secret, "another secret", "a-wrong-guess", "a-wrong-password",
            "half-a-password", .. provider.GivenOut,
            // Of the sign-in's own two cookies the names count; their values are one letter.
            .. browser.Cookies.GetAllCookies().Select(cookie => cookie.Value.Length > 1 ? cookie.Value : cookie.Name), browser.CsrfToken!,
        ];
        Assert.All(secrets, secret => Assert.DoesNotContain(secret, log, StringComparison.Ordinal));
    }

    /// <summary>Does what a browser does: goes to the provider, and returns the address that the provider redirects to.</summary>
    internal static async Task<string> ToProviderAndBackAsync(Browser browser, string start)
    {
        var away = await browser.GetAsync(start);
        Assert.True(away.Status == HttpStatusCode.Redirect, $"{away.Status}: {away.Text}");
        using var provider = new Browser(new Uri(away.Header("Location")!).GetLeftPart(UriPartial.Authority));
        var back = await provider.GetAsync(new Uri(away.Header("Location")!).PathAndQuery);
        Assert.Equal(HttpStatusCode.Redirect, back.Status);
        return new Uri(back.Header("Location")!).PathAndQuery;
    }

    internal static void AssertRefused(Answer answer, HttpStatusCode status, string says)
    {
        Assert.True(status == answer.Status, $"{answer.Status}: {answer.Text}");
        Assert.Contains(says, answer.Json.GetProperty("error").GetString(), StringComparison.Ordinal);
    }
}
