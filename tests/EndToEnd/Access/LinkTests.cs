using System.Net;
using NzbDav.EndToEnd.Tests.Running;

namespace NzbDav.EndToEnd.Tests.Access;

/// <summary>Signed links: shared links, revoking them, and leaving those of .strm files valid.</summary>
public sealed class LinkTests
{
    [Fact]
    public async Task A_link_opens_one_file_until_revoked_and_library_links_are_revoked_only_on_request()
    {
        await using var news = new NewsServers();
        using var folder = new Folder();
        var file = news.Post("film.mkv", 2_000_000);
        string library, revoked;
        await using (var gateway = await StartAsync(news, folder))
        {
            var path = await gateway.ImportAsync("Film", file) + "/film.mkv";
            var api = new SettingsClient(gateway);
            library = (await gateway.Client.AskAsync("GET", "/dav/completed-symlinks/movies/Film/film.strm")).Text.Trim();
            library = new Uri(library).PathAndQuery;
            using var nobody = new DavClient(gateway.Root);
            await nobody.AssertFileAsync(library, file);

            var (status, made) = await api.SendAsync(
                "POST", "/api/v1/links", new { path = Uri.UnescapeDataString(path)["/dav".Length..], hours = 3 });
            Assert.Equal(HttpStatusCode.Created, status);
            Assert.InRange(made.GetProperty("expires").GetDateTimeOffset(), TimeProvider.System.GetUtcNow().AddHours(2.9),
                TimeProvider.System.GetUtcNow().AddHours(3));
            revoked = made.GetProperty("path").GetString()!;
            Assert.StartsWith("/view/", revoked, StringComparison.Ordinal);
            await nobody.AssertFileAsync(revoked, file);

            Assert.Equal(HttpStatusCode.NoContent, await DeleteAsync(gateway, "/api/v1/links"));
            Assert.Equal(HttpStatusCode.NotFound, (await nobody.AskAsync("GET", revoked)).Status);
            await nobody.AssertFileAsync(library, file);

            foreach (var wrong in new object[] { new { path = "/content/movies/Film" }, new { path = "/nzbs" }, new { hours = 3 },
                new { path = "/content/movies/Film/film.mkv", hours = 0 }, new { path = "/content/movies/Film/film.mkv", hours = 721 } })
                Assert.Equal(HttpStatusCode.UnprocessableEntity, (await api.SendAsync("POST", "/api/v1/links", wrong)).Status);
        }

        await using (var gateway = await StartAsync(news, folder))
        {
            using var nobody = new DavClient(gateway.Root);
            Assert.Equal(HttpStatusCode.NotFound, (await nobody.AskAsync("GET", revoked)).Status);
            await nobody.AssertFileAsync(library, file);
            Assert.Equal(HttpStatusCode.NoContent, await DeleteAsync(gateway, "/api/v1/links?strm=true"));
            Assert.Equal(HttpStatusCode.NotFound, (await nobody.AskAsync("GET", library)).Status);
            var renewed = new Uri(
                (await gateway.Client.AskAsync("GET", "/dav/completed-symlinks/movies/Film/film.strm")).Text.Trim()).PathAndQuery;
            await nobody.AssertFileAsync(renewed, file);
        }
    }

    [Fact]
    public async Task A_shared_link_does_not_protect_a_file_from_deletion()
    {
        await using var news = new NewsServers();
        using var folder = new Folder();
        var file = news.Post("film.mkv", 2_000_000);
        await using var gateway = await StartAsync(news, folder);
        var path = await gateway.ImportAsync("Film", file) + "/film.mkv";
        var api = new SettingsClient(gateway);
        var (_, made) = await api.SendAsync("POST", "/api/v1/links", new { path = Uri.UnescapeDataString(path)["/dav".Length..] });
        var link = made.GetProperty("path").GetString()!;
        using var nobody = new DavClient(gateway.Root);
        await nobody.AssertFileAsync(link, file);

        // The link follows the renamed file, and the file can be deleted without a refusal.
        var moved = path.Replace("film.mkv", "another name.mkv", StringComparison.Ordinal);
        using (var answer = await gateway.Client.SendAsync(
            "MOVE", path, body: null, headers => headers.Add("Destination", gateway.Root + moved)))
            Assert.Equal(HttpStatusCode.Created, answer.StatusCode);
        await nobody.AssertFileAsync(link, file);
        using var gone = await gateway.Client.SendAsync("DELETE", moved);
        Assert.Equal(HttpStatusCode.NoContent, gone.StatusCode);
    }

    private static async Task<HttpStatusCode> DeleteAsync(Gateway gateway, string path)
    {
        using var client = new DavClient(gateway.Root);
        using var response = await client.SendAsync("DELETE", path, body: null, headers => headers.Add("X-Api-Key", SettingsClient.Key));
        return response.StatusCode;
    }

    private static Task<Gateway> StartAsync(NewsServers news, Folder folder)
    {
        var environment = new Dictionary<string, string?>(SettingsClient.KeyAndLogin, StringComparer.Ordinal)
        { ["Strm:Categories"] = "movies", ["Strm:Url"] = "http://nas:8080" };
        foreach (var (name, value) in news.Environment)
            environment[name["NzbDav__".Length..].Replace("__", ":", StringComparison.Ordinal)] = value;
        return Gateway.StartAsync(news, folder, environment: environment);
    }
}
