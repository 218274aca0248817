using System.Net.Http.Json;
using System.Text.Json.Nodes;
using NzbDav.Arr.Tests;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Migration.Tests.Fixtures;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.EndToEnd.Tests.Moving;

/// <summary>Files of a moved library are repaired by their *arr.</summary>
public sealed class MovedRepairTests
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task An_arr_finds_a_broken_file_by_its_old_nzbdav_link(bool byName)
    {
        await using var move = new MoveFixture();
        var (news, folder, old) = move;
        await using var sonarr = await FakeArr.StartAsync();
        using var library = new Folder();
        var show = news.Post("show.mkv", 700_000);
        var file = new FixtureFile("Show.mkv", show.Length, [FixturePart.Whole(show)]);
        string id;
        using (var fixture = new NzbdavFixture(old.Path, NzbdavEra.Blobs))
        {
            fixture.Configure("rclone.mount-dir", "/mnt/old");
            id = fixture.Finish(fixture.Add("tv", "Show", NzbWriter.ToBytes([show]), null, file), "tv", "Show");
        }

        await move.RunAsync("nzbdav");
        File.CreateSymbolicLink(
            Path.Combine(library.Path, "e1.mkv"), byName ? "/mnt/old/content/tv/Show/Show.mkv" : "/anywhere/" + file.IdPath);
        sonarr.Owners.Add(FakeArr.Parse("""{"id":5,"title":"Show"}"""));
        sonarr.Files.Add(FakeArr.Parse("""{"id":31,"seriesId":5,"path":"/tv/e1.mkv"}"""));
        sonarr.Episodes.Add(FakeArr.Parse("""{"id":101,"seriesId":5,"seasonNumber":1,"episodeNumber":1,"episodeFileId":31}"""));
        sonarr.History.Add(new JsonObject
        { ["id"] = 9, ["seriesId"] = 5, ["downloadId"] = id, ["eventType"] = "grabbed", ["date"] = "2030-01-01T00:00:00Z" });
        var environment = move.WithKey();
        foreach (var (name, value) in ((string, string)[])[("Application", "Sonarr"), ("Url", sonarr.Root + sonarr.UrlBase),
            ("ApiKey", FakeArr.Key), ("LibraryPath", "/tv"), ("LibraryPathHere", library.Path)])
            environment[$"NzbDav__Arrs__0__{name}"] = value;
        await using var server = ServerHere.Start(environment, "--config", folder.Path, "--urls", "http://127.0.0.1:0");
        using var client = await server.ClientAsync();
        client.Http.DefaultRequestHeaders.Add("X-Api-Key", MoveFixture.Key);
        using var answer = await client.Http.PostAsJsonAsync("/api/v1/repairs", new { path = "/content/tv/Show/show.mkv" });
        var text = await answer.Content.ReadAsStringAsync();
        Assert.True(answer.IsSuccessStatusCode && text.Contains("\"searching\"", StringComparison.Ordinal), text);
        Assert.Contains("DELETE episodefile/31", sonarr.Requests.Select(request => request.Line));
        Assert.Contains("POST history/failed/9", sonarr.Requests.Select(request => request.Line));
    }
}
