using System.Net;
using NzbDav.Access.Accounts;
using NzbDav.Access.Options;
using NzbDav.Access.Tests.Running;
using NzbDav.Catalog.Users;

namespace NzbDav.Access.Tests;

/// <summary>What users of each role may do.</summary>
public sealed class RoleTests
{
    [Theory]
    [InlineData(UserRole.Viewer, "viewer", new[] { "read" }, HttpStatusCode.Forbidden, HttpStatusCode.Forbidden)]
    [InlineData(UserRole.Operator, "operator", new[] { "read", "add", "change" }, HttpStatusCode.OK, HttpStatusCode.Forbidden)]
    [InlineData(UserRole.Administrator, "administrator", new[] { "read", "add", "change", "manage" }, HttpStatusCode.OK, HttpStatusCode.OK)]
    public async Task A_role_opens_only_its_own_routes(
        UserRole role, string name, string[] rights, HttpStatusCode add, HttpStatusCode manage)
    {
        await using var server = await AccessServer.StartAsync();
        using var browser = await server.SignedInAsync("bert", role);
        var session = (await browser.GetAsync("/api/v1/session")).Json;
        Assert.Equal(name, session.GetProperty("role").GetString());
        Assert.Equal(rights, session.GetProperty("rights").EnumerateArray().Select(right => right.GetString()!));
        Assert.Equal(HttpStatusCode.OK, (await browser.GetAsync("/api/v1/look")).Status);
        Assert.Equal(add, (await browser.PostAsync("/api/v1/add")).Status);
        Assert.Equal(manage, (await browser.GetAsync("/api/v1/users")).Status);
        Assert.Equal(manage, (await browser.PostAsync("/api/v1/change")).Status);
    }

    [Fact]
    public async Task A_refusal_names_the_missing_right()
    {
        await using var server = await AccessServer.StartAsync();
        using var browser = await server.SignedInAsync("bert", UserRole.Operator);
        Assert.Equal("You may not do this: it takes the right to manage.",
            (await browser.GetAsync("/api/v1/users")).Json.GetProperty("error").GetString());
    }

    [Fact]
    public async Task A_changed_role_takes_effect_with_the_next_request()
    {
        await using var server = await AccessServer.StartAsync();
        using var admin = await server.SignedInAsync();
        await admin.ConfirmAsync();
        using var bert = await server.SignedInAsync("bert", UserRole.Viewer);
        Assert.Equal(HttpStatusCode.Forbidden, (await bert.PostAsync("/api/v1/add")).Status);
        var changed = await admin.SendAsync(HttpMethod.Patch, "/api/v1/users/BERT", new { role = "operator" });
        Assert.Equal((HttpStatusCode.OK, "operator"), (changed.Status, changed.Json.GetProperty("role").GetString()));
        Assert.Equal(HttpStatusCode.OK, (await bert.PostAsync("/api/v1/add")).Status);
        await admin.SendAsync(HttpMethod.Patch, "/api/v1/users/bert", new { role = "viewer" });
        Assert.Equal(HttpStatusCode.Forbidden, (await bert.PostAsync("/api/v1/add")).Status);
    }

    [Fact]
    public async Task The_last_administrator_can_neither_be_demoted_nor_removed()
    {
        await using var server = await AccessServer.StartAsync();
        using var admin = await server.SignedInAsync();
        await admin.ConfirmAsync();
        using var bert = await server.SignedInAsync("bert", UserRole.Operator);
        var self = $"/api/v1/users/{Uri.EscapeDataString(AccessServer.User)}";
        var demoted = await admin.SendAsync(HttpMethod.Patch, self, new { role = "viewer" });
        Assert.Equal(HttpStatusCode.Conflict, demoted.Status);
        Assert.Contains("The last administrator must stay one", demoted.Text, StringComparison.Ordinal);
        Assert.Equal(HttpStatusCode.Conflict, (await admin.SendAsync(HttpMethod.Delete, self, body: null)).Status);
        Assert.Equal(HttpStatusCode.OK, (await admin.SendAsync(HttpMethod.Patch, self, new { role = "administrator" })).Status);

        // With a second administrator both are possible.
        Assert.Equal(
            HttpStatusCode.OK, (await admin.SendAsync(HttpMethod.Patch, "/api/v1/users/bert", new { role = "administrator" })).Status);
        Assert.Equal(HttpStatusCode.OK, (await admin.SendAsync(HttpMethod.Patch, self, new { role = "viewer" })).Status);
        Assert.Equal(HttpStatusCode.Forbidden, (await admin.GetAsync("/api/v1/users")).Status);
        Assert.Equal(HttpStatusCode.NoContent, (await bert.SendAsync(HttpMethod.Delete, self, body: null)).Status);
        Assert.Equal(HttpStatusCode.Unauthorized, (await admin.GetAsync("/api/v1/look")).Status);
    }

    [Fact]
    public async Task Unknown_roles_and_unknown_users_are_refused()
    {
        await using var server = await AccessServer.StartAsync();
        using var admin = await server.SignedInAsync();
        await admin.ConfirmAsync();
        foreach (var body in new object[] { new { role = "king" }, new { role = 2 }, new { }, new { role = "" } })
            Assert.Equal(HttpStatusCode.BadRequest, (await admin.SendAsync(HttpMethod.Patch, "/api/v1/users/bert", body)).Status);
        Assert.Equal(
            HttpStatusCode.NotFound, (await admin.SendAsync(HttpMethod.Patch, "/api/v1/users/bert", new { role = "viewer" })).Status);
    }

    [Fact]
    public async Task The_first_user_is_an_administrator()
    {
        await using var server = await AccessServer.StartAsync(user: false);
        using var browser = server.NewBrowser();
        var key = ("X-Api-Key", AccessServer.FullKey);
        Assert.Equal(HttpStatusCode.Conflict, (await browser.PostAsync(
            "/api/v1/users", new { username = "bert", password = "long enough too", role = "viewer" }, key)).Status);
        var made = await browser.PostAsync("/api/v1/users", new { username = "bert", password = "long enough too" }, key);
        Assert.Equal((HttpStatusCode.Created, "administrator"), (made.Status, made.Json.GetProperty("role").GetString()));
    }

    [Fact]
    public async Task Users_named_by_a_proxy_have_the_configured_role()
    {
        await using var server = await AccessServer.StartAsync(new AccessOptions
        { TrustedProxies = [IPNetwork.Parse("127.0.0.1/32")], ForwardAuthHeader = "Remote-User", ForwardAuthRole = UserRole.Viewer });
        using var browser = server.NewBrowser();
        var session = await browser.GetAsync("/api/v1/session", ("Remote-User", "carla"));
        Assert.Equal(("carla", "viewer"), (session.Json.GetProperty("username").GetString(), session.Json.GetProperty("role").GetString()));
        Assert.Equal(HttpStatusCode.Forbidden, (await browser.GetAsync("/api/v1/users", ("Remote-User", "carla"))).Status);
    }

    [Fact]
    public async Task Without_users_the_demo_is_open_to_this_machine_only()
    {
        await using var server = await AccessServer.StartAsync(user: false, facts: new ServerFacts("1.2.3", IsDemo: true, IsOpen: true));
        using var browser = server.NewBrowser();
        var session = (await browser.GetAsync("/api/v1/session")).Json;
        Assert.Equal(("signedIn", "administrator", "1.2.3", true), (session.GetProperty("state").GetString(),
            session.GetProperty("role").GetString(), session.GetProperty("version").GetString(), session.GetProperty("demo").GetBoolean()));
        Assert.Equal(HttpStatusCode.Forbidden, (await browser.PostAsync("/api/v1/change")).Status);
        browser.CsrfToken = session.GetProperty("csrfToken").GetString();
        Assert.Equal(HttpStatusCode.OK, (await browser.PostAsync("/api/v1/change")).Status);
        foreach (var header in new[] { (AccessServer.Peer, "192.0.2.1"), ("X-Forwarded-For", "127.0.0.1"), ("Host", "rebound.example") })
            Assert.Equal(HttpStatusCode.Unauthorized, (await browser.GetAsync("/api/v1/look", header)).Status);

        Assert.Equal(
            AccountOutcome.Done, (await server.Accounts.CreateFirstAsync("bert", "long enough too", CancellationToken.None)).Outcome);
        Assert.Equal(HttpStatusCode.Unauthorized, (await browser.GetAsync("/api/v1/look")).Status);
    }

    /// <summary>Somebody else may be using a signed-in browser: what opens everything takes the password once more.</summary>
    [Fact]
    public async Task New_users_roles_and_others_passwords_take_the_own_password_again()
    {
        await using var server = await AccessServer.StartAsync();
        using var admin = await server.SignedInAsync();
        using var bert = await server.SignedInAsync("bert", UserRole.Viewer);
        (HttpMethod Method, string Path, object Body)[] calls =
        [
            (HttpMethod.Post, "/api/v1/users", new { username = "carla", password = "long enough too" }),
            (HttpMethod.Patch, "/api/v1/users/bert", new { role = "administrator" }),
            (HttpMethod.Put, "/api/v1/users/bert/password", new { password = "another long one" }),
        ];
        await RefusedAsync(admin);
        Assert.Equal(
            HttpStatusCode.Forbidden, (await admin.PostAsync("/api/v1/session/confirmation", new { password = "not this one" })).Status);
        await admin.ConfirmAsync();
        var confirmation = admin.Confirmation;

        // Good for this session alone, for two minutes, and with the CSRF token.
        using var other = await server.SignedInAgainAsync(AccessServer.User);
        other.Confirmation = confirmation;
        await RefusedAsync(other);
        admin.Confirmation = "x" + confirmation;
        await RefusedAsync(admin);
        var token = admin.CsrfToken;
        (admin.Confirmation, admin.CsrfToken) = (confirmation, null);
        await RefusedAsync(admin);
        admin.CsrfToken = token;
        server.Clock.Advance(TimeSpan.FromMinutes(2));
        await RefusedAsync(admin);
        await admin.ConfirmAsync();
        foreach (var (method, path, body) in calls)
            Assert.InRange((int)(await admin.SendAsync(method, path, body)).Status, 200, 204);

        async Task RefusedAsync(Browser browser)
        {
            foreach (var (method, path, body) in calls)
                Assert.Equal(HttpStatusCode.Forbidden, (await browser.SendAsync(method, path, body)).Status);
        }
    }

    [Fact]
    public async Task Whoever_has_no_password_confirms_with_that_of_an_administrator_and_a_key_needs_none()
    {
        await using var server = await AccessServer.StartAsync(
            new AccessOptions { TrustedProxies = [IPNetwork.Parse("127.0.0.1/32")], ForwardAuthHeader = "Remote-User" });
        using var browser = server.NewBrowser();
        var carla = ("Remote-User", "carla");
        browser.CsrfToken = (await browser.GetAsync("/api/v1/session", carla)).Json.GetProperty("csrfToken").GetString();
        var user = new { username = "bert", password = "long enough too", role = "viewer" };
        Assert.Equal(HttpStatusCode.Forbidden, (await browser.PostAsync("/api/v1/users", user, carla)).Status);
        Assert.Equal(HttpStatusCode.Forbidden,
            (await browser.PostAsync("/api/v1/session/confirmation", new { password = AccessServer.Password }, carla)).Status);
        var answer = await browser.PostAsync(
            "/api/v1/session/confirmation", new { username = AccessServer.User, password = AccessServer.Password }, carla);
        var confirmation = ("X-Confirmation", answer.Json.GetProperty("confirmation").GetString()!);
        Assert.Equal(
            HttpStatusCode.Forbidden, (await browser.PostAsync("/api/v1/users", user, ("Remote-User", "dora"), confirmation)).Status);
        Assert.Equal(HttpStatusCode.Created, (await browser.PostAsync("/api/v1/users", user, carla, confirmation)).Status);
        using var program = server.NewBrowser();
        Assert.Equal(HttpStatusCode.OK, (await program.SendAsync(
            HttpMethod.Patch, "/api/v1/users/bert", new { role = "operator" }, ("X-Api-Key", AccessServer.FullKey))).Status);
    }
}
