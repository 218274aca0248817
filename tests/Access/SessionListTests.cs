using System.Net;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Access.Sessions;
using NzbDav.Access.Tests.Running;
using NzbDav.Catalog.Users;

namespace NzbDav.Access.Tests;

/// <summary>Listing the browsers that are signed in, and ending their sessions from elsewhere.</summary>
public sealed class SessionListTests
{
    private const string Firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

    [Fact]
    public async Task Users_see_their_own_sessions_with_program_and_address()
    {
        await using var server = await AccessServer.StartAsync();
        using var here = await server.SignedInAsync();
        using var there = await server.SignedInAsync();
        using var bert = await server.SignedInAsync("bert", UserRole.Viewer);
        server.Clock.Advance(TimeSpan.FromMinutes(5));
        await there.GetAsync("/api/v1/look", ("User-Agent", Firefox), (AccessServer.Peer, "192.0.2.7"));

        var own = (await here.GetAsync("/api/v1/sessions")).Json.GetProperty("sessions").EnumerateArray().ToArray();
        Assert.Equal(2, own.Length);
        var other = Assert.Single(own, session => !session.GetProperty("current").GetBoolean());
        Assert.Equal(("Firefox on Linux", "192.0.2.7", "password"),
            (other.GetProperty("program").GetString(), other.GetProperty("address").GetString(), other.GetProperty("via").GetString()));
        var now = server.Clock.GetUtcNow();
        Assert.Equal(now.AddTicks(-(now.Ticks % TimeSpan.TicksPerMinute)), other.GetProperty("lastSeen").GetDateTimeOffset());
        Assert.Equal(3, (await here.GetAsync("/api/v1/sessions?all=true")).Json.GetProperty("sessions").GetArrayLength());
        Assert.Equal("bert", Assert.Single((await bert.GetAsync("/api/v1/sessions")).Json.GetProperty("sessions").EnumerateArray())
            .GetProperty("username").GetString());
        Assert.Equal(HttpStatusCode.Forbidden, (await bert.GetAsync("/api/v1/sessions?all=true")).Status);
    }

    [Fact]
    public async Task An_ended_session_is_refused_at_its_next_request_and_after_a_restart()
    {
        var server = await AccessServer.StartAsync();
        using var here = await server.SignedInAsync();
        using var there = await server.SignedInAsync();
        var id = await OtherAsync(here);
        Assert.Equal(HttpStatusCode.NoContent, (await here.SendAsync(HttpMethod.Delete, $"/api/v1/sessions/{id}", body: null)).Status);
        var cookies = there.Cookies.GetCookieHeader(new Uri(server.Root));
        Assert.Equal(HttpStatusCode.Unauthorized, (await there.GetAsync("/api/v1/look")).Status);
        Assert.Equal(HttpStatusCode.OK, (await here.GetAsync("/api/v1/look")).Status);
        Assert.Equal(HttpStatusCode.NotFound, (await here.SendAsync(HttpMethod.Delete, $"/api/v1/sessions/{id}", body: null)).Status);
        var kept = here.Cookies.GetCookieHeader(new Uri(server.Root));
        var folder = await server.StopAsync();
        try
        {
            await using var again = await AccessServer.StartAsync(folder: folder, clock: server.Clock);
            Assert.Equal(HttpStatusCode.Unauthorized, (await again.AskAsync("/api/v1/look", cookies)).Status);
            Assert.Equal(HttpStatusCode.OK, (await again.AskAsync("/api/v1/look", kept)).Status);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [Fact]
    public async Task Only_administrators_end_the_sessions_of_others()
    {
        await using var server = await AccessServer.StartAsync();
        using var admin = await server.SignedInAsync();
        using var bert = await server.SignedInAsync("bert", UserRole.Operator);
        var ofAdmin = (await admin.GetAsync("/api/v1/sessions")).Json.GetProperty("sessions")[0].GetProperty("id").GetString();
        var ofBert = (await bert.GetAsync("/api/v1/sessions")).Json.GetProperty("sessions")[0].GetProperty("id").GetString();
        Assert.Equal(HttpStatusCode.NotFound, (await bert.SendAsync(HttpMethod.Delete, $"/api/v1/sessions/{ofAdmin}", body: null)).Status);
        Assert.Equal(HttpStatusCode.OK, (await admin.GetAsync("/api/v1/look")).Status);
        Assert.Equal(HttpStatusCode.NoContent, (await admin.SendAsync(HttpMethod.Delete, $"/api/v1/sessions/{ofBert}", body: null)).Status);
        Assert.Equal(HttpStatusCode.Unauthorized, (await bert.GetAsync("/api/v1/look")).Status);
    }

    [Fact]
    public async Task All_other_sessions_of_a_user_end_together()
    {
        await using var server = await AccessServer.StartAsync();
        using var here = await server.SignedInAsync();
        using var there = await server.SignedInAsync();
        using var elsewhere = await server.SignedInAsync();
        using var bert = await server.SignedInAsync("bert", UserRole.Viewer);
        Assert.Equal(HttpStatusCode.NoContent, (await here.SendAsync(HttpMethod.Delete, "/api/v1/sessions", body: null)).Status);
        Assert.Equal(
            [HttpStatusCode.OK, HttpStatusCode.Unauthorized, HttpStatusCode.Unauthorized, HttpStatusCode.OK],
            [(await here.GetAsync("/api/v1/look")).Status, (await there.GetAsync("/api/v1/look")).Status,
                (await elsewhere.GetAsync("/api/v1/look")).Status, (await bert.GetAsync("/api/v1/look")).Status]);
    }

    [Fact]
    public async Task A_cookie_is_invalid_after_signing_out()
    {
        await using var server = await AccessServer.StartAsync();
        using var browser = await server.SignedInAsync();
        var cookies = browser.Cookies.GetCookieHeader(new Uri(server.Root));
        Assert.Equal(HttpStatusCode.NoContent, (await browser.SendAsync(HttpMethod.Delete, "/api/v1/session", body: null)).Status);
        Assert.Equal(HttpStatusCode.Unauthorized, (await server.AskAsync("/api/v1/look", cookies)).Status);
        Assert.Empty(await server.Sessions.ListAsync(CancellationToken.None));
    }

    [Fact]
    public async Task Requests_update_the_last_seen_time_at_most_once_a_minute()
    {
        await using var server = await AccessServer.StartAsync();
        using var browser = await server.SignedInAsync();
        var begun = Assert.Single(await server.Sessions.ListAsync(CancellationToken.None)).Seen;
        server.Clock.Advance(TimeSpan.FromSeconds(59));
        for (var request = 0; request < 5; request++)
            await browser.GetAsync("/api/v1/look", ("User-Agent", Firefox));
        Assert.Equal((begun, null), Row(await server.Sessions.ListAsync(CancellationToken.None)));

        server.Clock.Advance(TimeSpan.FromSeconds(2));
        await browser.GetAsync("/api/v1/look", ("User-Agent", Firefox));
        await Fakes.Until.TrueAsync(
            async () => Row(await server.Sessions.ListAsync(CancellationToken.None)) == (begun.AddMinutes(1), "Firefox on Linux"));
        Assert.Equal(begun.AddMinutes(1), (await server.Accounts.FindAsync(AccessServer.User, CancellationToken.None))!.LastSeen);

        static (DateTimeOffset, string?) Row(IReadOnlyList<StoredSession> sessions) => (sessions[0].Seen, sessions[0].Program);
    }

    [Fact]
    public async Task Expired_session_rows_are_removed()
    {
        await using var server = await AccessServer.StartAsync();
        using var old = await server.SignedInAsync();
        server.Clock.Advance(TimeSpan.FromDays(31));
        using var browser = await server.SignedInAsync();
        Assert.Equal(1, (await browser.GetAsync("/api/v1/sessions")).Json.GetProperty("sessions").GetArrayLength());
        await Fakes.Until.TrueAsync(async () => (await server.Sessions.ListAsync(CancellationToken.None)).Count == 1);
    }

    [Fact]
    public async Task The_number_of_sessions_per_user_is_limited_and_the_oldest_end()
    {
        await using var server = await AccessServer.StartAsync();
        using var first = await server.SignedInAsync();
        for (var number = 1; number < SessionRegistry.MostPerUser; number++)
        {
            server.Clock.Advance(TimeSpan.FromMinutes(1));
            (await server.SignedInAsync()).Dispose();
        }

        Assert.Equal(HttpStatusCode.OK, (await first.GetAsync("/api/v1/look")).Status);
        var before = await server.Sessions.ListAsync(CancellationToken.None);
        server.Clock.Advance(TimeSpan.FromMinutes(1));
        using var last = await server.SignedInAsync();
        Assert.Equal(SessionRegistry.MostPerUser, (await server.Sessions.ListAsync(CancellationToken.None)).Count);
        Assert.DoesNotContain(before.OrderBy(session => session.StartedAt).ElementAt(1).Id,
            (await server.Sessions.ListAsync(CancellationToken.None)).Select(session => session.Id));
        Assert.Equal(HttpStatusCode.OK, (await first.GetAsync("/api/v1/look")).Status);
    }

    [Fact]
    public async Task Any_role_can_change_its_own_password_which_ends_the_other_sessions()
    {
        await using var server = await AccessServer.StartAsync();
        using var here = await server.SignedInAsync("bert", UserRole.Viewer);
        using var there = await server.SignedInAgainAsync("bert");
        var path = "/api/v1/session/password";
        Assert.Equal(HttpStatusCode.Forbidden,
            (await here.SendAsync(HttpMethod.Put, path, new { old = "not this one", @new = "another long one" })).Status);
        Assert.Equal(HttpStatusCode.BadRequest,
            (await here.SendAsync(HttpMethod.Put, path, new { old = AccessServer.Password, @new = "short" })).Status);
        Assert.Equal(HttpStatusCode.OK, (await there.GetAsync("/api/v1/look")).Status);
        Assert.Equal(HttpStatusCode.OK,
            (await here.SendAsync(HttpMethod.Put, path, new { old = AccessServer.Password, @new = "another long one" })).Status);
        Assert.Equal(HttpStatusCode.OK, (await here.GetAsync("/api/v1/look")).Status);
        Assert.Equal(HttpStatusCode.Unauthorized, (await there.GetAsync("/api/v1/look")).Status);
        Assert.Equal(1, (await here.GetAsync("/api/v1/sessions")).Json.GetProperty("sessions").GetArrayLength());
        Assert.Equal(HttpStatusCode.Conflict, (await here.SendAsync(
            HttpMethod.Put, path, new { old = "x", @new = "another long one" }, ("X-Api-Key", AccessServer.FullKey))).Status);
    }

    [Theory]
    [InlineData(
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0",
        "Edge on Windows")]
    [InlineData(
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 " +
        "Safari/604.1", "Safari on iPhone")]
    [InlineData("Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36",
        "Chrome on Android")]
    [InlineData("curl/8.14.1", "curl")]
    [InlineData("", null)]
    [InlineData(null, null)]
    public void User_agents_are_shown_as_short_names(string? userAgent, string? name) => Assert.Equal(name, ProgramName.Of(userAgent));

    private static async Task<string> OtherAsync(Browser browser) =>
        (await browser.GetAsync("/api/v1/sessions")).Json.GetProperty("sessions").EnumerateArray()
        .Single(session => !session.GetProperty("current").GetBoolean()).GetProperty("id").GetString()!;
}
