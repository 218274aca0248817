using System.Globalization;
using System.Net;
using System.Text.Json;
using NzbDav.Catalog.Jobs;
using NzbDav.Import.Progress;
using NzbDav.Library;

namespace NzbDav.Api.Tests.Native;

/// <summary>The list of jobs, and the actions on them.</summary>
public sealed class JobTests
{
    [Fact]
    public async Task The_list_has_queue_and_history_with_every_detail()
    {
        await using var native = await NativeFixture.OpenAsync();
        var sab = native.Sab;
        await sab.FailAsync("Gone", message: "3 of 4 articles are gone");
        var done = await sab.CompleteAsync("Film", category: "movies");
        var running = await sab.RunAsync("Running", step: "parse");
        await sab.QueueAsync("First");
        await sab.QueueAsync("Second", priority: 1);

        var page = await native.GetAsync("/jobs");
        var items = page.GetProperty("items").EnumerateArray().ToArray();
        Assert.Equal(["Running", "Second", "First", "Film", "Gone"], items.Select(job => job.GetProperty("name").GetString()));
        Assert.Equal(["running", "queued", "queued", "completed", "failed"], items.Select(job => job.GetProperty("state").GetString()));
        Assert.Equal([0, 1, 2], items.Take(3).Select(job => job.GetProperty("position").GetInt32()));
        Assert.Equal((5, 0), (page.GetProperty("total").GetInt32(), page.GetProperty("offset").GetInt32()));
        Assert.Equal("""{"queued":2,"waiting":0,"paused":0,"running":1,"completed":1,"failed":1}""", page.GetProperty("counts").GetRawText());
        Assert.Equal("""{"code":"missing-articles","message":"3 of 4 articles are gone"}""", items[4].GetProperty("failure").GetRawText());
        Assert.Equal(("/content/movies/Film", done.Id.ToString(CultureInfo.InvariantCulture), "nzb", "api"),
            (Text(items[3], "path"), Text(items[3], "id"), Text(items[3], "kind"), Text(items[3], "source")));

        // The catalog stores progress every 15 seconds; users see it at once.
        native.Get<ImportEvents>().Report(new ImportProgress(running.Id, new JobProgress("probe", 615, 5_000_000_000, 3)));
        var told = (await native.GetAsync("/jobs?state=running")).GetProperty("items")[0];
        Assert.Equal(("probe", 1, 6, 0.615, 5_000_000_000), (Text(told, "step"), told.GetProperty("stepIndex").GetInt32(),
            told.GetProperty("stepCount").GetInt32(), told.GetProperty("progress").GetDouble(), told.GetProperty("bytes").GetInt64()));

        var details = await native.GetAsync($"/jobs/{done.Id}");
        Assert.Equal("""[{"step":"probe","seconds":0.12},{"step":"publish","seconds":0.003}]""", details.GetProperty("timings").GetRawText());
        Assert.Equal(SabFixture.Nzb("Film"), await native.Http.GetByteArrayAsync($"/api/v1/jobs/{done.Id}/source"));
        await native.GetAsync("/jobs/17", HttpStatusCode.NotFound);
    }

    [Fact]
    public async Task An_invalid_query_is_answered_with_the_valid_values()
    {
        await using var native = await NativeFixture.OpenAsync();
        foreach (var query in (string[])["state=done", "state=1", "kind=rar", "sort=age", "limit=0", "limit=501", "offset=-1", "offset=x"])
        {
            var error = (await native.GetAsync("/jobs?" + query, HttpStatusCode.BadRequest)).GetProperty("error").GetString()!;
            Assert.NotEmpty(error);
            if (query.StartsWith("state", StringComparison.Ordinal))
                Assert.Contains("queued, waiting, paused, running, completed, failed", error, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task A_waiting_job_says_until_when_and_for_what()
    {
        await using var native = await NativeFixture.OpenAsync();
        var job = await native.Sab.RunAsync("Show");
        await native.Sab.Jobs.PutBackAsync(job, TimeSpan.FromSeconds(40), "unavailable", "No provider answers.", CancellationToken.None);

        var told = Assert.Single((await native.GetAsync("/jobs?state=waiting")).GetProperty("items").EnumerateArray());
        Assert.Equal(
            ("waiting", native.Time.GetUtcNow().AddSeconds(40)), (Text(told, "state"), told.GetProperty("retryAt").GetDateTimeOffset()));
        native.Time.Advance(TimeSpan.FromSeconds(41));
        Assert.Equal(["Show"], await native.NamesAsync("?state=queued"));
    }

    [Fact]
    public async Task Actions_accept_ids_or_a_filter_and_report_refusals()
    {
        await using var native = await NativeFixture.OpenAsync();
        var (a, b, c) =
            (await native.Sab.QueueAsync("a"), await native.Sab.QueueAsync("b"), await native.Sab.QueueAsync("c", category: "movies"));
        var failed = await native.Sab.FailAsync("failed");
        string[] Ids(params CatalogJob[] jobs) => [.. jobs.Select(job => job.Id.ToString(CultureInfo.InvariantCulture))];

        var answer = await native.ActAsync(new { action = "pause", ids = (string[])[.. Ids(a, failed), "17", "x"] });
        Assert.Equal(1, answer.GetProperty("done").GetInt32());
        Assert.Equal([("x", "There is no such job."), (Ids(failed)[0], "It has ended."), ("17", "There is no such job.")],
            answer.GetProperty("refused").EnumerateArray().Select(one => (Text(one, "id")!, Text(one, "reason")!)));
        Assert.Equal(["a"], await native.NamesAsync("?state=paused"));

        Assert.Equal(3, (await native.ActAsync(new { action = "resume", filter = new { states = (string[])["queued", "paused"] } }))
            .GetProperty("done").GetInt32());
        Assert.Empty(await native.NamesAsync("?state=paused"));
        await native.ActAsync(new { action = "move", ids = Ids(c), position = 0 });
        Assert.Equal(["c", "a", "b"], await native.NamesAsync("?state=queued"));
        await native.ActAsync(new { action = "priority", ids = Ids(b), priority = 1 });
        Assert.Equal(["b", "c", "a"], await native.NamesAsync("?state=queued"));
        await native.ActAsync(
            new { action = "category", filter = new { category = "tv", states = (string[])["queued"] }, category = "anime" });
        Assert.Equal(["b", "a"], await native.NamesAsync("?category=anime"));
        await native.ActAsync(new { action = "rename", ids = Ids(a), name = "renamed" });
        Assert.Equal(["renamed"], await native.NamesAsync("?search=ENAME"));
        Assert.Equal(1, (await native.ActAsync(new { action = "retry", ids = Ids(failed) })).GetProperty("done").GetInt32());
        Assert.Equal(["b", "c", "failed", "renamed"], (await native.NamesAsync("?state=queued")).Order(StringComparer.Ordinal));
        Assert.Equal(4,
            (await native.ActAsync(new { action = "delete", filter = new { states = (string[]?)null } })).GetProperty("done").GetInt32());
        Assert.Empty(await native.NamesAsync());

        foreach (var wrong in (object[])[new { action = "pause" }, new { action = "pause", ids = Ids(a), filter = new { } },
            new { action = "priority", ids = Ids(a), priority = 9 }, new { ids = Ids(a) }, new
            {
                action = "rename",
                ids = Ids(a, b),
                name =
            "x",
            }, new { action = "rename", ids = Ids(a), name = "../x" }, new { action = "category", ids = Ids(a), category = "../x" }])
            await native.ActAsync(wrong, HttpStatusCode.UnprocessableEntity);
        await native.ActAsync(new { action = "explode", ids = Ids(a) }, HttpStatusCode.BadRequest);
    }

    [Fact]
    public async Task Deleting_with_files_removes_published_content_unless_a_library_has_it()
    {
        await using var native = await NativeFixture.OpenAsync();
        var (free, held) = (await native.Sab.CompleteAsync("Free"), await native.Sab.CompleteAsync("Held"));
        var file = (await native.Sab.Tree.ResolveAsync(["content", "tv", "Held", "film.mkv"], CancellationToken.None))!;
        await native.Sab.CompleteAsync("Gone");
        var gone = (await native.Sab.Tree.ResolveAsync(["content", "tv", "Gone", "film.mkv"], CancellationToken.None))!;
        var library = Directory.CreateTempSubdirectory("nzbdav-jobs-").FullName;
        var link = Path.Combine(library, "film.mkv");
        File.CreateSymbolicLink(link, "/mnt/films" + LibraryStore.StablePath(file.Id));
        await native.Sab.Holds.AddAsync(
            new Dictionary<long, string> { [file.Id] = link, [gone.Id] = Path.Combine(library, "gone.mkv") }, native.Time.GetUtcNow(),
            CancellationToken.None);

        var answer = await native.ActAsync(new { action = "delete", withFiles = true, filter = new { category = "tv" } });
        Assert.Equal(2, answer.GetProperty("done").GetInt32());
        var refused = Assert.Single(answer.GetProperty("refused").EnumerateArray());
        Assert.Equal(held.Id.ToString(CultureInfo.InvariantCulture), Text(refused, "id"));
        Assert.Contains(link, Text(refused, "reason"), StringComparison.Ordinal);
        Assert.Null(await native.Sab.Tree.ResolveAsync(["content", "tv", "Free"], CancellationToken.None));
        Assert.NotNull(await native.Sab.Tree.ResolveAsync(["content", "tv", "Held", "film.mkv"], CancellationToken.None));
        Assert.Null(await native.Sab.Jobs.GetAsync(free.Id, CancellationToken.None));

        // Without its files only the entry is deleted.
        await native.ActAsync(new { action = "delete", filter = new { category = "tv" } });
        Assert.Empty(await native.NamesAsync());
        Assert.NotNull(await native.Sab.Tree.ResolveAsync(["content", "tv", "Held", "film.mkv"], CancellationToken.None));
        Directory.Delete(library, recursive: true);
    }

    [Fact]
    public async Task The_queue_can_be_paused_for_a_time_and_administrators_limit_the_speed()
    {
        await using var native = await NativeFixture.OpenAsync();
        var queue = await native.SendAsync(HttpMethod.Put, "/queue", new { pauseSeconds = 90.5, speedLimit = 5_000_000 });
        Assert.Equal((true, native.Time.GetUtcNow().AddSeconds(90.5), 5_000_000), (queue.GetProperty("paused").GetBoolean(),
            queue.GetProperty("pausedUntil").GetDateTimeOffset(), queue.GetProperty("speedLimit").GetInt64()));
        Assert.Equal(5_000_000, native.Sab.Traffic.SpeedLimit);
        native.Time.Advance(TimeSpan.FromSeconds(91));
        Assert.False((await native.GetAsync("/queue")).GetProperty("paused").GetBoolean());
        queue = await native.SendAsync(HttpMethod.Put, "/queue", new { paused = true, speedLimit = 0 });
        Assert.Equal((true, JsonValueKind.Null, JsonValueKind.Null), (queue.GetProperty("paused").GetBoolean(),
            queue.GetProperty("pausedUntil").ValueKind, queue.GetProperty("speedLimit").ValueKind));
        Assert.False((await native.SendAsync(HttpMethod.Put, "/queue", new { paused = false })).GetProperty("paused").GetBoolean());
        foreach (var wrong in (object[])[new { pauseSeconds = 0 }, new { pauseSeconds = 4e7 }, new { pauseSeconds = 10, paused = false },
            new { speedLimit = -1 }])
            await native.SendAsync(HttpMethod.Put, "/queue", wrong, HttpStatusCode.UnprocessableEntity);
    }

    private static string? Text(JsonElement element, string name) => element.GetProperty(name).GetString();
}
