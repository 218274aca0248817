using System.Net;
using System.Net.Http.Json;
using System.Text.Json;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Access.Accounts;
using NzbDav.Access.Options;
using NzbDav.Catalog.Jobs;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Host.Settings;
using NzbDav.MockUsenet.Nzb;
using NzbDav.WebDav.Store;
using NzbDav.WebDav.View;

namespace NzbDav.EndToEnd.Tests.Serving;

/// <summary>The whole server below a URL base, and behind a real proxy.</summary>
public sealed class UrlBaseTests
{
    private const string Key = "0123456789abcdef";
    private const string Password = "correct horse battery";

    [Fact]
    public async Task OPS_04_Everything_works_below_a_url_base()
    {
        await using var news = new NewsServers();
        await using var gateway = await StartAsync(news);
        using var client = new DavClient(gateway.Root, Gateway.User, Gateway.Password);
        await CheckAsync(news, gateway, client);
        foreach (var outside in new[] { "/dav/", "/api?mode=version", "/sabnzbd/api?mode=version", "/api/v1/session", "/metrics",
            "/view/x/y", "/", "/nzbdavx/dav/" })
            Assert.Equal(HttpStatusCode.NotFound, (await client.AskAsync("GET", outside)).Status);
        Assert.Equal(HttpStatusCode.OK, (await client.AskAsync("GET", "/health")).Status);
        Assert.Equal(HttpStatusCode.OK, (await client.AskAsync("GET", "/nzbdav/health")).Status);
    }

    [Theory]
    [InlineData("nginx")]
    [InlineData("caddy")]
    public async Task OPS_04_Everything_works_through_a_real_proxy(string name)
    {
        await using var news = new NewsServers();
        await using var gateway = await StartAsync(news);
        await using var proxy = await ReverseProxy.StartAsync(name, gateway.Root);
        using var client = new DavClient(proxy.Root, Gateway.User, Gateway.Password);
        await CheckAsync(news, gateway, client);

        // Nobody can forge a user, an address or another prefix through the proxy, and its requests do not count as coming from this
        // machine.
        (HttpStatusCode Status, string Text)[] answers =
        [
            await AskAsync(client, "/nzbdav/api/v1/users", ("Remote-User", "anna")),
            await AskAsync(client, "/nzbdav/api/v1/users", ("X-Forwarded-For", "127.0.0.1")),
            await AskAsync(client, "/nzbdav/metrics", ("X-Forwarded-For", "127.0.0.1")),
        ];
        Assert.All(answers, answer => Assert.Equal(HttpStatusCode.Unauthorized, answer.Status));
        var (_, listing) = await AskAsync(client, "/nzbdav/dav/", ("X-Forwarded-Prefix", "/evil"));
        Assert.DoesNotContain("evil", listing, StringComparison.Ordinal);
    }

    /// <summary>The browser names another port than the one that nginx Proxy Manager passes on, which is none.</summary>
    [Fact]
    public async Task Moves_and_signing_in_work_through_nginx_proxy_manager_on_another_port()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        var film = news.Post("film.mkv", 100_000);
        await gateway.ImportAsync("Film", film);
        await using var proxy = await ReverseProxy.StartProxyManagerAsync(gateway.Root);
        using var client = new DavClient(proxy.Root, Gateway.User, Gateway.Password);
        using (var moved = await client.SendAsync(
            "MOVE", "/dav/content/movies/Film", headers: headers => headers.Add("Destination", proxy.Root + "/dav/content/tv/Film")))
            Assert.Equal(HttpStatusCode.Created, moved.StatusCode);
        await client.AssertFileAsync("/dav/content/tv/Film/film.mkv", film);
        using var elsewhere = await client.SendAsync("MOVE", "/dav/content/tv/Film",
            headers: headers => headers.Add("Destination", "http://elsewhere.example/dav/content/movies/Film"));
        Assert.Equal(HttpStatusCode.BadGateway, elsewhere.StatusCode);

        foreach (var (origin, status) in ((string, HttpStatusCode)[])[(proxy.Root, HttpStatusCode.Unauthorized),
            ("http://evil.example", HttpStatusCode.Forbidden)])
        {
            using var nobody = new DavClient(proxy.Root);
            using var body = new StringContent("""{"username":"anna","password":"not the right one"}""", new System.Net.Http.Headers.MediaTypeHeaderValue("application/json"));
            using var answer = await nobody.SendAsync("POST", "/api/v1/session", body, headers => headers.Add("Origin", origin));
            Assert.Equal(status, answer.StatusCode);
        }
    }

    [Fact]
    public async Task DAV_02_OPTIONS_is_answered_under_a_url_base()
    {
        await using var news = new NewsServers();
        await using var gateway = await StartAsync(news);
        using var nobody = new DavClient(gateway.Root);
        foreach (var path in new[] { "/", "/nzbdav", "/nzbdav/", "/nzbdav/dav", "/nzbdav/dav/", "/nzbdav/dav/none/at all" })
        {
            using var response = await nobody.SendAsync("OPTIONS", path);
            Assert.Equal(HttpStatusCode.OK, response.StatusCode);
            Assert.Equal(
                path.Contains("none", StringComparison.Ordinal) ? "1" : "1, 2", string.Join(", ", response.Headers.GetValues("DAV")));
            Assert.Equal("DAV", Assert.Single(response.Headers.GetValues("MS-Author-Via")));
            Assert.False(response.Headers.Contains("Set-Cookie"));
        }

        Assert.Equal(HttpStatusCode.NotFound, (await nobody.AskAsync("OPTIONS", "/elsewhere")).Status);
    }

    [Fact]
    public async Task A_prefix_removed_by_a_trusted_proxy_is_in_the_hrefs()
    {
        await using var news = new NewsServers();
        var trusting = new AccessOptions { TrustedProxies = [IPNetwork.Parse("127.0.0.1/32")] };
        await using var gateway = await Gateway.StartAsync(news, change: settings => settings with { Access = trusting });
        Assert.Contains("<D:href>/films/dav/content/</D:href>", await ListAsync(), StringComparison.Ordinal);
        gateway.Services.GetRequiredService<LiveAccess>().Replace(new AccessOptions());
        Assert.Contains("<D:href>/dav/content/</D:href>", await ListAsync(), StringComparison.Ordinal);

        async Task<string> ListAsync()
        {
            using var response = await gateway.Client.SendAsync("PROPFIND", "/dav/", body: null, headers =>
            {
                headers.Add("Depth", "1");
                headers.Add("X-Forwarded-Prefix", "/films");
                headers.Add("X-Forwarded-Host", "evil.example");
                headers.Add("X-Forwarded-Proto", "https");
            });
            return await response.Content.ReadAsStringAsync();
        }
    }

    [Fact]
    public async Task A_prefix_removed_by_a_trusted_proxy_is_in_every_address()
    {
        await using var news = new NewsServers();
        var trusting = new AccessOptions { TrustedProxies = [IPNetwork.Parse("127.0.0.1/32")] };
        await using var gateway = await Gateway.StartAsync(
            news, change: settings => settings with { Access = trusting, Api = new ApiSettings { Key = Key } });
        var file = news.Post("film.mkv", 300_000);
        var path = await gateway.ImportAsync("Film", file) + "/film.mkv";
        var id = (await AskAsync("GET", "/api/v1/files?path=/content/movies/Film")).GetProperty("items")[0].GetProperty("id").GetString();
        Assert.Equal("/films" + path, (await AskAsync("GET", $"/api/v1/files/{id}")).GetProperty("davPath").GetString());
        Assert.Equal("/films/dav/", (await AskAsync("GET", "/api/v1/play")).GetProperty("davPath").GetString());
        var made = new[] { await AskAsync("POST", $"/api/v1/files/{id}/link"),
            await AskAsync("POST", "/api/v1/links", JsonContent.Create(new { path = path["/dav".Length..] })) };
        using var nobody = new DavClient(gateway.Root);
        foreach (var link in made.Select(answer => answer.GetProperty("path").GetString()!))
        {
            Assert.StartsWith("/films/view/", link, StringComparison.Ordinal);
            await nobody.AssertFileAsync(link["/films".Length..], file);
        }

        async Task<JsonElement> AskAsync(string method, string address, HttpContent? body = null)
        {
            using var client = new DavClient(gateway.Root);
            using var response = await client.SendAsync(method, address, body, headers =>
            {
                headers.Add("X-Api-Key", Key);
                headers.Add("X-Forwarded-Prefix", "/films");
            });
            Assert.True(response.IsSuccessStatusCode, $"{address}: {response.StatusCode}");
            return JsonDocument.Parse(await response.Content.ReadAsStringAsync()).RootElement;
        }
    }

    /// <summary>Sign-in, an import, listings, ranges, a move, a link and the SABnzbd interface, as clients see them.</summary>
    private static async Task CheckAsync(NewsServers news, Gateway gateway, DavClient client)
    {
        // Sign-in.
        using (var signIn = await client.SendAsync(
            "POST", "/nzbdav/api/v1/session", JsonContent.Create(new { username = "anna", password = Password })))
        {
            Assert.Equal(HttpStatusCode.OK, signIn.StatusCode);
            Assert.All(
                signIn.Headers.GetValues("Set-Cookie"), cookie => Assert.Contains("; path=/nzbdav;", cookie, StringComparison.Ordinal));
            var cookies = string.Join("; ", signIn.Headers.GetValues("Set-Cookie").Select(cookie => cookie.Split(';')[0]));
            Assert.Equal(HttpStatusCode.OK, (await AskAsync(client, "/nzbdav/api/v1/users", ("Cookie", cookies))).Status);
        }

        // An import through the drop folder.
        var file = news.Post("A film & more (100%).mkv", 3_000_000);
        await client.PutAsync("/nzbdav/dav/nzbs/movies/Film%20%231.nzb", NzbWriter.ToBytes([file]));
        var job = await gateway.WaitAsync("Film #1");
        Assert.True(job?.State == JobState.Completed, job?.FailureMessage);

        // Listings and ranges.
        Assert.Equal("/nzbdav/dav/content/movies/", (await client.FindAsync("/nzbdav/dav/content/movies"))![0].Href);
        var entries = (await client.FindAsync("/nzbdav/dav/content/movies/Film%20%231/"))!;
        Assert.All(entries, entry => Assert.StartsWith("/nzbdav/dav/content/movies/Film%20%231/", entry.Href, StringComparison.Ordinal));
        await client.AssertRangeAsync(entries[1].Href, file, 1_000_001, 2_345_678);
        await client.AssertFileAsync(entries[1].Href, file);

        // A move whose destination is absolute, with the host that clients know.
        using (var moved = await client.SendAsync("MOVE", "/nzbdav/dav/content/movies/Film%20%231/", body: null,
            headers => headers.Add("Destination", $"{client.Http.BaseAddress}nzbdav/dav/content/movies/Film%20two/")))
            Assert.True(moved.StatusCode == HttpStatusCode.Created, await moved.Content.ReadAsStringAsync());
        using (var outside = await client.SendAsync("MOVE", "/nzbdav/dav/content/movies/Film%20two/", body: null,
            headers => headers.Add("Destination", $"{client.Http.BaseAddress}dav/content/movies/Film%20three/")))
            Assert.Equal(HttpStatusCode.BadGateway, outside.StatusCode);
        var path = "/nzbdav/dav/content/movies/Film%20two/" + Uri.EscapeDataString(entries[1].Name);
        await client.AssertRangeAsync(path, file, 0, 100);

        // A link.
        var link = gateway.Services.GetRequiredService<ViewLinks>()
            .PathTo(StorePath.Root.Child("content").Child("movies").Child("Film two").Child(entries[1].Name), "film.mkv");
        using (var nobody = new DavClient(client.Http.BaseAddress!.AbsoluteUri))
            await nobody.AssertRangeAsync("/nzbdav" + link, file, 500, 1_500);

        // The SABnzbd interface.
        foreach (var api in new[] { "/nzbdav/api", "/nzbdav/sabnzbd/api" })
        {
            var (_, queue) = await client.AskAsync("GET", $"{api}?mode=history&limit=5&output=json&apikey={Key}");
            Assert.Equal("Film two",
                JsonDocument.Parse(queue).RootElement.GetProperty("history").GetProperty("slots")[0].GetProperty("name").GetString());
        }
    }

    private static async Task<(HttpStatusCode Status, string Text)> AskAsync(
        DavClient client, string path, (string Name, string Value) header)
    {
        using var response = await client.SendAsync("GET", path, body: null, headers => headers.Add(header.Name, header.Value));
        return (response.StatusCode, await response.Content.ReadAsStringAsync());
    }

    private static async Task<Gateway> StartAsync(NewsServers news)
    {
        var access = new AccessOptions
        { UrlBase = new PathString("/nzbdav"), TrustedProxies = [IPNetwork.Parse("127.0.0.1/32")], ForwardAuthHeader = "Remote-User" };
        var gateway = await Gateway.StartAsync(
            news, change: settings => settings with { Access = access, Api = new ApiSettings { Key = Key } });
        Assert.Equal(AccountOutcome.Done,
            (await gateway.Services.GetRequiredService<UserAccounts>().CreateFirstAsync("anna", Password, Deadline.Token)).Outcome);
        return gateway;
    }
}
