using NzbDav.Arr.Client;
using NzbDav.Arr.Repair;
using NzbDav.Fakes;

namespace NzbDav.Arr.Tests;

/// <summary>Order, idempotence and rate of repairs.</summary>
public sealed class RepairTests
{
    private static readonly RepairRequest Broken = new("f1", ".ids/1/2/3/4/5/f1", "SABnzbd_nzo_a");

    private readonly ManualTimeProvider _time = new();
    private readonly FakeLinks _links = new()
    { ["/tv/S/a.mkv"] = "/mnt/other/.ids/1/2/3/4/5/xf1", ["/tv/S/b.mkv"] = "/mnt/nzbdav/.ids/1/2/3/4/5/f1" };

    [Fact]
    public async Task ARR_02_Repair_finds_file_and_grab_then_deletes_then_marks_as_failed_each_once()
    {
        await using var fake = await SonarrAsync();
        using var client = fake.Client();
        using var repair = new ArrRepair(client, _links, new SearchGate(_time), _time);

        Assert.Equal(RepairStatus.Searching, (await repair.RepairAsync(Broken)).Status);
        Assert.Equal(RepairStatus.Done, (await repair.RepairAsync(Broken)).Status);

        Assert.Equal(
            [
                "GET history?downloadId=SABnzbd_nzo_a&sortKey=date&sortDirection=descending&page=1&pageSize=200",
                "GET episodefile?seriesId=9", "GET episode?episodeFileId=2", "DELETE episodefile/2", "GET config/downloadclient",
                "POST history/failed/40",
            ],
            fake.Requests.Select(request => request.Line));
        Assert.Equal(1, Assert.Single(fake.Files)["id"]!.GetValue<int>());
        Assert.Empty(fake.Commands);
    }

    [Theory]
    [InlineData("/mnt/nzbdav/.ids/1/2/3/4/5/f1", true)]
    [InlineData("/old/mount/.ids/8/f/3/e/3/8f3e356e", true)]
    [InlineData("/old/mount/.ids/8/f/3/e/3/x8f3e356e", false)]
    [InlineData("http://old:3000/view/.ids/8/f/3/e/3/8f3e356e?downloadKey=1&extension=mkv", true)]
    [InlineData("/mnt/altmount/tv/Show/a b.mkv", true)]
    [InlineData("/srv/media/tv/Show/a b.mkv", false)]
    [InlineData("/mnt/altmount/other/tv/Show/a b.mkv", false)]
    [InlineData("http://old:8080/api/files/stream?path=tv/Show/a%20b.mkv&download_key=1", true)]
    [InlineData("http://old:8080/api/files/stream?path=other/tv/Show/a%20b.mkv&download_key=1", false)]
    [InlineData("http://elsewhere/tv/Show/a%20b.mkv", false)]
    public void ARR_02_Links_of_another_program_lead_to_the_file_too(string target, bool expected)
    {
        var request = Broken
            with
        { OldPaths = [".ids/8/f/3/e/3/8f3e356e", "tv/Show/a b.mkv"], Mounts = new HashSet<string> { "/mnt/altmount" } };
        Assert.Equal(expected, request.IsTarget(target));
    }

    [Theory]
    [InlineData(true, false, 0)]
    [InlineData(false, true, 1)]
    [InlineData(false, false, 1)]
    public async Task ARR_02_Without_a_grab_or_automatic_search_the_episodes_are_searched(bool grab, bool autoRedownload, int others)
    {
        await using var fake = await SonarrAsync();
        fake.AutoRedownloadFailed = autoRedownload;
        if (!grab)
            fake.History.Clear();
        using var client = fake.Client();
        using var repair = new ArrRepair(client, _links, new SearchGate(_time), _time);

        Assert.Equal(RepairStatus.Searching, (await repair.RepairAsync(Broken)).Status);

        Assert.Equal("""{"name":"EpisodeSearch","episodeIds":[21,22]}""", Assert.Single(fake.Commands).ToJsonString());
        Assert.Equal(others, fake.Lines("GET").Count(line => line == "GET series"));
    }

    [Fact]
    public async Task ARR_02_A_second_search_waits_a_minute_and_leaves_its_file_alone()
    {
        await using var fake = await SonarrAsync();
        _links["/tv/S/a.mkv"] = "http://host/view/.ids/1/2/3/4/5/f%32?key=1";
        using var client = fake.Client();
        using var repair = new ArrRepair(client, _links, new SearchGate(_time), _time);
        var second = new RepairRequest("f2", ".ids/1/2/3/4/5/f2", Broken.DownloadId);

        await repair.RepairAsync(Broken);
        _time.Advance(TimeSpan.FromSeconds(59));
        var later = await repair.RepairAsync(second);
        Assert.Equal((RepairStatus.Later, TimeSpan.FromSeconds(1)), (later.Status, later.RetryAfter));
        Assert.Single(fake.Files);
        _time.Advance(TimeSpan.FromSeconds(1));

        // Its download is marked already: only this file is searched.
        Assert.Equal(RepairStatus.Searching, (await repair.RepairAsync(second)).Status);
        Assert.Empty(fake.Files);
        Assert.Equal(["POST history/failed/40", "POST command"], fake.Lines("POST"));
    }

    [Fact]
    public async Task ARR_02_A_repair_that_failed_after_the_deletion_resumes_there()
    {
        await using var fake = await SonarrAsync();
        fake.History.Clear();
        var fail = true;
        fake.Before = context =>
        {
            if (!fail || context.Request.Method != "POST")
                return Task.FromResult(false);
            context.Response.StatusCode = 502;
            return Task.FromResult(true);
        };
        using var client = fake.Client();
        using var repair = new ArrRepair(client, _links, new SearchGate(_time), _time);

        Assert.Equal(RepairStatus.Failed, (await repair.RepairAsync(Broken)).Status);
        fail = false;
        _time.Advance(SearchGate.Interval);
        Assert.Equal(RepairStatus.Searching, (await repair.RepairAsync(Broken)).Status);

        Assert.Single(fake.Lines("DELETE"));
        Assert.Single(fake.Commands);
    }

    [Fact]
    public async Task ARR_02_A_file_without_a_link_changes_nothing_and_does_not_delay_the_next_search()
    {
        await using var fake = await SonarrAsync();
        using var client = fake.Client();
        using var repair = new ArrRepair(client, _links, new SearchGate(_time), _time);

        Assert.Equal(RepairStatus.NotFound, (await repair.RepairAsync(Broken with { FileId = "z", TargetPath = ".ids/z" })).Status);
        Assert.Empty(fake.Lines("DELETE"));
        Assert.Equal(RepairStatus.Searching, (await repair.RepairAsync(Broken)).Status);
    }

    [Fact]
    public async Task ARR_02_A_film_is_found_by_its_embedded_file()
    {
        await using var fake = await FakeArr.StartAsync(ArrApplication.Radarr);
        fake.Owners.Add(FakeArr.Parse("""{"id":5,"title":"F","movieFile":{"id":2,"movieId":5,"path":"/tv/S/b.mkv","size":1}}"""));
        fake.Files.Add(FakeArr.Parse("""{"id":2,"movieId":5,"path":"/tv/S/b.mkv","size":1}"""));
        using var client = fake.Client();
        using var repair = new ArrRepair(client, _links, new SearchGate(_time), _time);

        Assert.Equal(RepairStatus.Searching, (await repair.RepairAsync(Broken with { DownloadId = null })).Status);
        Assert.Equal("""{"name":"MoviesSearch","movieIds":[5]}""", Assert.Single(fake.Commands).ToJsonString());
        Assert.Empty(fake.Files);
    }

    private static async Task<FakeArr> SonarrAsync()
    {
        var fake = await FakeArr.StartAsync();
        fake.Owners.Add(FakeArr.Parse("""{"id":9,"title":"S","path":"/tv/S"}"""));
        fake.Files.Add(FakeArr.Parse("""{"id":1,"seriesId":9,"path":"/tv/S/a.mkv","size":1}"""));
        fake.Files.Add(FakeArr.Parse("""{"id":2,"seriesId":9,"path":"/tv/S/b.mkv","size":1}"""));
        fake.Episodes.Add(FakeArr.Parse("""{"id":11,"seriesId":9,"episodeFileId":1}"""));
        fake.Episodes.Add(FakeArr.Parse("""{"id":21,"seriesId":9,"episodeFileId":2}"""));
        fake.Episodes.Add(FakeArr.Parse("""{"id":22,"seriesId":9,"episodeFileId":2}"""));
        fake.History.Add(FakeArr.Parse("""{"id":41,"seriesId":9,"episodeId":21,"downloadId":"SABnzbd_nzo_a","eventType":"downloadFolderImported","date":"2030-01-02T00:00:00Z","data":{}}"""));
        fake.History.Add(FakeArr.Parse("""{"id":40,"seriesId":9,"episodeId":21,"downloadId":"SABnzbd_nzo_a","eventType":"grabbed","date":"2030-01-01T00:00:00Z","data":{}}"""));
        return fake;
    }
}
