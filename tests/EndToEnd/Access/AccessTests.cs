using System.Net;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Host.Serving;

namespace NzbDav.EndToEnd.Tests.Access;

/// <summary>Who may read the tree.</summary>
public sealed class AccessTests
{
    private static readonly string[] Methods = ["PROPFIND", "GET", "HEAD", "PUT", "DELETE"];

    [Fact]
    public async Task DAV_03_Only_the_right_password_opens_the_tree()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        using var nobody = new DavClient(gateway.Root);
        using var wrong = new DavClient(gateway.Root, Gateway.User, "guess");
        using var other = new DavClient(gateway.Root, "bert", Gateway.Password);
        foreach (var client in new[] { nobody, wrong, other })
        {
            foreach (var method in Methods)
            {
                using var response = await client.SendAsync(method, "/dav/");
                Assert.Equal(HttpStatusCode.Unauthorized, response.StatusCode);
                var challenge = Assert.Single(response.Headers.WwwAuthenticate);
                Assert.Equal("Basic", challenge.Scheme);
                Assert.Contains("realm=\"", challenge.Parameter, StringComparison.Ordinal);
                Assert.False(response.Headers.Contains("Set-Cookie"));
            }
        }

        Assert.Equal([".ids", "completed-symlinks", "content", "nzbs", "torrents"], await gateway.Client.ListAsync("/dav/"));
        Assert.Equal(["books", "movies", "music", "other", "tv"], await gateway.Client.ListAsync("/dav/content/"));
    }

    [Fact]
    public async Task Without_configured_credentials_all_access_is_denied()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(
            news, change: settings => settings with { WebDavUsername = null, WebDavPassword = null });
        using var empty = new DavClient(gateway.Root, "", "");
        using var nobody = new DavClient(gateway.Root);
        foreach (var client in new[] { gateway.Client, empty, nobody })
            Assert.Equal(HttpStatusCode.Unauthorized, (await client.AskAsync("PROPFIND", "/dav/")).Status);
    }

    [Fact]
    public async Task The_demo_is_open_unless_a_password_is_set()
    {
        await using var news = new NewsServers();
        await using (var open = await Gateway.StartAsync(
            news, change: settings => settings with { WebDavUsername = null, WebDavPassword = null }, demo: true))
        {
            using var nobody = new DavClient(open.Root);
            Assert.Equal([".ids", "completed-symlinks", "content", "nzbs", "torrents"], await nobody.ListAsync("/dav/"));
        }

        await using var closed = await Gateway.StartAsync(news, demo: true);
        using var stranger = new DavClient(closed.Root);
        Assert.Equal(HttpStatusCode.Unauthorized, (await stranger.AskAsync("PROPFIND", "/dav/")).Status);
        Assert.Equal([".ids", "completed-symlinks", "content", "nzbs", "torrents"], await closed.Client.ListAsync("/dav/"));
    }

    /// <summary>
    /// Behind one trusted proxy: a client that guesses keys, and an *arr and a Prometheus with the right key. Wrong keys of all routes
    /// count together.
    /// </summary>
    [Theory]
    [InlineData("/api?mode=queue&apikey=")]
    [InlineData("/sabnzbd/api?mode=queue&apikey=")]
    [InlineData("/metrics")]
    [InlineData("/api/v1/settings")]
    public async Task Wrong_keys_count_on_every_route_that_takes_one_and_right_keys_keep_working(string route)
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news, environment: new Dictionary<string, string?>
        { ["Api:Key"] = SettingsClient.Key, ["Access:TrustedProxies"] = "127.0.0.1", ["Torrents:Enabled"] = "false" });
        using var http = new HttpClient { BaseAddress = new Uri(gateway.Root) };
        Assert.Equal(HttpStatusCode.OK, (await AskAsync(route, SettingsClient.Key, "192.0.2.1")).Status);

        // Sends all at once: past the tenth, one attempt a second is let through.
        var guesses = await Task.WhenAll(Enumerable.Range(0, 60).Select(number => AskAsync(route, $"wrong-key-{number}", "192.0.2.66")));
        Assert.DoesNotContain(guesses, guess => guess.IsOpen);
        Assert.Contains(guesses, guess => guess.IsSlowedDown);

        // All routes and signing in share one limit.
        var elsewhere = await Task.WhenAll(
            Enumerable.Range(0, 20).SelectMany(number => new[] { "/api?mode=queue&apikey=", "/metrics", "/api/v1/settings" }.Select(
                other => AskAsync(other, $"other-key-{number}", "192.0.2.66"))));
        Assert.Contains(elsewhere, guess => guess.IsSlowedDown && guess.Status == HttpStatusCode.OK);
        Assert.Contains(elsewhere, guess => guess.IsSlowedDown && guess.Status == HttpStatusCode.TooManyRequests);

        // A client with the right key is still served, even from that address.
        Assert.True((await AskAsync(route, SettingsClient.Key, "192.0.2.66")).IsOpen);
        Assert.True((await AskAsync(route, SettingsClient.Key, "192.0.2.1")).IsOpen);
        Assert.False((await AskAsync(route, "wrong-key-of-another", "192.0.2.2")).IsSlowedDown);

        async Task<(HttpStatusCode Status, bool IsOpen, bool IsSlowedDown)> AskAsync(string path, string key, string address)
        {
            using var request = new HttpRequestMessage(HttpMethod.Get, path.EndsWith('=') ? path + key : path);
            request.Headers.Add("X-Forwarded-For", address);
            if (!path.EndsWith('='))
                request.Headers.Add("Authorization", $"Bearer {key}");
            using var response = await http.SendAsync(request);
            var text = await response.Content.ReadAsStringAsync();
            var isSlowedDown = text.Contains("too many wrong passwords or keys", StringComparison.OrdinalIgnoreCase);
            Assert.Equal(isSlowedDown, response.Headers.RetryAfter is not null);
            return (response.StatusCode, response.IsSuccessStatusCode && !text.Contains("\"error\":", StringComparison.Ordinal),
                isSlowedDown);
        }
    }

    [Theory]
    [InlineData("X-Api-Key", "{0}")]
    [InlineData("Authorization", "Bearer {0}")]
    public async Task OPS_03_Metrics_accept_a_key_wherever_other_calls_do(string header, string value)
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(
            news, environment: new Dictionary<string, string?>
            {
                ["Api:Key"] = SettingsClient.Key,
                ["Api:AddKey"] = "the-add-key",
                ["Api:ReadKey"] = "the-read-key",
                ["Access:TrustedProxies"] = "127.0.0.1",
                ["Torrents:Enabled"] = "false"
            });
        using var http = new HttpClient { BaseAddress = new Uri(gateway.Root) };
        Assert.Equal(HttpStatusCode.OK, await AskAsync(SettingsClient.Key));
        Assert.Equal(HttpStatusCode.OK, await AskAsync("the-read-key"));
        Assert.Equal(HttpStatusCode.Unauthorized, await AskAsync("the-add-key"));
        Assert.Equal(HttpStatusCode.Unauthorized, await AskAsync("wrong"));
        Assert.Equal(HttpStatusCode.Unauthorized, await AskAsync(""));
        Assert.Equal(HttpStatusCode.Unauthorized, (await http.GetAsync("/metrics?apikey=the-read-key")).StatusCode);

        async Task<HttpStatusCode> AskAsync(string key)
        {
            using var request = new HttpRequestMessage(HttpMethod.Get, "/metrics");
            request.Headers.Add("X-Forwarded-For", "192.0.2.1");
            request.Headers.TryAddWithoutValidation(header, value.Replace("{0}", key, StringComparison.Ordinal));
            using var response = await http.SendAsync(request);
            return response.StatusCode;
        }
    }

    [Theory]
    [InlineData("http://*:0")]
    [InlineData("http://+:0")]
    [InlineData("http://0.0.0.0:0")]
    [InlineData("http://[::]:0")]
    [InlineData("http://192.0.2.7:8080")]
    [InlineData("http://example.com:0")]
    [InlineData("http://localhost.example.com:0")]
    [InlineData("http://127.0.0.1:0;http://*:0")]
    [InlineData("http://127.0.0.1:0; http://[::]:0")]
    public async Task The_open_demo_refuses_to_listen_for_other_machines(string urls)
    {
        using var folder = new Folder();
        var e = await Assert.ThrowsAsync<ServerStartException>(() => NzbDavServer.CreateAsync(
            Gateway.Sources(new Dictionary<string, string?>()), folder.Path, urls, demo: true, overlay: null, Deadline.Token));
        Assert.Contains("loopback", e.Message, StringComparison.Ordinal);
        Assert.Contains("NzbDav__WebDav__Password", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task OPTIONS_and_health_need_no_password()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        using var nobody = new DavClient(gateway.Root);
        foreach (var path in new[] { "/", "/dav/", "/dav/content/", "/dav/nothing/there" })
        {
            using var response = await nobody.SendAsync("OPTIONS", path);
            Assert.Equal(HttpStatusCode.OK, response.StatusCode);
            Assert.StartsWith("1", Assert.Single(response.Headers.GetValues("DAV")), StringComparison.Ordinal);
        }

        Assert.Equal((HttpStatusCode.OK, "{\"status\":\"ok\"}"), await nobody.AskAsync("GET", "/health"));
        await Deadline.UntilAsync(async () => (await nobody.AskAsync("GET", "/health/ready")).Status == HttpStatusCode.OK, "it is ready");
    }
}
