using NzbDav.Arr.Client;
using NzbDav.Arr.Resources;
using NzbDav.Fakes;

namespace NzbDav.Arr.Tests;

/// <summary>Each call in the form that the applications expect: method, path, query, key, body.</summary>
public sealed class CallTests
{
    [Theory]
    [InlineData(ArrApplication.Sonarr, "includeUnknownSeriesItems")]
    [InlineData(ArrApplication.Radarr, "includeUnknownMovieItems")]
    [InlineData(ArrApplication.Lidarr, "includeUnknownArtistItems")]
    public async Task ARR_01_Queue_is_asked_for_with_usenet_and_unknown_items(ArrApplication application, string parameter)
    {
        await using var fake = await FakeArr.StartAsync(application);
        fake.Queue.Add(FakeArr.Parse("""
            {"id":7,"downloadId":"SABnzbd_nzo_a","protocol":"usenet","status":"completed","trackedDownloadStatus":"warning","trackedDownloadState":"aNewState",
             "statusMessages":[{"title":"x.mkv","messages":["Sample"]}],"size":1.5,"timeleft":"00:00:00"}
            """));
        fake.Queue.Add(FakeArr.Parse("""{"id":8,"downloadId":"ABC","protocol":"torrent"}"""));
        using var client = fake.Client();

        var row = Assert.Single((await client.QueueAsync()).Value!);

        Assert.Equal((7, "aNewState", "Sample"), (row.Id, row.TrackedDownloadState, row.StatusMessages![0].Messages[0]));
        Assert.Equal($"GET queue?protocol=usenet&{parameter}=true&page=1&pageSize=200", Assert.Single(fake.Lines("GET")));
    }

    [Fact]
    public async Task ARR_01_Status_removal_and_failure_are_sent_in_full()
    {
        await using var fake = await FakeArr.StartAsync();
        fake.Queue.Add(FakeArr.Parse("""{"id":7,"downloadId":"a","protocol":"usenet"}"""));
        fake.History.Add(FakeArr.Parse("""{"id":40,"downloadId":"a","eventType":"grabbed","date":"2030-01-01T00:00:00Z"}"""));
        using var client = fake.Client();

        var status = (await client.QueueStatusAsync()).Value!;
        Assert.Equal((3, 2, 1, true, false, false, true), (status.TotalCount, status.Count, status.UnknownCount, status.Errors,
            status.Warnings, status.UnknownErrors, status.UnknownWarnings));
        Assert.Null(await client.RemoveFromQueueAsync(7, new QueueRemoval { Blocklist = true }));
        Assert.Empty(fake.Queue);
        Assert.Null(await client.RemoveFromQueueAsync(7, new QueueRemoval { RemoveFromClient = false, SkipRedownload = true }));
        Assert.Null(await client.MarkFailedAsync(40));
        Assert.Equal(ArrErrorKind.Failed, (await client.MarkFailedAsync(41))!.Kind);

        Assert.Equal(
            ["DELETE queue/7?removeFromClient=true&blocklist=true&skipRedownload=false",
                "DELETE queue/7?removeFromClient=false&blocklist=false&skipRedownload=true"],
            fake.Lines("DELETE"));
        Assert.Equal(["POST history/failed/40", "POST history/failed/41"], fake.Lines("POST"));
    }

    [Theory]
    [InlineData(ArrApplication.Sonarr, """{"name":"EpisodeSearch","episodeIds":[4,5]}""")]
    [InlineData(ArrApplication.Radarr, """{"name":"MoviesSearch","movieIds":[4,5]}""")]
    [InlineData(ArrApplication.Lidarr, """{"name":"AlbumSearch","albumIds":[4,5]}""")]
    public async Task ARR_01_Searches_are_the_commands_of_the_application(ArrApplication application, string body)
    {
        await using var fake = await FakeArr.StartAsync(application);
        using var client = fake.Client();

        Assert.Null(await client.SearchAsync([4, 5]));
        Assert.Equal("completed", (await client.CommandStatusAsync(1)).Value!.Status);

        Assert.Equal(body, Assert.Single(fake.Commands).ToJsonString());
    }

    [Fact]
    public async Task ARR_01_Library_calls_read_numbers_beyond_32_bits()
    {
        await using var fake = await FakeArr.StartAsync();
        fake.Files.Add(FakeArr.Parse("""{"id":3,"seriesId":9,"path":"/tv/a.mkv","size":50000000000}"""));
        fake.Episodes.Add(FakeArr.Parse("""{"id":4,"seriesId":9,"episodeFileId":3,"seasonNumber":1,"episodeNumber":2,"monitored":true}"""));
        using var client = fake.Client();

        Assert.Equal(50_000_000_000, Assert.Single((await client.FilesAsync(9)).Value!).Size);
        Assert.Equal(4, Assert.Single((await client.EpisodesOfFileAsync(3)).Value!).Id);
        Assert.Equal(5_000_000_000, Assert.Single((await client.RootFoldersAsync()).Value!).FreeSpace);
        Assert.Null(await client.DeleteFileAsync(3));
        Assert.Equal(ArrErrorKind.NotFound, (await client.FileAsync(3)).Error!.Kind);
        Assert.Equal(
            ["GET episodefile?seriesId=9", "GET episode?episodeFileId=3", "GET rootfolder", "GET episodefile/3"], fake.Lines("GET"));
    }

    [Fact]
    public async Task ARR_01_A_wrong_key_and_a_wrong_application_are_distinguished()
    {
        await using var fake = await FakeArr.StartAsync(ArrApplication.Radarr);
        using var wrong = new ArrClient(fake.Options() with { ApiKey = "wrong" });
        using var sonarr = new ArrClient(fake.Options() with { Application = ArrApplication.Sonarr });

        var refused = (await wrong.SystemStatusAsync()).Error!;
        Assert.Equal((ArrErrorKind.Unauthorized, 401), (refused.Kind, refused.Status));
        var other = (await sonarr.SystemStatusAsync()).Error!;
        Assert.Equal(ArrErrorKind.NotArr, other.Kind);
        Assert.Contains("is Radarr, not Sonarr", other.Message, StringComparison.Ordinal);
        Assert.DoesNotContain(FakeArr.Key, other.Message + fake.Options(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("GET", 503, 3)]
    [InlineData("GET", 502, 3)]
    [InlineData("GET", 500, 1)]
    [InlineData("POST", 503, 3)]
    [InlineData("POST", 502, 1)]
    public async Task ARR_01_Only_transient_faults_are_retried(string method, int status, int attempts)
    {
        await using var fake = await FakeArr.StartAsync();
        var count = 0;
        fake.Before = context =>
        {
            count++;
            context.Response.StatusCode = status;
            return Task.FromResult(true);
        };
        using var client = fake.Client();

        var error = method == "GET" ? (await client.SystemStatusAsync()).Error : await client.MarkFailedAsync(1);

        Assert.Equal((status, attempts), (error!.Status, count));
    }

    [Fact]
    public async Task ARR_01_A_server_that_does_not_answer_times_out()
    {
        await using var fake = await FakeArr.StartAsync();
        var asked = new TaskCompletionSource();
        fake.Before = async context =>
        {
            asked.TrySetResult();
            await Task.Delay(Timeout.Infinite, context.RequestAborted).ContinueWith(static _ => { }, TaskScheduler.Default);
            return true;
        };
        var time = new ManualTimeProvider();
        using var client = new ArrClient(fake.Options() with { Retries = 0 }, time);

        var call = client.SystemStatusAsync();
        await asked.Task;
        Assert.False(call.IsCompleted);
        time.Advance(TimeSpan.FromSeconds(31));

        Assert.Equal(ArrErrorKind.TimedOut, (await call).Error!.Kind);
    }
}
