using System.Net.Http.Json;
using System.Text.Json.Nodes;
using NzbDav.Arr.Tests;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Migration.Tests.Fixtures;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.EndToEnd.Tests;

public sealed partial class MigrationTests
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_broken_file_is_found_in_an_arr_by_the_link_that_nzbdav_made(bool byName)
    {
        await using var news = new NewsServers();
        await using var sonarr = await FakeArr.StartAsync();
        using var folder = new Folder();
        using var old = new Folder();
        using var library = new Folder();
        var show = news.Post("show.mkv", 700_000);
        var file = new FixtureFile("Show.mkv", show.Length, [FixturePart.Whole(show)]);
        string id;
        using (var fixture = new NzbdavFixture(old.Path, NzbdavEra.Blobs))
        {
            fixture.Configure("rclone.mount-dir", "/mnt/old");
            id = fixture.Finish(fixture.Add("tv", "Show", NzbWriter.ToBytes([show]), null, file), "tv", "Show");
        }

        await MoveAsync(news, folder, "nzbdav", old);
        File.CreateSymbolicLink(Path.Combine(library.Path, "e1.mkv"), byName ? "/mnt/old/content/tv/Show/Show.mkv" : "/anywhere/" + file.IdPath);
        sonarr.Owners.Add(FakeArr.Parse("""{"id":5,"title":"Show"}"""));
        sonarr.Files.Add(FakeArr.Parse("""{"id":31,"seriesId":5,"path":"/tv/e1.mkv"}"""));
        sonarr.Episodes.Add(FakeArr.Parse("""{"id":101,"seriesId":5,"seasonNumber":1,"episodeNumber":1,"episodeFileId":31}"""));
        sonarr.History.Add(new JsonObject { ["id"] = 9, ["seriesId"] = 5, ["downloadId"] = id, ["eventType"] = "grabbed", ["date"] = "2030-01-01T00:00:00Z" });
        var environment = WithKey(news);
        foreach (var (name, value) in ((string, string)[])[("Application", "Sonarr"), ("Url", sonarr.Root + sonarr.UrlBase), ("ApiKey", FakeArr.Key), ("LibraryPath", "/tv"), ("LibraryPathHere", library.Path)])
            environment[$"NzbDav__Arrs__0__{name}"] = value;
        await using var server = ServerProcess.Start(environment, "--config", folder.Path, "--urls", "http://127.0.0.1:0");
        using var client = await server.ClientAsync();
        client.Http.DefaultRequestHeaders.Add("X-Api-Key", Key);
        using var answer = await client.Http.PostAsJsonAsync("/api/v1/repairs", new { path = "/content/tv/Show/show.mkv" });
        var text = await answer.Content.ReadAsStringAsync();
        Assert.True(answer.IsSuccessStatusCode && text.Contains("\"searching\"", StringComparison.Ordinal), text);
        Assert.Contains("DELETE episodefile/31", sonarr.Requests.Select(request => request.Line));
        Assert.Contains("POST history/failed/9", sonarr.Requests.Select(request => request.Line));
    }
}
