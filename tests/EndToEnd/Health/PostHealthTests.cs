using System.Net;
using System.Text.Json.Nodes;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging.Abstractions;
using NzbDav.Api.Sab.Calls;
using NzbDav.Arr.Client;
using NzbDav.Arr.Tests;
using NzbDav.Catalog.Health;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Tree;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Fakes;
using NzbDav.Fakes.Recovery;
using NzbDav.Library.Health;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Faults;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.EndToEnd.Tests.Health;

/// <summary>Health checks against providers, with recovery data and an *arr, on a clock moved by the test.</summary>
public sealed class PostHealthTests
{
    private static readonly byte[] Film = SeededBytes.Make(177, 1_500_000);

    [Fact]
    public async Task A_takedown_is_suspected_then_confirmed_two_days_later_and_repaired_from_recovery_data()
    {
        await using var news = new NewsServers();
        var writer = new Par2Writer { SliceSize = 25_000 }.Add("film.mkv", Film);
        var posted = news.Store.AddPost(
            [("film.mkv", new MemorySource(Film)), ("film.par2", new MemorySource(writer.Index())),
                ("film.vol0+8.par2", new MemorySource(writer.Volume(8)))], new PostOptions { ArticleSize = 40_000 });
        await using var gateway = await Gateway.StartAsync(news);
        var path = await gateway.ImportAsync("film", [.. posted]);
        using var api = OperatorClient.Of(gateway);
        var (runner, clock, id) = await RunnerAsync(gateway, "movies", "film");
        Assert.Equal(HealthVerdict.Healthy, (await runner.CheckAsync(id, Deadline.Token))!.Verdict);

        news.Fault(Fault.Missing, FaultTarget.Indexes(posted[0], 5, 20));
        gateway.ForgetArticles();
        await UntilAsync(runner, id, HealthVerdict.Suspect);
        clock.Advance(TimeSpan.FromDays(2));
        Assert.Equal(HealthVerdict.Missing, (await runner.CheckAsync(id, Deadline.Token))!.Verdict);
        await UntilAsync(runner, id, HealthVerdict.Repaired);
        gateway.ForgetArticles();
        await gateway.Client.AssertFileAsync(path + "/film.mkv", posted[0]);

        var (_, overview) = await api.AskAsync("GET", "/api/v1/health");
        Assert.Equal(1, overview.GetProperty("counts").GetProperty("repaired").GetInt32());
        Assert.InRange(overview.GetProperty("statsUsed").GetInt32(), 0, overview.GetProperty("statsPerDay").GetInt32());
        var (_, detail) = await api.AskAsync("GET", $"/api/v1/health/posts/{id}");
        string[] kinds = [.. detail.GetProperty("events").EnumerateArray().Reverse().Select(one => one.GetProperty("kind").GetString()!)];
        Assert.Equal(["suspected", "confirmed"], kinds[..2]);
        Assert.Equal("repaired", kinds[^1]);
        Assert.Contains("again on", detail.GetProperty("events").EnumerateArray()
            .First(one => one.GetProperty("kind").GetString() == "confirmed").GetProperty("reason").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_unrepairable_post_is_hidden_only_after_its_replacement_plays()
    {
        using var library = new Folder();
        await using var news = new NewsServers();
        await using var sonarr = await FakeArr.StartAsync();
        await using var gateway = await StartAsync(news, sonarr, library);
        var old = news.Post("Show.S01E01.mkv", 1_000_000);
        var link = await ImportAsync(gateway, library, "Show", "Show.S01E01.mkv", old, "e1.mkv");
        var job = (await gateway.FindJobAsync("Show"))!;
        sonarr.Owners.Add(FakeArr.Parse("""{"id":5,"title":"Show"}"""));
        sonarr.Files.Add(FakeArr.Parse("""{"id":31,"seriesId":5,"path":"/tv/e1.mkv"}"""));
        sonarr.Episodes.Add(FakeArr.Parse("""{"id":101,"seriesId":5,"seasonNumber":1,"episodeNumber":1,"episodeFileId":31}"""));
        sonarr.History.Add(new JsonObject
        {
            ["id"] = 9,
            ["seriesId"] = 5,
            ["downloadId"] = NzoId.Of(job.Id),
            ["eventType"] = "grabbed",
            ["date"] = "2030-01-01T00:00:00Z"
        });
        var (runner, clock, id) = await RunnerAsync(gateway, "tv", "Show");
        var api = new SettingsClient(gateway);

        news.Fault(Fault.Missing, FaultTarget.File(old));
        gateway.ForgetArticles();
        await UntilAsync(runner, id, HealthVerdict.Suspect);
        clock.Advance(TimeSpan.FromDays(2));
        await UntilAsync(runner, id, HealthVerdict.Missing);
        await StageAsync(runner, id, HealthStage.Searching);
        Assert.Equal(
            ["POST history/failed/9"], sonarr.Lines("POST").Where(line => !line.StartsWith("POST command", StringComparison.Ordinal)));
        Assert.Empty(sonarr.Lines("DELETE"));
        Assert.True(File.Exists(link) || new FileInfo(link).LinkTarget is not null);

        // Sonarr imports another release and removes its old link.
        await ImportAsync(
            gateway, library, "Show.REPACK", "Show.S01E01.REPACK.mkv", news.Post("Show.S01E01.REPACK.mkv", 1_200_000), "e1b.mkv");
        File.Delete(link);
        sonarr.Files[0] = FakeArr.Parse("""{"id":32,"seriesId":5,"path":"/tv/e1b.mkv"}""");
        sonarr.Episodes[0]["episodeFileId"] = 32;
        clock.Advance(TimeSpan.FromHours(2));
        await StageAsync(runner, id, HealthStage.Hidden);
        Assert.Equal(HttpStatusCode.NotFound,
            (await gateway.Client.AskAsync("GET", DavClient.Path("content", "tv", "Show", "Show.S01E01.mkv"))).Status);

        var (status, undone) = await api.SendAsync("POST", $"/api/v1/health/posts/{id}/undo", body: null);
        Assert.True(status == HttpStatusCode.OK, undone.ToString());
        Assert.Contains("Show", await gateway.Client.ListAsync("/dav/content/tv"));
        Assert.Equal(HttpStatusCode.Conflict, (await api.SendAsync("POST", $"/api/v1/health/posts/{id}/undo", body: null)).Status);
        Assert.Equal(HttpStatusCode.Conflict, (await api.SendAsync("POST", "/api/v1/health/release", body: null)).Status);
    }

    /// <summary>The tracks of an album get rising ids in one import.</summary>
    [Fact]
    public async Task The_other_tracks_of_an_album_are_not_taken_for_the_replacement_of_one()
    {
        using var library = new Folder();
        await using var news = new NewsServers();
        await using var lidarr = await FakeArr.StartAsync(ArrApplication.Lidarr);
        await using var gateway = await StartAsync(news, lidarr, library);
        var old = Album(news, "01.flac", "02.flac");
        await ImportAlbumAsync(gateway, library, "Album", old);
        lidarr.Owners.Add(FakeArr.Parse("""{"id":5,"artistName":"Artist"}"""));
        lidarr.Files.Add(FakeArr.Parse("""{"id":31,"artistId":5,"albumId":7,"path":"/tv/01.flac"}"""));
        lidarr.Files.Add(FakeArr.Parse("""{"id":32,"artistId":5,"albumId":7,"path":"/tv/02.flac"}"""));
        var (runner, clock, id) = await RunnerAsync(gateway, "music", "Album");
        var store = gateway.Services.GetRequiredService<HealthStore>();

        news.Fault(Fault.Missing, FaultTarget.File(old[0]));
        gateway.ForgetArticles();
        await UntilAsync(runner, id, HealthVerdict.Suspect);
        clock.Advance(TimeSpan.FromDays(2));
        await UntilAsync(runner, id, HealthVerdict.Missing);
        await StageAsync(runner, id, HealthStage.Searching);
        clock.Advance(TimeSpan.FromHours(2));
        Assert.Equal(HealthStage.Searching, (await runner.CheckAsync(id, Deadline.Token))!.Stage);
        Assert.DoesNotContain(HealthEventKind.ReplacementPlays, await KindsAsync());

        await ImportAlbumAsync(gateway, library, "Album.REPACK", Album(news, "01.REPACK.flac", "02.REPACK.flac"));
        lidarr.Files.Clear();
        lidarr.Files.Add(FakeArr.Parse("""{"id":33,"artistId":5,"albumId":7,"path":"/tv/01.REPACK.flac"}"""));
        lidarr.Files.Add(FakeArr.Parse("""{"id":34,"artistId":5,"albumId":7,"path":"/tv/02.REPACK.flac"}"""));
        clock.Advance(TimeSpan.FromHours(2));
        await Deadline.UntilAsync(
            async () => (await runner.CheckAsync(id, Deadline.Token))!.Stage != HealthStage.Searching, "the replacement is found");
        Assert.Contains(HealthEventKind.ReplacementPlays, await KindsAsync());

        async Task<HealthEventKind[]> KindsAsync() =>
            [.. (await store.EventsAsync(id, 100, Deadline.Token)).Select(static one => one.Kind)];
    }

    [Fact]
    public async Task A_failed_read_starts_a_check_of_its_post_at_once()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news);
        var posted = news.Post("Film.mkv", 1_000_000);
        var path = await gateway.ImportAsync("film", posted);
        var (runner, _, id) = await RunnerAsync(gateway, "movies", "film");
        await runner.CheckAsync(id, Deadline.Token);
        news.Fault(Fault.Missing, FaultTarget.File(posted));
        gateway.ForgetArticles();
        Assert.Equal(HttpStatusCode.NotFound, (await gateway.Client.AskAsync("GET", path + "/Film.mkv")).Status);
        await gateway.Services.GetRequiredService<FailureRecordingRepairer>().StoreAsync(Deadline.Token);
        var store = gateway.Services.GetRequiredService<HealthStore>();
        var post = (await store.GetAsync(id, Deadline.Token))!;
        Assert.Equal((HealthVerdict.Suspect, true), (post.Verdict, post.Urgent));
        Assert.Equal(HealthEventKind.ReadFailed, (await store.EventsAsync(id, 1, Deadline.Token))[0].Kind);
    }

    [Fact]
    public async Task Settings_take_effect_at_once_and_wrong_ones_are_refused()
    {
        await using var news = new NewsServers();
        await using var sonarr = await FakeArr.StartAsync();
        using var library = new Folder();
        await using var gateway = await StartAsync(news, sonarr, library);
        var api = new SettingsClient(gateway);
        await api.ChangeAsync(new Dictionary<string, object> { ["Health:StatsPerDay"] = "0", ["Health:RemovalsPerDay"] = "7" });
        var overview = (await api.SendAsync("GET", "/api/v1/health", body: null)).Answer;
        Assert.Equal((0, 7, "replace"), (overview.GetProperty("statsPerDay").GetInt32(), overview.GetProperty("removalsPerDay").GetInt32(),
            overview.GetProperty("action").GetString()));
        var faults = await api.RefusedAsync(new Dictionary<string, object> { ["Health:Action"] = "delete" });
        Assert.Contains("Health:Action: it must be check, repair or replace.", faults);
        Assert.Equal(HttpStatusCode.NotFound, (await api.SendAsync("GET", "/api/v1/health/posts/12", body: null)).Status);
        Assert.Equal(HttpStatusCode.BadRequest, (await api.SendAsync("GET", "/api/v1/health/posts?verdict=dead", body: null)).Status);
    }

    /// <summary>The server's own checks with another clock; the server itself runs none.</summary>
    private static async Task<(HealthRunner Runner, ManualTimeProvider Clock, long Id)> RunnerAsync(
        Gateway gateway, string category, string job)
    {
        await gateway.Services.GetRequiredService<HealthDesk>().PauseAsync(true, Deadline.Token);
        var clock = new ManualTimeProvider(TimeProvider.System.GetUtcNow());
        var runner = new HealthRunner(
            gateway.Services.GetRequiredService<HealthTools>() with { Time = clock }, NullLogger<HealthRunner>.Instance);
        await runner.AddNewAsync(Deadline.Token);
        return (runner, clock,
            (await gateway.Services.GetRequiredService<TreeStore>().ResolveAsync(["content", category, job], Deadline.Token))!.Id);
    }

    private static Task UntilAsync(HealthRunner runner, long id, HealthVerdict verdict) =>
        Deadline.UntilAsync(async () => (await runner.CheckAsync(id, Deadline.Token))!.Verdict == verdict, $"the post is {verdict}");

    private static Task StageAsync(HealthRunner runner, long id, HealthStage stage) =>
        Deadline.UntilAsync(async () => (await runner.CheckAsync(id, Deadline.Token))!.Stage == stage, $"the stage is {stage}");

    /// <summary>Tracks of the same size.</summary>
    private static IReadOnlyList<PostedFile> Album(NewsServers news, params string[] names) =>
        news.Store.AddPost([.. names.Select(static name => (name, (IArticleSource)new SeededSource(11, name, 1_000_000)))]);

    private static async Task<string> ImportAsync(Gateway gateway, Folder library, string job, string name, PostedFile file, string link)
    {
        await PutAsync(gateway, "tv", job, file);
        return await LinkAsync(gateway, library, $"tv/{job}/{name}", link);
    }

    /// <summary>Links the tracks under their names.</summary>
    private static async Task ImportAlbumAsync(Gateway gateway, Folder library, string job, IReadOnlyList<PostedFile> tracks)
    {
        await PutAsync(gateway, "music", job, [.. tracks]);
        foreach (var track in tracks)
            await LinkAsync(gateway, library, $"music/{job}/{track.Name}", track.Name);
    }

    private static async Task PutAsync(Gateway gateway, string category, string job, params PostedFile[] files)
    {
        await gateway.Client.PutAsync(DavClient.Path("nzbs", category, job + ".nzb"), NzbWriter.ToBytes(files));
        var done = await gateway.WaitAsync(job);
        Assert.True(done?.State == JobState.Completed, done?.FailureMessage);
    }

    private static async Task<string> LinkAsync(Gateway gateway, Folder library, string file, string link)
    {
        var (_, target) = await gateway.Client.AskAsync("GET", $"/dav/completed-symlinks/{file}.rclonelink");
        var path = Path.Combine(library.Path, link);
        File.CreateSymbolicLink(path, target);
        return path;
    }

    private static Task<Gateway> StartAsync(NewsServers news, FakeArr arr, Folder library)
    {
        var environment = new Dictionary<string, string?>
        {
            ["Api:Key"] = SettingsClient.Key,
            ["WebDav:Username"] = Gateway.User,
            ["WebDav:Password"] = Gateway.Password,
            ["Torrents:ListenAddress"] = "127.0.0.1",
            ["Arrs:0:Application"] = arr.Application.ToString(),
            ["Arrs:0:Url"] = arr.Root + arr.UrlBase,
            ["Arrs:0:ApiKey"] = FakeArr.Key,
            ["Arrs:0:LibraryPath"] = "/tv",
            ["Arrs:0:LibraryPathHere"] = library.Path,
        };
        foreach (var (name, value) in news.Environment)
            environment[name["NzbDav__".Length..].Replace("__", ":", StringComparison.Ordinal)] = value;
        return ReplacingAsync(Gateway.StartAsync(news, environment: environment));
    }

    private static async Task<Gateway> ReplacingAsync(Task<Gateway> starting)
    {
        var gateway = await starting;
        await new SettingsClient(gateway).ChangeAsync(new Dictionary<string, object> { ["Health:Action"] = "replace" });
        return gateway;
    }
}
