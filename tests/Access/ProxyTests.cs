using System.Net;
using Microsoft.AspNetCore.Http;
using NzbDav.Access.Keys;
using NzbDav.Access.Options;
using NzbDav.Access.Tests.Running;

namespace NzbDav.Access.Tests;

/// <summary>Which proxies' headers are trusted, and what they change.</summary>
public sealed class ProxyTests
{
    private const string Proxy = "10.1.2.3";
    private const string Stranger = "203.0.113.9";

    private static readonly AccessOptions Trusting = new()
    {
        TrustedProxies = [IPNetwork.Parse("10.1.0.0/16"), IPNetwork.Parse("fd00::/8")],
        ForwardAuthHeader = "Remote-User",
    };

    [Theory]
    [InlineData(Proxy, HttpStatusCode.OK)]
    [InlineData("::ffff:10.1.2.3", HttpStatusCode.OK)]
    [InlineData("fd00::7", HttpStatusCode.OK)]
    [InlineData("10.2.0.1", HttpStatusCode.Unauthorized)]
    [InlineData(Stranger, HttpStatusCode.Unauthorized)]
    [InlineData("127.0.0.1", HttpStatusCode.Unauthorized)]
    public async Task Only_trusted_proxies_can_name_a_user(string peer, HttpStatusCode status)
    {
        await using var server = await AccessServer.StartAsync(Trusting);
        using var browser = server.NewBrowser();
        Assert.Equal(status, (await browser.GetAsync(
            "/api/v1/look", (AccessServer.Peer, peer), ("Remote-User", "anna"), ("X-Forwarded-For", Stranger))).Status);

        // The trusted address is that of the connection, not the forwarded one.
        Assert.Equal(HttpStatusCode.Unauthorized, (await browser.GetAsync(
            "/api/v1/look", (AccessServer.Peer, Stranger), ("Remote-User", "anna"), ("X-Forwarded-For", Proxy))).Status);
    }

    [Theory]
    [InlineData("the secret of the proxy", HttpStatusCode.OK)]
    [InlineData("the secret of somebody", HttpStatusCode.Unauthorized)]
    [InlineData("", HttpStatusCode.Unauthorized)]
    [InlineData(null, HttpStatusCode.Unauthorized)]
    public async Task With_a_proxy_secret_only_a_proxy_that_sends_it_can_name_a_user(string? sent, HttpStatusCode status)
    {
        await using var server = await AccessServer.StartAsync(Trusting with { ForwardAuthSecret = "the secret of the proxy" });
        using var browser = server.NewBrowser();
        List<(string, string)> headers = [(AccessServer.Peer, Proxy), ("Remote-User", "anna")];
        if (sent is not null)
            headers.Add(("X-Forward-Auth-Secret", sent));
        Assert.Equal(status, (await browser.GetAsync("/api/v1/look", [.. headers])).Status);

        // The secret alone does not make a client a trusted proxy.
        headers[0] = (AccessServer.Peer, Stranger);
        Assert.Equal(HttpStatusCode.Unauthorized, (await browser.GetAsync("/api/v1/look", [.. headers])).Status);
    }

    [Fact]
    public async Task A_user_named_by_a_proxy_is_signed_in_for_the_request()
    {
        await using var server = await AccessServer.StartAsync(Trusting);
        using var browser = server.NewBrowser();
        (string, string)[] headers = [(AccessServer.Peer, Proxy), ("Remote-User", "anna"), ("X-Forwarded-For", Stranger)];
        var session = await browser.GetAsync("/api/v1/session", headers);
        Assert.Equal(("signedIn", "anna", "proxy"), (session.Json.GetProperty("state").GetString(),
            session.Json.GetProperty("username").GetString(), session.Json.GetProperty("via").GetString()));
        Assert.Null(session.SetCookie("nzbdav.session"));

        // The browser has the proxy's cookie, so other sites could make it send requests.
        Assert.Equal(HttpStatusCode.Forbidden, (await browser.PostAsync("/api/v1/change", null, headers)).Status);
        browser.CsrfToken = session.Json.GetProperty("csrfToken").GetString();
        Assert.Equal(HttpStatusCode.OK, (await browser.PostAsync("/api/v1/change", null, headers)).Status);

        Assert.Equal(HttpStatusCode.Unauthorized,
            (await browser.GetAsync("/api/v1/look", (AccessServer.Peer, Proxy), ("X-Forwarded-For", Stranger))).Status);
        Assert.Equal(
            HttpStatusCode.Unauthorized, (await browser.GetAsync("/api/v1/look", (AccessServer.Peer, Proxy), ("Remote-User", ""))).Status);
        Assert.Equal(HttpStatusCode.Unauthorized,
            (await browser.GetAsync("/api/v1/look", (AccessServer.Peer, Proxy), ("Remote-User", "anna"), ("Remote-User", "bert"))).Status);

        server.Access.Replace(Trusting with { ForwardAuthHeader = "X-Authentik-Username" });
        Assert.Equal(HttpStatusCode.Unauthorized, (await browser.GetAsync("/api/v1/look", headers)).Status);
        Assert.Equal(HttpStatusCode.OK,
            (await browser.GetAsync("/api/v1/look", (AccessServer.Peer, Proxy), ("X-Authentik-Username", "anna"))).Status);
    }

    [Fact]
    public async Task Scheme_host_prefix_and_address_are_taken_only_from_trusted_proxies()
    {
        await using var server = await AccessServer.StartAsync(Trusting);
        using var browser = server.NewBrowser();
        (string, string)[] told = [("X-Forwarded-For", $"198.51.100.1, {Stranger}, 10.1.9.9"), ("X-Forwarded-Proto", "https"),
            ("X-Forwarded-Host", "films.example"), ("X-Forwarded-Prefix", "/films/")];
        Assert.Equal(
            $"https://films.example/films {Stranger}", (await browser.GetAsync("/where", [(AccessServer.Peer, Proxy), .. told])).Text);
        Assert.Equal($"{server.Root} {Stranger}", (await browser.GetAsync("/where", [(AccessServer.Peer, Stranger), .. told])).Text);

        var signedIn = await browser.PostAsync("/api/v1/session", new { username = AccessServer.User, password = AccessServer.Password },
            [(AccessServer.Peer, Proxy), .. told]);
        Assert.Contains("; secure", signedIn.SetCookie("nzbdav.session")!, StringComparison.Ordinal);
        Assert.Contains("; path=/films;", signedIn.SetCookie("nzbdav.session")!, StringComparison.Ordinal);
        Assert.Contains("; secure", signedIn.SetCookie("nzbdav.csrf")!, StringComparison.Ordinal);
        Assert.Contains("; path=/films;", signedIn.SetCookie("nzbdav.csrf")!, StringComparison.Ordinal);

        Assert.Equal(
            $"{server.Root} {Proxy}", (await browser.GetAsync("/where", (AccessServer.Peer, Proxy), ("X-Forwarded-Prefix", "films"))).Text);
        Assert.Equal($"{server.Root} {Proxy}",
            (await browser.GetAsync("/where", (AccessServer.Peer, Proxy), ("X-Forwarded-Prefix", "/films, x"))).Text);

        // Without trusted proxies nobody is trusted: an empty list must not mean everybody.
        server.Access.Replace(new AccessOptions());
        Assert.Equal($"{server.Root} {Proxy}", (await browser.GetAsync("/where", [(AccessServer.Peer, Proxy), .. told])).Text);
    }

    [Fact]
    public async Task The_local_network_gets_access_where_it_is_allowed()
    {
        await using var server = await AccessServer.StartAsync();
        using var browser = server.NewBrowser();
        (string, string) here = (AccessServer.Peer, "192.168.1.20"), name = ("Host", "films.lan");
        Assert.Equal(HttpStatusCode.Unauthorized, (await browser.GetAsync("/api/v1/look", here)).Status);

        server.Access.Replace(Trusting with
        {
            LanNetworks = [IPNetwork.Parse("192.168.1.0/24"), IPNetwork.Parse("10.0.0.0/8")],
            LanRights = ApiRights.Full,
            LanHosts = ["films.example", "films.lan"]
        });
        const string Via = "X-Forwarded-For";
        foreach (var (headers, allowed) in new ((string, string)[], bool)[]
        {
            ([here, name], true),
            ([(AccessServer.Peer, "::ffff:192.168.1.20"), name], true),
            ([(AccessServer.Peer, "192.168.2.20"), name], false),
            ([(AccessServer.Peer, Stranger), name], false),

            // A proxy that adds nothing asks under the address or name by which it knows this machine.
            ([here], false),
            ([here, ("Host", "nas:8080")], false),
            ([here, ("Host", "nzbdav.lan")], false),
            ([here, ("Host", "FILMS.example:8080")], true),
            ([here, ("Host", "evil.example")], false),

            // An untrusted proxy in that network, and a trusted one that does not name its client.
            ([here, name, (Via, Stranger)], false),
            ([here, name, ("Forwarded", $"for={Stranger}")], false),
            ([here, name, ("X-Forwarded-Proto", "https")], false),
            ([here, name, ("x-forwarded-server", "web")], false),
            ([here, name, ("X-Real-IP", "192.168.1.20")], false),
            ([here, name, ("Via", "1.1 squid")], false),
            ([here, name, ("CF-Ray", "7")], false),
            ([here, name, ("CDN-Loop", "cloudflare")], false),
            ([(AccessServer.Peer, Proxy)], false),
            ([(AccessServer.Peer, Proxy), ("X-Forwarded-For", Proxy)], false),
            ([(AccessServer.Peer, Proxy), ("X-Forwarded-For", "nonsense")], false),
            ([(AccessServer.Peer, Proxy), ("X-Forwarded-For", Stranger)], false),
            ([(AccessServer.Peer, Proxy), ("X-Forwarded-For", $"192.168.1.20, {Stranger}")], false),
            ([(AccessServer.Peer, Proxy), (Via, "192.168.1.20")], true),
            ([(AccessServer.Peer, Proxy), ("Host", "nas:8080"), (Via, "192.168.1.20")], true),
            ([(AccessServer.Peer, Proxy), ("Host", "evil.example"), (Via, "192.168.1.20")], false),

            // Another proxy in the network stands before the trusted one.
            ([(AccessServer.Peer, Proxy), (Via, $"{Stranger}, 192.168.1.20")], false),
            ([(AccessServer.Peer, Proxy), (Via, "192.168.1.20"), ("CF-Connecting-IP", Stranger)], false),
        })
        {
            var answer = await browser.GetAsync("/api/v1/look", headers);
            Assert.True((answer.Status == HttpStatusCode.OK) == allowed, string.Join(' ', headers));
        }

        // Other sites could make browsers in the network send requests.
        Assert.Equal(HttpStatusCode.Forbidden, (await browser.PostAsync("/api/v1/change", null, here, name)).Status);
        var session = await browser.GetAsync("/api/v1/session", here, name);
        Assert.Equal("network", session.Json.GetProperty("via").GetString());
        browser.CsrfToken = session.Json.GetProperty("csrfToken").GetString();
        Assert.Equal(HttpStatusCode.OK, (await browser.PostAsync("/api/v1/change", null, here, name)).Status);
        server.Access.Replace(server.Access.Current with { LanRights = ApiRights.Read });
        Assert.Equal(HttpStatusCode.Forbidden, (await browser.PostAsync("/api/v1/change", null, here, name)).Status);
        Assert.Equal(HttpStatusCode.OK, (await browser.GetAsync("/api/v1/look", here, name)).Status);

        // By default they may only look.
        Assert.Equal(ApiRights.Read, new AccessOptions().LanRights);
    }

    [Theory]
    [InlineData("192.168.1.10:8080", true)]
    [InlineData("nas:8080", true)]
    [InlineData("nzbdav.lan", true)]
    [InlineData("evil.example", false)]
    public async Task Where_there_is_no_proxy_addresses_and_local_names_need_not_be_listed(string host, bool allowed)
    {
        await using var server = await AccessServer.StartAsync(
            new AccessOptions { LanNetworks = [IPNetwork.Parse("192.168.1.0/24")], NoProxy = true });
        using var browser = server.NewBrowser();
        var answer = await browser.GetAsync("/api/v1/look", (AccessServer.Peer, "192.168.1.20"), ("Host", host));
        Assert.Equal(allowed ? HttpStatusCode.OK : HttpStatusCode.Unauthorized, answer.Status);
        Assert.Equal(HttpStatusCode.Unauthorized,
            (await browser.GetAsync("/api/v1/look", (AccessServer.Peer, "192.168.1.20"), ("Host", host), ("Via", "1.1 x"))).Status);
    }

    [Fact]
    public async Task A_call_by_HTTP_1_0_comes_from_a_proxy()
    {
        await using var server = await AccessServer.StartAsync(
            new AccessOptions { LanNetworks = [IPNetwork.Parse("127.0.0.0/8")], NoProxy = true });
        using var http = new HttpClient();
        foreach (var (version, status) in new[] { (HttpVersion.Version11, HttpStatusCode.OK),
            (HttpVersion.Version10, HttpStatusCode.Unauthorized) })
        {
            using var request = new HttpRequestMessage(HttpMethod.Get, server.Root + "/api/v1/look") { Version = version };
            using var answer = await http.SendAsync(request);
            Assert.Equal(status, answer.StatusCode);
        }
    }

    [Fact]
    public async Task All_paths_and_cookies_are_below_the_url_base()
    {
        await using var server = await AccessServer.StartAsync(
            new AccessOptions { UrlBase = new PathString("/x/y"), TrustedProxies = [IPNetwork.Parse("10.1.0.0/16")] });
        using var browser = server.NewBrowser();
        var signedIn = await browser.PostAsync(
            "/x/y/api/v1/session", new { username = AccessServer.User, password = AccessServer.Password });
        Assert.Equal(HttpStatusCode.OK, signedIn.Status);
        Assert.Contains("; path=/x/y;", signedIn.SetCookie("nzbdav.session")!, StringComparison.Ordinal);
        Assert.Contains("; path=/x/y;", signedIn.SetCookie("nzbdav.csrf")!, StringComparison.Ordinal);
        Assert.Equal("seen", (await browser.GetAsync("/x/y/api/v1/look")).Text);
        foreach (var outside in new[] { "/", "/api/v1/session", "/x", "/x/", "/x/api/v1/session", "/x/yy/api/v1/session",
            "/X/Y/api/v1/session", "/where", "/healthy" })
            Assert.Equal(HttpStatusCode.NotFound, (await browser.GetAsync(outside)).Status);
        var browsed = await browser.GetAsync("/where?a=b", ("Accept", "text/html,*/*;q=0.8"));
        Assert.Equal(HttpStatusCode.NotFound, browsed.Status);
        Assert.Contains("<a href=\"/x/y/where?a=b\">", browsed.Text, StringComparison.Ordinal);
        var foreign = await browser.GetAsync("/<b>", ("Accept", "text/html"));
        Assert.DoesNotContain("<b>", foreign.Text, StringComparison.Ordinal);
        var outer = await browser.GetAsync(
            "/where", ("Accept", "text/html"), (AccessServer.Peer, Proxy), ("X-Forwarded-Prefix", "/outer"));
        Assert.Contains("<a href=\"/outer/x/y/where\">", outer.Text, StringComparison.Ordinal);
        Assert.Equal(HttpStatusCode.NotFound, (await browser.PostAsync("/where", new { })).Status);
        Assert.Equal("well", (await browser.GetAsync("/health")).Text);
        Assert.Equal("well", (await browser.GetAsync("/x/y/health")).Text);
        Assert.Equal($"{server.Root}/x/y 127.0.0.1", (await browser.GetAsync("/x/y/where")).Text);
        var bare = await browser.GetAsync("/x/y?a=b");
        Assert.Equal(HttpStatusCode.Redirect, bare.Status);
        Assert.Equal("/x/y/?a=b", bare.Header("Location"));

        // One proxy removes the prefix and announces it, another announces it and leaves it in the path.
        (string, string)[] proxy = [(AccessServer.Peer, Proxy), ("X-Forwarded-Prefix", "/x/y")];
        Assert.Equal($"{server.Root}/x/y {Proxy}", (await browser.GetAsync("/where", proxy)).Text);
        Assert.Equal($"{server.Root}/x/y {Proxy}", (await browser.GetAsync("/x/y/where", proxy)).Text);
        Assert.Equal(HttpStatusCode.NotFound,
            (await browser.GetAsync("/where", (AccessServer.Peer, Stranger), ("X-Forwarded-Prefix", "/x/y"))).Status);
        Assert.Equal(
            HttpStatusCode.NotFound, (await browser.GetAsync("/where", (AccessServer.Peer, Proxy), ("X-Forwarded-Prefix", "/z"))).Status);
    }
}
