using System.Globalization;
using System.Net;
using NzbDav.Access.Accounts;
using NzbDav.Access.Tests.Running;
using NzbDav.Catalog.Users;

namespace NzbDav.Access.Tests;

/// <summary>Sessions of users with a password.</summary>
public sealed class SessionTests
{
    [Fact]
    public async Task The_right_password_gives_an_HttpOnly_cookie()
    {
        await using var server = await AccessServer.StartAsync();
        using var browser = server.NewBrowser();
        foreach (var (name, password) in new[] { (AccessServer.User, "wrong password"), ("bert", AccessServer.Password), ("", ""),
            (AccessServer.User, AccessServer.Password.ToUpperInvariant()) })
        {
            var refused = await browser.PostAsync("/api/v1/session", new { username = name, password });
            Assert.Equal(HttpStatusCode.Unauthorized, refused.Status);
            Assert.Equal("The name or the password is wrong.", refused.Json.GetProperty("error").GetString());
            Assert.Empty(refused.SetCookies);
        }

        var answer = await browser.PostAsync("/api/v1/session", new { username = "ÄNNE", password = AccessServer.Password });
        Assert.Equal(HttpStatusCode.OK, answer.Status);
        Assert.Equal(AccessServer.User, answer.Json.GetProperty("username").GetString());
        var cookie = answer.SetCookie("nzbdav.session")!;
        Assert.Contains("; path=/;", cookie, StringComparison.Ordinal);
        Assert.Contains("; httponly", cookie, StringComparison.Ordinal);
        Assert.Contains("; samesite=lax", cookie, StringComparison.Ordinal);
        Assert.DoesNotContain("; secure", cookie, StringComparison.Ordinal);
        var expires = cookie.Split("expires=")[1].Split(';')[0];
        Assert.Equal(server.Clock.GetUtcNow().AddDays(30), DateTimeOffset.Parse(expires, CultureInfo.InvariantCulture));
        Assert.Equal("seen", (await browser.GetAsync("/api/v1/look")).Text);
    }

    [Fact]
    public async Task Signing_out_ends_the_session_in_this_browser()
    {
        await using var server = await AccessServer.StartAsync();
        using var browser = await server.SignedInAsync();
        Assert.Equal(HttpStatusCode.NoContent, (await browser.SendAsync(HttpMethod.Delete, "/api/v1/session", body: null)).Status);
        Assert.Equal(HttpStatusCode.Unauthorized, (await browser.GetAsync("/api/v1/look")).Status);
        Assert.Equal("signedOut", (await browser.GetAsync("/api/v1/session")).Json.GetProperty("state").GetString());
    }

    [Fact]
    public async Task Asking_for_the_session_logs_no_warning_and_is_not_cacheable()
    {
        await using var server = await AccessServer.StartAsync();
        using var browser = await server.SignedInAsync();
        var answer = await browser.GetAsync("/api/v1/session");
        Assert.NotEqual("", answer.Json.GetProperty("csrfToken").GetString());
        Assert.Contains("no-store", answer.Header("Cache-Control"), StringComparison.Ordinal);
        Assert.DoesNotContain(server.Log.All, line => line.StartsWith("Warning", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_long_answer_notices_that_its_session_has_ended()
    {
        await using var server = await AccessServer.StartAsync();
        using var browser = await server.SignedInAsync();
        Assert.Equal("Full, then None", (await browser.GetAsync("/api/v1/lasting")).Text);
    }

    [Fact]
    public async Task A_session_survives_a_restart()
    {
        var first = await AccessServer.StartAsync();
        using var browser = await first.SignedInAsync();
        var cookies = browser.Cookies.GetCookieHeader(new Uri(first.Root));
        var folder = await first.StopAsync();
        try
        {
            await using var second = await AccessServer.StartAsync(folder: folder, clock: first.Clock);
            using var http = new HttpClient(new SocketsHttpHandler { UseCookies = false }) { BaseAddress = new Uri(second.Root) };
            using var request = new HttpRequestMessage(HttpMethod.Get, "/api/v1/look");
            request.Headers.Add("Cookie", cookies);
            using var response = await http.SendAsync(request);
            Assert.Equal(HttpStatusCode.OK, response.StatusCode);
            Assert.NotEmpty(Directory.GetFiles(Path.Combine(folder, "keys"), "*.xml"));
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [Fact]
    public async Task A_session_lasts_thirty_days_from_its_last_use()
    {
        await using var server = await AccessServer.StartAsync();
        using var browser = await server.SignedInAsync();
        server.Clock.Advance(TimeSpan.FromDays(20));
        Assert.NotNull((await browser.GetAsync("/api/v1/look")).SetCookie("nzbdav.session"));
        server.Clock.Advance(TimeSpan.FromDays(20));
        Assert.Equal(HttpStatusCode.OK, (await browser.GetAsync("/api/v1/look")).Status);
        server.Clock.Advance(TimeSpan.FromDays(31));
        Assert.Equal(HttpStatusCode.Unauthorized, (await browser.GetAsync("/api/v1/look")).Status);
    }

    [Fact]
    public async Task A_changed_password_ends_the_other_sessions_of_the_user()
    {
        await using var server = await AccessServer.StartAsync();
        using var here = await server.SignedInAsync();
        using var there = await server.SignedInAsync();
        var path = $"/api/v1/users/{Uri.EscapeDataString(AccessServer.User)}/password";
        Assert.Equal(HttpStatusCode.Forbidden,
            (await here.SendAsync(HttpMethod.Put, path, new { current = "not this one", password = "another long one" })).Status);
        Assert.Equal(HttpStatusCode.Forbidden, (await here.SendAsync(HttpMethod.Put, path, new { password = "another long one" })).Status);
        Assert.Equal(HttpStatusCode.BadRequest,
            (await here.SendAsync(HttpMethod.Put, path, new { current = AccessServer.Password, password = "short" })).Status);
        Assert.Equal(HttpStatusCode.OK, (await there.GetAsync("/api/v1/look")).Status);

        Assert.Equal(HttpStatusCode.NoContent,
            (await here.SendAsync(HttpMethod.Put, path, new { current = AccessServer.Password, password = "another long one" })).Status);
        Assert.Equal(HttpStatusCode.OK, (await here.GetAsync("/api/v1/look")).Status);
        Assert.Equal(HttpStatusCode.OK, (await here.PostAsync("/api/v1/change")).Status);
        Assert.Equal(HttpStatusCode.Unauthorized, (await there.GetAsync("/api/v1/look")).Status);
        using var anew = server.NewBrowser();
        Assert.Equal(HttpStatusCode.Unauthorized,
            (await anew.PostAsync("/api/v1/session", new { username = AccessServer.User, password = AccessServer.Password })).Status);
        Assert.Equal(HttpStatusCode.OK,
            (await anew.PostAsync("/api/v1/session", new { username = AccessServer.User, password = "another long one" })).Status);
    }

    [Fact]
    public async Task Users_can_be_added_and_removed_except_the_last()
    {
        await using var server = await AccessServer.StartAsync();
        using var browser = await server.SignedInAsync();
        await browser.ConfirmAsync();
        Assert.Equal(HttpStatusCode.Created,
            (await browser.PostAsync("/api/v1/users", new { username = "bert", password = "long enough too" })).Status);
        Assert.Equal(HttpStatusCode.Conflict,
            (await browser.PostAsync("/api/v1/users", new { username = "BERT", password = "long enough too" })).Status);
        Assert.Equal(["bert", AccessServer.User], (await browser.GetAsync("/api/v1/users")).Json.GetProperty("users").EnumerateArray()
            .Select(user => user.GetProperty("username").GetString()!));
        Assert.DoesNotContain("hash", (await browser.GetAsync("/api/v1/users")).Text, StringComparison.OrdinalIgnoreCase);

        using var bert = server.NewBrowser();
        Assert.Equal(
            HttpStatusCode.OK, (await bert.PostAsync("/api/v1/session", new { username = "bert", password = "long enough too" })).Status);
        Assert.Equal(HttpStatusCode.NoContent, (await browser.SendAsync(HttpMethod.Delete, "/api/v1/users/Bert", body: null)).Status);
        Assert.Equal(HttpStatusCode.Unauthorized, (await bert.GetAsync("/api/v1/look")).Status);
        Assert.Equal(HttpStatusCode.NotFound, (await browser.SendAsync(HttpMethod.Delete, "/api/v1/users/bert", body: null)).Status);
        Assert.Equal(HttpStatusCode.Conflict,
            (await browser.SendAsync(HttpMethod.Delete, $"/api/v1/users/{Uri.EscapeDataString(AccessServer.User)}", body: null)).Status);
        Assert.Equal(HttpStatusCode.OK, (await browser.GetAsync("/api/v1/look")).Status);
    }

    [Fact]
    public async Task A_password_with_a_weaker_hash_is_rehashed_when_it_is_used()
    {
        await using var server = await AccessServer.StartAsync();
        using var browser = await server.SignedInAsync();
        var before = await server.Accounts.FindAsync(AccessServer.User, CancellationToken.None);
        var store = (UserStore)server.Services.GetService(typeof(UserStore))!;
        var harder = new UserAccounts(store, server.Clock, AccessServer.Iterations * 2);
        Assert.Null(await harder.CheckAsync(AccessServer.User, "wrong password", CancellationToken.None));
        Assert.Equal(before, await server.Accounts.FindAsync(AccessServer.User, CancellationToken.None));
        Assert.NotNull(await harder.CheckAsync(AccessServer.User, AccessServer.Password, CancellationToken.None));
        var after = await server.Accounts.FindAsync(AccessServer.User, CancellationToken.None);
        Assert.NotEqual(before!.Hash, after!.Hash);
        Assert.Equal(HttpStatusCode.OK, (await browser.GetAsync("/api/v1/look")).Status);
        Assert.NotNull(await harder.CheckAsync(AccessServer.User, AccessServer.Password, CancellationToken.None));
        Assert.Equal(after, await server.Accounts.FindAsync(AccessServer.User, CancellationToken.None));
    }

    [Fact]
    public async Task An_unknown_name_takes_as_much_work_as_a_wrong_password()
    {
        await using var server = await AccessServer.StartAsync();
        var store = (UserStore)server.Services.GetService(typeof(UserStore))!;
        foreach (var name in new[] { AccessServer.User, "nobody" })
        {
            var hasher = new CountingHasher();
            var accounts = new UserAccounts(store, server.Clock, hasher);
            for (var attempt = 1; attempt <= 3; attempt++)
            {
                Assert.Null(await accounts.CheckAsync(name, "wrong password", CancellationToken.None));
                Assert.Equal((1, attempt), (hasher.Hashed, hasher.Verified));
            }
        }
    }

    [Fact]
    public async Task A_tampered_cookie_is_ignored()
    {
        await using var server = await AccessServer.StartAsync();
        using var browser = await server.SignedInAsync();
        var cookie = browser.Cookies.GetCookies(new Uri(server.Root))["nzbdav.session"]!;
        cookie.Value = cookie.Value[..20] + (cookie.Value[20] == 'A' ? 'B' : 'A') + cookie.Value[21..];
        Assert.Equal(HttpStatusCode.Unauthorized, (await browser.GetAsync("/api/v1/look")).Status);
    }

    [Theory]
    [InlineData("text/plain", "{}", HttpStatusCode.UnsupportedMediaType)]
    [InlineData("application/json", "{", HttpStatusCode.BadRequest)]
    [InlineData("application/json", "[1]", HttpStatusCode.BadRequest)]
    [InlineData("application/json", "null", HttpStatusCode.BadRequest)]
    [InlineData("application/json", "{\"username\":5}", HttpStatusCode.BadRequest)]
    public async Task An_invalid_sign_in_body_is_refused(string type, string body, HttpStatusCode status)
    {
        await using var server = await AccessServer.StartAsync();
        using var browser = server.NewBrowser();
        var answer = await browser.PostAsync("/api/v1/session", new StringContent(body, System.Text.Encoding.UTF8, type));
        Assert.Equal(status, answer.Status);
        if (status == HttpStatusCode.BadRequest)
            Assert.NotEmpty(answer.Json.GetProperty("error").GetString()!);
    }

    [Fact]
    public async Task An_endless_body_is_refused()
    {
        await using var server = await AccessServer.StartAsync();
        using var browser = server.NewBrowser();
        var answer = await browser.PostAsync("/api/v1/session", new { username = "anna", password = new string('x', 100_000) });
        Assert.Equal(HttpStatusCode.RequestEntityTooLarge, answer.Status);
    }
}
