using System.Net;
using NzbDav.Access.Options;
using NzbDav.Access.Accounts;
using NzbDav.Access.Keys;

namespace NzbDav.Api.Tests.QBittorrent;

/// <summary>Who gets access.</summary>
public sealed class SignInTests
{
    [Fact]
    public async Task QBT_01_Without_a_login_every_call_is_forbidden_and_none_is_redirected()
    {
        await using var qbit = await QbitFixture.OpenAsync();
        foreach (var call in new[] { "app/webapiVersion", "app/version", "torrents/info", "sync/maindata", "nonsense/call" })
        {
            using var response = await qbit.SendAsync(HttpMethod.Get, call, body: null, ("Accept", "*/*"));
            Assert.Equal((HttpStatusCode.Forbidden, "Forbidden"), (response.StatusCode, await response.Content.ReadAsStringAsync()));
            Assert.Equal("text/plain", response.Content.Headers.ContentType!.MediaType);
        }
    }

    [Theory]
    [InlineData("sonarr", SabFixture.ClientKey)]
    [InlineData("", SabFixture.Key)]
    [InlineData(QbitFixture.User, QbitFixture.Password)]
    public async Task QBT_01_A_key_or_a_user_s_password_logs_in_and_the_cookie_opens_the_calls(string user, string password)
    {
        await using var qbit = await QbitFixture.OpenAsync();
        await qbit.AddUserAsync();
        using var login = await qbit.PostAsync("auth/login", new() { ["username"] = user, ["password"] = password }, ("Accept", "*/*"));
        Assert.Equal((HttpStatusCode.OK, "Ok."), (login.StatusCode, await login.Content.ReadAsStringAsync()));
        var cookie = Assert.Single(login.Headers.GetValues("Set-Cookie"));
        Assert.Matches("^SID=[0-9a-f]{48}; HttpOnly; path=/; SameSite=Lax$", cookie);
        Assert.Equal(HttpStatusCode.OK, await StatusAsync(qbit, "torrents/info", cookie.Split(';')[0]));

        // Later versions name the cookie after their port. A client returns the cookie under the name that it received.
        Assert.Equal(HttpStatusCode.OK,
            await StatusAsync(qbit, "torrents/info", cookie.Split(';')[0].Replace("SID=", "QBT_SID_8080=", StringComparison.Ordinal)));
        using var logout = await qbit.SendAsync(HttpMethod.Post, "auth/logout", body: null, ("Cookie", cookie.Split(';')[0]));
        Assert.Equal(HttpStatusCode.OK, logout.StatusCode);
        Assert.Equal(HttpStatusCode.Forbidden, await StatusAsync(qbit, "torrents/info", cookie.Split(';')[0]));
    }

    [Fact]
    public async Task QBT_01_A_wrong_login_fails_with_200_and_after_five_different_ones_the_address_is_told_that_it_is_banned()
    {
        await using var qbit = await QbitFixture.OpenAsync();

        // The same wrong login repeated comes from a client with outdated settings.
        for (var i = 0; i < 8; i++)
            Assert.Equal(
                (HttpStatusCode.OK, "Fails."), await qbit.DoAsync("auth/login", new() { ["username"] = "a", ["password"] = "old" }));
        for (var i = 0; i < 3; i++)
            Assert.Equal(
                (HttpStatusCode.OK, "Fails."), await qbit.DoAsync("auth/login", new() { ["username"] = "a", ["password"] = $"guess {i}" }));
        Assert.Equal(
            HttpStatusCode.Forbidden, (await qbit.DoAsync("auth/login", new() { ["username"] = "a", ["password"] = "guess 4" })).Status);
        var (status, text) = await qbit.DoAsync("auth/login", new() { ["username"] = "a", ["password"] = "guess 5" });
        Assert.Equal(HttpStatusCode.Forbidden, status);
        Assert.Contains("banned", text, StringComparison.Ordinal);

        // Behind the same address may be the owner: the right password is looked at, and ends the ban.
        await qbit.LogInAsync();
        Assert.Equal(
            (HttpStatusCode.OK, "Fails."), await qbit.DoAsync("auth/login", new() { ["username"] = "a", ["password"] = "guess 6" }));
    }

    [Fact]
    public async Task QBT_01_A_session_ends_after_an_hour_without_use()
    {
        await using var qbit = await QbitFixture.OpenAsync();
        var cookie = await qbit.LogInAsync();
        for (var i = 0; i < 3; i++)
        {
            qbit.Inner.Time.Advance(TimeSpan.FromMinutes(40));
            Assert.Equal(HttpStatusCode.OK, await StatusAsync(qbit, "app/version", cookie));
        }

        qbit.Inner.Time.Advance(TimeSpan.FromMinutes(60));
        Assert.Equal(HttpStatusCode.Forbidden, await StatusAsync(qbit, "app/version", cookie));
    }

    [Fact]
    public async Task QBT_01_A_session_ends_when_its_key_or_password_changes()
    {
        await using var qbit = await QbitFixture.OpenAsync();
        await qbit.AddUserAsync();
        var byKey = await qbit.LogInAsync();
        var byUser = await qbit.LogInAsync(QbitFixture.User, QbitFixture.Password);
        qbit.Inner.Get<ApiKeys>().Replace("another-full-key", "another-client-key", add: null, read: null);
        Assert.Equal(HttpStatusCode.Forbidden, await StatusAsync(qbit, "app/version", byKey));
        Assert.Equal(HttpStatusCode.OK, await StatusAsync(qbit, "app/version", byUser));
        await qbit.Inner.Get<UserAccounts>().SetPasswordAsync(QbitFixture.User, "quite another one", CancellationToken.None);
        Assert.Equal(HttpStatusCode.Forbidden, await StatusAsync(qbit, "app/version", byUser));
    }

    [Theory]
    [InlineData("Bearer " + SabFixture.ClientKey, HttpStatusCode.OK)]
    [InlineData("bearer " + SabFixture.Key, HttpStatusCode.OK)]
    [InlineData("Bearer wrong", HttpStatusCode.Forbidden)]
    [InlineData("Basic c29uYXJyOnNlY3JldA==", HttpStatusCode.Forbidden)]
    public async Task QBT_01_A_bearer_key_needs_no_login_and_basic_credentials_are_never_a_401(
        string authorization, HttpStatusCode expected)
    {
        await using var qbit = await QbitFixture.OpenAsync();
        using var response = await qbit.SendAsync(HttpMethod.Get, "app/webapiVersion", body: null, ("Authorization", authorization));
        Assert.Equal(expected, response.StatusCode);
        var cookie = await qbit.LogInAsync();
        using var both = await qbit.SendAsync(
            HttpMethod.Get, "app/webapiVersion", body: null, ("Authorization", "Basic c29uYXJyOnNlY3JldA=="), ("Cookie", cookie));
        Assert.Equal(HttpStatusCode.OK, both.StatusCode);
    }

    [Fact]
    public async Task QBT_01_A_trusted_network_needs_no_login()
    {
        await using var qbit = await QbitFixture.OpenAsync(options => options with { Networks = [IPNetwork.Parse("127.0.0.0/8")] });
        Assert.Equal(HttpStatusCode.OK, await StatusAsync(qbit, "torrents/info", "x=y"));

        // A client that logs in anyway succeeds with any credentials, as in qBittorrent.
        await qbit.LogInAsync("anybody", "anything");

        // A foreign site can make its host name resolve to this network.
        using var rebound = await qbit.SendAsync(HttpMethod.Get, "torrents/info", body: null, ("Host", "evil.example"));
        Assert.Equal(HttpStatusCode.Forbidden, rebound.StatusCode);
        qbit.Options = qbit.Options with { Networks = [IPNetwork.Parse("10.0.0.0/8")] };
        Assert.Equal(HttpStatusCode.Forbidden, await StatusAsync(qbit, "torrents/info", "x=y"));
        qbit.Options = qbit.Options with { TrustsThisMachine = true };
        Assert.Equal(HttpStatusCode.OK, await StatusAsync(qbit, "torrents/info", "x=y"));

        // Unless the user rules a proxy out, such a request may have come through one that adds nothing.
        var access = qbit.Inner.Get<LiveAccess>();
        access.Replace(new AccessOptions());
        Assert.Equal(HttpStatusCode.Forbidden, await StatusAsync(qbit, "torrents/info", "x=y"));
        qbit.Options = qbit.Options with { Networks = [IPNetwork.Parse("127.0.0.0/8")] };
        Assert.Equal(HttpStatusCode.Forbidden, await StatusAsync(qbit, "torrents/info", "x=y"));
        access.Replace(new AccessOptions { LanHosts = ["nzbdav"] });
        using var named = await qbit.SendAsync(HttpMethod.Get, "torrents/info", body: null, ("Host", "nzbdav:8080"));
        Assert.Equal(HttpStatusCode.OK, named.StatusCode);
    }

    [Theory]
    [InlineData("Origin", "https://evil.example")]
    [InlineData("Referer", "https://evil.example/page")]
    public async Task QBT_01_Cross_site_requests_are_refused(string header, string value)
    {
        await using var qbit = await QbitFixture.OpenAsync();
        var cookie = await qbit.LogInAsync();
        using var foreign = await qbit.SendAsync(HttpMethod.Post, "torrents/delete",
            new FormUrlEncodedContent(new Dictionary<string, string> { ["hashes"] = "all" }), ("Cookie", cookie), (header, value));
        Assert.Equal(HttpStatusCode.Unauthorized, foreign.StatusCode);
        using var own = await qbit.SendAsync(
            HttpMethod.Get, "torrents/info", body: null, ("Cookie", cookie), (header, qbit.Http.BaseAddress!.ToString().TrimEnd('/')));
        Assert.Equal(HttpStatusCode.OK, own.StatusCode);

        // No browser sends a key on its own.
        using var keyed = await qbit.SendAsync(
            HttpMethod.Get, "torrents/info", body: null, ("Authorization", "Bearer " + SabFixture.ClientKey), (header, value));
        Assert.Equal(HttpStatusCode.OK, keyed.StatusCode);
    }

    [Theory]
    [InlineData(SabFixture.ReadKey, "torrents/info", HttpStatusCode.OK)]
    [InlineData(SabFixture.ReadKey, "torrents/delete", HttpStatusCode.Forbidden)]
    [InlineData(SabFixture.ReadKey, "torrents/add", HttpStatusCode.Forbidden)]
    [InlineData(SabFixture.ReadKey, "torrents/export", HttpStatusCode.Forbidden)]
    [InlineData(SabFixture.AddKey, "torrents/add", HttpStatusCode.OK)]
    [InlineData(SabFixture.AddKey, "torrents/info", HttpStatusCode.Forbidden)]
    [InlineData(SabFixture.AddKey, "torrents/delete", HttpStatusCode.Forbidden)]
    public async Task QBT_01_A_key_opens_only_the_calls_it_is_for(string key, string call, HttpStatusCode expected)
    {
        await using var qbit = await QbitFixture.OpenAsync();
        using var response = await qbit.PostAsync(call, new() { ["hashes"] = "all" }, ("Authorization", "Bearer " + key));
        Assert.Equal(expected, response.StatusCode);
    }

    [Fact]
    public async Task Switched_off_it_answers_like_a_server_without_the_interface()
    {
        await using var qbit = await QbitFixture.OpenAsync(options => options with { Enabled = false });
        using var response = await qbit.SendAsync(HttpMethod.Get, "app/webapiVersion");
        Assert.Equal(HttpStatusCode.NotFound, response.StatusCode);
    }

    private static async Task<HttpStatusCode> StatusAsync(QbitFixture qbit, string call, string cookie)
    {
        using var response = await qbit.SendAsync(HttpMethod.Get, call, body: null, ("Cookie", cookie));
        return response.StatusCode;
    }
}
