using System.Net;
using NzbDav.Access.Accounts;
using NzbDav.Access.Callers;
using NzbDav.Access.Keys;
using NzbDav.Access.Options;
using NzbDav.Access.Tests.Running;
using NzbDav.Catalog.Users;

namespace NzbDav.Access.Tests;

/// <summary>Keys, and the rights that routes require.</summary>
public sealed class RuleTests
{
    [Theory]
    [InlineData("X-Api-Key", "{0}")]
    [InlineData("Authorization", "Bearer {0}")]
    [InlineData("Authorization", "bearer {0}")]
    public async Task A_key_opens_its_routes_in_a_header(string header, string value)
    {
        await using var server = await AccessServer.StartAsync();
        using var client = server.NewBrowser();
        foreach (var (key, look, add, change) in new[]
        {
            (AccessServer.FullKey, HttpStatusCode.OK, HttpStatusCode.OK, HttpStatusCode.OK),
            (AccessServer.ClientKey, HttpStatusCode.Forbidden, HttpStatusCode.Forbidden, HttpStatusCode.Forbidden),
            (AccessServer.AddKey, HttpStatusCode.Forbidden, HttpStatusCode.OK, HttpStatusCode.Forbidden),
            (AccessServer.ReadKey, HttpStatusCode.OK, HttpStatusCode.Forbidden, HttpStatusCode.Forbidden),
            ("a-wrong-key", HttpStatusCode.Unauthorized, HttpStatusCode.Unauthorized, HttpStatusCode.Unauthorized),
        })
        {
            var sent = (header, string.Format(System.Globalization.CultureInfo.InvariantCulture, value, key));
            Assert.Equal(look, (await client.GetAsync("/api/v1/look", sent)).Status);
            Assert.Equal(add, (await client.PostAsync("/api/v1/add", null, sent)).Status);
            Assert.Equal(change, (await client.PostAsync("/api/v1/change", null, sent)).Status);
        }
    }

    /// <summary>Addresses end up in the logs of proxies and the history of browsers.</summary>
    [Fact]
    public async Task A_key_in_the_address_opens_nothing_and_is_no_guess()
    {
        await using var server = await AccessServer.StartAsync();
        using var client = server.NewBrowser();
        for (var i = 0; i < 12; i++)
            Assert.Equal(HttpStatusCode.Unauthorized, (await client.GetAsync($"/api/v1/look?apikey=wrong{i}")).Status);
        Assert.Equal(HttpStatusCode.Unauthorized, (await client.GetAsync($"/api/v1/look?apikey={AccessServer.ReadKey}")).Status);
        using var signedIn = await server.SignedInAsync();
        Assert.Equal(HttpStatusCode.OK, (await signedIn.GetAsync("/api/v1/look?apikey=wrong")).Status);
    }

    [Theory]
    [InlineData("GET", "/api/v1/nothing-here", HttpStatusCode.NotFound, "GET /api/v1/nothing-here")]
    [InlineData("PATCH", "/api/v1/look", HttpStatusCode.MethodNotAllowed, "PATCH /api/v1/look")]
    [InlineData("GET", "/api/v1/typed?number=many", HttpStatusCode.BadRequest, "GET /api/v1/typed")]
    [InlineData("GET", "/api/v1/broken", HttpStatusCode.InternalServerError, "the log")]
    [InlineData("GET", "/api/v1/full", HttpStatusCode.ServiceUnavailable, "the disk is full, the test says")]
    public async Task Every_refused_call_says_why(string method, string path, HttpStatusCode status, string why)
    {
        await using var server = await AccessServer.StartAsync();
        using var client = server.NewBrowser();
        var answer = await client.SendAsync(new HttpMethod(method), path, null, ("X-Api-Key", AccessServer.FullKey));
        Assert.Equal(status, answer.Status);
        Assert.Contains(why, answer.Json.GetProperty("error").GetString(), StringComparison.Ordinal);
        Assert.Equal(status == HttpStatusCode.InternalServerError,
            server.Log.All.Any(line => line.Contains("GET /api/v1/broken failed", StringComparison.Ordinal)));
    }

    [Fact]
    public async Task A_session_does_not_make_up_for_a_wrong_key()
    {
        await using var server = await AccessServer.StartAsync();
        using var browser = await server.SignedInAsync();
        Assert.Equal(HttpStatusCode.OK, (await browser.GetAsync("/api/v1/look")).Status);
        var answer = await browser.GetAsync("/api/v1/look", ("X-Api-Key", "wrong"));
        Assert.Equal(HttpStatusCode.Unauthorized, answer.Status);
        Assert.StartsWith("Bearer", answer.Header("WWW-Authenticate"), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("/api/v1/forgotten")]
    [InlineData("/API/V1/Forgotten")]
    [InlineData("/api/v1/forgotten/")]
    [InlineData("/api/v1/%66orgotten")]
    public async Task A_route_without_an_access_rule_is_refused_for_everyone(string path)
    {
        await using var server = await AccessServer.StartAsync();
        using var browser = await server.SignedInAsync();
        foreach (var headers in new (string, string)[][] { [], [("X-Api-Key", AccessServer.FullKey)] })
        {
            var answer = await browser.GetAsync(path, headers);
            Assert.Equal(HttpStatusCode.Forbidden, answer.Status);
            Assert.DoesNotContain("leaked", answer.Text, StringComparison.Ordinal);
        }

        Assert.Contains(server.Log.All, line => line.Contains("forgotten does not say who may call it", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Every_own_route_has_an_access_rule()
    {
        await using var server = await AccessServer.StartAsync();
        var silent = server.Routes.Where(
            route => AccessRules.IsNative(route.RoutePattern.RawText) && route.Metadata.GetMetadata<AccessRule>() is null);
        Assert.Equal(["/api/v1/forgotten"], silent.Select(route => route.RoutePattern.RawText!));
        Assert.Throws<ArgumentOutOfRangeException>(() => Microsoft.AspNetCore.Builder.EndpointRouteBuilderExtensions.MapGet(
            Microsoft.AspNetCore.Builder.WebApplication.CreateSlimBuilder().Build(), "/x", () => "").Needs(ApiRights.None));
    }

    [Fact]
    public async Task A_browser_needs_the_token_for_every_change()
    {
        await using var server = await AccessServer.StartAsync();
        using var browser = await server.SignedInAsync();
        var token = browser.CsrfToken!;
        Assert.Equal(HttpStatusCode.OK, (await browser.PostAsync("/api/v1/change")).Status);
        foreach (var wrong in new[] { null, "", "x", token[..^4] + "AAAA" })
        {
            browser.CsrfToken = wrong;
            Assert.Equal(HttpStatusCode.Forbidden, (await browser.PostAsync("/api/v1/change")).Status);
            Assert.Equal(HttpStatusCode.Forbidden, (await browser.SendAsync(HttpMethod.Delete, "/api/v1/session", body: null)).Status);
        }

        // A token issued for another session.
        Assert.Equal(AccountOutcome.Done,
            (await server.Accounts.CreateAsync("bert", "long enough too", UserRole.Administrator, CancellationToken.None)).Outcome);
        using var bert = server.NewBrowser();
        bert.Cookies.Add(browser.Cookies.GetAllCookies().Single(cookie => cookie.Name == "nzbdav.csrf"));
        Assert.Equal(
            HttpStatusCode.OK, (await bert.PostAsync("/api/v1/session", new { username = "bert", password = "long enough too" })).Status);
        bert.CsrfToken = token;
        Assert.Equal(HttpStatusCode.Forbidden, (await bert.PostAsync("/api/v1/change")).Status);

        // A key needs no token, whatever cookies are sent with it.
        Assert.Equal(HttpStatusCode.OK,
            (await bert.PostAsync("/api/v1/change", null, ("X-Api-Key", AccessServer.FullKey), ("Origin", "https://evil.example"))).Status);
        browser.CsrfToken = (await browser.GetAsync("/api/v1/session")).Json.GetProperty("csrfToken").GetString();
        Assert.Equal(HttpStatusCode.OK, (await browser.PostAsync("/api/v1/change")).Status);
    }

    [Fact]
    public async Task Cross_site_requests_are_refused()
    {
        await using var server = await AccessServer.StartAsync();
        using var browser = await server.SignedInAsync();
        var host = new Uri(server.Root).Authority;
        foreach (var (headers, allowed) in new ((string, string)[], bool)[]
        {
            ([], true),
            ([("Origin", server.Root)], true),
            ([("Origin", "https://films.example"), ("Host", "films.example")], true),
            ([("Origin", "https://films.example"), ("Host", "films.example:443")], true),
            ([("Origin", "https://films.example:8443"), ("Host", "films.example:8443")], true),
            ([("Origin", "https://films.example"), ("Host", "films.example:8443")], false),

            // Behind a proxy that passes on the name without the port.
            ([("Origin", "http://films.example:8443"), ("Host", "films.example")], false),
            ([("Origin", "http://films.example:8443"), ("Host", "films.example"), ("X-Forwarded-For", "192.0.2.7"),
                ("X-Real-IP", "192.0.2.7")], true),
            ([("Origin", "http://films.example:8443"), ("Host", "films.example"), ("X-Forwarded-For", "192.0.2.7"),
                ("X-Forwarded-Port", "8443")], true),
            ([("Origin", "http://films.example:9000"), ("Host", "films.example"), ("X-Forwarded-For", "192.0.2.7"),
                ("X-Forwarded-Port", "8443")], false),
            ([("Origin", "http://films.example:9000"), ("Host", "films.example:8443"), ("X-Forwarded-For", "192.0.2.7")], false),
            ([("Origin", "http://evil.example:8443"), ("Host", "films.example"), ("X-Forwarded-For", "192.0.2.7")], false),
            ([("Origin", "https://films.example:8443"), ("Host", "gateway:8080"), ("X-Forwarded-Host", "films.example:8443")], true),
            ([("Origin", "https://evil.example"), ("Host", "gateway:8080"), ("X-Forwarded-Host", "films.example:8443")], false),
            ([("Origin", "https://evil.example")], false),
            ([("Origin", $"http://{host}.evil.example")], false),
            ([("Origin", "null")], false),
            ([("Sec-Fetch-Site", "same-origin")], true),
            ([("Sec-Fetch-Site", "none")], true),
            ([("Sec-Fetch-Site", "same-site")], false),
            ([("Sec-Fetch-Site", "cross-site"), ("Origin", server.Root)], false),
        })
        {
            var expected = allowed ? HttpStatusCode.OK : HttpStatusCode.Forbidden;
            Assert.True(expected == (await browser.PostAsync("/api/v1/change", null, headers)).Status, string.Join(' ', headers));
            using var anew = server.NewBrowser();
            Assert.True(expected == (await anew.PostAsync("/api/v1/session",
                new { username = AccessServer.User, password = AccessServer.Password }, headers)).Status, string.Join(' ', headers));
        }
    }

    [Fact]
    public async Task Sites_that_the_user_names_may_show_the_page_in_a_frame()
    {
        await using var server = await AccessServer.StartAsync(
            new AccessOptions { Frames = ["https://home.example.com", "http://192.168.1.5:8123"] });
        using var browser = server.NewBrowser();
        var answer = await browser.GetAsync("/where");
        Assert.EndsWith("frame-ancestors 'self' https://home.example.com http://192.168.1.5:8123", answer.Header("Content-Security-Policy"),
            StringComparison.Ordinal);
        Assert.Null(answer.Header("X-Frame-Options"));
        server.Access.Replace(new AccessOptions());
        answer = await browser.GetAsync("/where");
        Assert.EndsWith("frame-ancestors 'none'", answer.Header("Content-Security-Policy"), StringComparison.Ordinal);
        Assert.Equal("DENY", answer.Header("X-Frame-Options"));
    }

    [Fact]
    public async Task Answers_have_security_headers()
    {
        await using var server = await AccessServer.StartAsync(
            new AccessOptions { Hsts = true, TrustedProxies = [IPNetwork.Parse("127.0.0.0/8")] });
        using var browser = server.NewBrowser();
        foreach (var path in new[] { "/api/v1/session", "/api/v1/look", "/api/v1/none", "/setup", "/health", "/nowhere" })
        {
            var answer = await browser.GetAsync(path);
            Assert.Contains("frame-ancestors 'none'", answer.Header("Content-Security-Policy"), StringComparison.Ordinal);
            Assert.Contains("script-src 'self';", answer.Header("Content-Security-Policy"), StringComparison.Ordinal);
            Assert.Equal("nosniff", answer.Header("X-Content-Type-Options"));
            Assert.Equal("same-origin", answer.Header("Referrer-Policy"));
            Assert.Equal("same-origin", answer.Header("Cross-Origin-Opener-Policy"));
            Assert.NotNull(answer.Header("Permissions-Policy"));
            Assert.Null(answer.Header("Strict-Transport-Security"));
        }

        Assert.Equal(
            "max-age=31536000", (await browser.GetAsync("/health", ("X-Forwarded-Proto", "https"))).Header("Strict-Transport-Security"));
        server.Access.Replace(server.Access.Current with { Hsts = false });
        Assert.Null((await browser.GetAsync("/health", ("X-Forwarded-Proto", "https"))).Header("Strict-Transport-Security"));
    }
}
