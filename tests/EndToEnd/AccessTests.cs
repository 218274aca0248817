using System.Net;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Host.Serving;
using NzbDav.Host.Settings;

namespace NzbDav.EndToEnd.Tests;

/// <summary>Who may see the tree.</summary>
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
    public async Task Without_credentials_in_the_settings_nobody_gets_in()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news, change: settings => settings with { WebDavUsername = null, WebDavPassword = null });
        using var empty = new DavClient(gateway.Root, "", "");
        using var nobody = new DavClient(gateway.Root);
        foreach (var client in new[] { gateway.Client, empty, nobody })
            Assert.Equal(HttpStatusCode.Unauthorized, (await client.AskAsync("PROPFIND", "/dav/")).Status);
    }

    [Fact]
    public async Task The_demo_is_open_unless_a_password_is_set()
    {
        await using var news = new NewsServers();
        await using (var open = await Gateway.StartAsync(news, change: settings => settings with { WebDavUsername = null, WebDavPassword = null }, demo: true))
        {
            using var nobody = new DavClient(open.Root);
            Assert.Equal([".ids", "completed-symlinks", "content", "nzbs", "torrents"], await nobody.ListAsync("/dav/"));
        }

        await using var closed = await Gateway.StartAsync(news, demo: true);
        using var stranger = new DavClient(closed.Root);
        Assert.Equal(HttpStatusCode.Unauthorized, (await stranger.AskAsync("PROPFIND", "/dav/")).Status);
        Assert.Equal([".ids", "completed-symlinks", "content", "nzbs", "torrents"], await closed.Client.ListAsync("/dav/"));
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
    public async Task The_open_demo_is_not_offered_to_others(string urls)
    {
        using var folder = new Folder();
        var e = await Assert.ThrowsAsync<ServerStartException>(() => NzbDavServer.CreateAsync(Gateway.Sources(new Dictionary<string, string?>()), folder.Path, urls, demo: true, overlay: null, Deadline.Token));
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
