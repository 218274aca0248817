using System.Net;
using NzbDav.Access.Options;
using NzbDav.Access.Tests.Running;

namespace NzbDav.Access.Tests;

/// <summary>Creating the first user.</summary>
public sealed class SetupTests
{
    private const string Good = "long enough for it";

    [Fact]
    public async Task The_token_of_this_start_creates_the_first_user_and_signs_in()
    {
        await using var server = await AccessServer.StartAsync(user: false);
        using var browser = server.NewBrowser();
        Assert.Equal("setup", (await browser.GetAsync("/api/v1/session")).Json.GetProperty("state").GetString());

        var made = await browser.PostAsync("/api/v1/setup", new { token = server.Token, username = "anna", password = Good });
        Assert.Equal(HttpStatusCode.OK, made.Status);
        Assert.Equal("signedIn", made.Json.GetProperty("state").GetString());
        Assert.Equal("anna", made.Json.GetProperty("username").GetString());
        Assert.Equal("password", made.Json.GetProperty("via").GetString());
        Assert.Equal("seen", (await browser.GetAsync("/api/v1/look")).Text);

        using var other = server.NewBrowser();
        Assert.Equal("signedOut", (await other.GetAsync("/api/v1/session")).Json.GetProperty("state").GetString());
        var again = await other.PostAsync("/api/v1/setup", new { token = server.Token, username = "bert", password = Good });
        Assert.Equal(HttpStatusCode.Conflict, again.Status);
        Assert.Null(await server.Accounts.FindAsync("bert", CancellationToken.None));
    }

    [Fact]
    public async Task A_wrong_token_creates_no_user_and_a_bad_password_does_not_use_up_the_right_one()
    {
        await using var server = await AccessServer.StartAsync(user: false);
        using var browser = server.NewBrowser();
        foreach (var token in new[] { "", "guess", null, server.Token.ToUpperInvariant() + "0" })
            Assert.Equal(HttpStatusCode.Forbidden,
                (await browser.PostAsync("/api/v1/setup", new { token, username = "anna", password = Good })).Status);
        foreach (var (name, password, says) in new (string?, string?, string)[]
        {
            ("anna", "short", "at least 10"), ("anna", "Change this", "the one of the example"),
                ("anna", new string('x', 257), "at most 256"), ("anna", "", "password is needed"), (null, Good, "name is needed"),
            ("a\nb", Good, "control"), (" anna", Good, "blank"), (new string('n', 65), Good, "at most 64"),
                ("annaannaanna", "ANNAANNAANNA", "must not be the name"),
        })
        {
            var answer = await browser.PostAsync("/api/v1/setup", new { token = server.Token, username = name, password });
            Assert.Equal(HttpStatusCode.BadRequest, answer.Status);
            Assert.Contains(says, answer.Json.GetProperty("error").GetString(), StringComparison.Ordinal);
        }

        Assert.False(await server.Accounts.AnyAsync(CancellationToken.None));
        Assert.Equal(HttpStatusCode.OK,
            (await browser.PostAsync("/api/v1/setup", new { token = server.Token, username = "anna", password = Good })).Status);
    }

    [Fact]
    public async Task Of_concurrent_requests_only_one_creates_the_first_user()
    {
        await using var server = await AccessServer.StartAsync(user: false);
        var answers = await Task.WhenAll(Enumerable.Range(0, 8).Select(async number =>
        {
            using var browser = server.NewBrowser();
            return await browser.PostAsync("/api/v1/setup", new { token = server.Token, username = $"user{number}", password = Good });
        }));
        Assert.Single(answers, answer => answer.Status == HttpStatusCode.OK);
        Assert.Equal(7, answers.Count(answer => answer.Status == HttpStatusCode.Conflict));
        Assert.Single(await server.Accounts.ListAsync(CancellationToken.None));
    }

    [Fact]
    public async Task Each_start_has_a_new_token()
    {
        await using var first = await AccessServer.StartAsync(user: false);
        await using var second = await AccessServer.StartAsync(user: false);
        Assert.NotEqual(first.Token, second.Token);
        Assert.Equal(32, first.Token.Length);
    }

    [Fact]
    public async Task Without_users_only_keys_give_access()
    {
        var loopback = new[] { IPNetwork.Parse("127.0.0.1/32") };
        await using var server = await AccessServer.StartAsync(
            new AccessOptions
            {
                LanNetworks = loopback,
                NoProxy = true,
                TrustedProxies = [IPNetwork.Parse("192.0.2.1/32")],
                ForwardAuthHeader = "Remote-User"
            }, user: false);
        using var browser = server.NewBrowser();
        Assert.Equal(HttpStatusCode.Unauthorized, (await browser.GetAsync("/api/v1/look")).Status);
        Assert.Equal(HttpStatusCode.Unauthorized,
            (await browser.GetAsync("/api/v1/look", (AccessServer.Peer, "192.0.2.1"), ("Remote-User", "anna"))).Status);
        Assert.Equal(HttpStatusCode.OK, (await browser.GetAsync("/api/v1/look", ("X-Api-Key", AccessServer.ReadKey))).Status);

        // The full key can create the first user as well.
        Assert.Equal(HttpStatusCode.Created, (await browser.PostAsync(
            "/api/v1/users", new { username = "anna", password = Good }, ("X-Api-Key", AccessServer.FullKey))).Status);
        Assert.Equal(HttpStatusCode.OK, (await browser.GetAsync("/api/v1/look")).Status);
    }

    [Fact]
    public async Task The_setup_page_named_in_the_log_works_too()
    {
        await using var server = await AccessServer.StartAsync(user: false);
        using var browser = server.NewBrowser();
        var page = await browser.GetAsync($"/setup?token={server.Token}");
        Assert.Equal(HttpStatusCode.OK, page.Status);
        Assert.Contains($"value=\"{server.Token}\"", page.Text, StringComparison.Ordinal);
        Assert.DoesNotContain("<script>", (await browser.GetAsync("/setup?token=%22%3E%3Cscript%3E")).Text, StringComparison.Ordinal);

        var bad = await browser.PostAsync("/setup", Form(server.Token, "anna", "short"));
        Assert.Equal(HttpStatusCode.BadRequest, bad.Status);
        Assert.Contains("at least 10", bad.Text, StringComparison.Ordinal);
        var made = await browser.PostAsync("/setup", Form(server.Token, "anna", Good), ("Origin", server.Root));
        Assert.Equal(HttpStatusCode.SeeOther, made.Status);
        Assert.Equal("/", made.Header("Location"));
        Assert.Equal("anna", (await browser.GetAsync("/api/v1/session")).Json.GetProperty("username").GetString());
        Assert.DoesNotContain("<form", (await browser.GetAsync("/setup")).Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_unreadable_form_is_refused_and_does_not_use_up_the_token()
    {
        await using var server = await AccessServer.StartAsync(user: false);
        using var browser = server.NewBrowser();
        foreach (var (type, body) in new[] { ("multipart/form-data", "x"), ("multipart/form-data; boundary=xx", "garbage"),
            ("multipart/form-data; boundary=xx", "--xx\r\nContent-Disposition: form-data; name=\"token\"\r\n\r\nends") })
        {
            using var form = new ByteArrayContent(System.Text.Encoding.ASCII.GetBytes(body));
            form.Headers.ContentType = System.Net.Http.Headers.MediaTypeHeaderValue.Parse(type);
            Assert.Equal(HttpStatusCode.BadRequest, (await browser.PostAsync("/setup", form)).Status);
        }

        Assert.Equal(HttpStatusCode.SeeOther, (await browser.PostAsync("/setup", Form(server.Token, "anna", Good))).Status);
    }

    private static FormUrlEncodedContent Form(string token, string name, string password) =>
        new(new Dictionary<string, string>(StringComparer.Ordinal)
        {
            ["token"] = token,
            ["username"] = name,
            ["password"] = password,
        });
}
