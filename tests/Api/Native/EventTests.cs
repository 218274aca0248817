using System.Globalization;
using System.Net;
using System.Text.Json;
using Microsoft.Extensions.Hosting;
using NzbDav.Api.Native.Events;
using NzbDav.Catalog;
using NzbDav.Fakes;
using NzbDav.Import;

namespace NzbDav.Api.Tests.Native;

/// <summary>What changes, told as it changes.</summary>
public sealed class EventTests
{
    private static readonly TimeSpan Pace = TimeSpan.FromMilliseconds(250);

    [Fact]
    public async Task A_page_hears_hello_at_once_and_of_each_job_that_changes()
    {
        await using var native = await NativeFixture.OpenAsync();
        using var page = await EventStream.OpenAsync(native.Http);
        Assert.Equal(("text/event-stream", "no"), (page.Response.Content.Headers.ContentType!.ToString(), page.Response.Headers.GetValues("X-Accel-Buffering").Single()));
        var hello = (await page.NextAsync())!.Value;
        Assert.Equal("hello", hello.Name);
        Assert.StartsWith(hello.Data.GetProperty("epoch").GetString() + "-", hello.Id, StringComparison.Ordinal);

        var job = await native.Sab.QueueAsync("Show");
        var (id, data) = await page.NextAsync("jobs");
        Assert.NotEqual(hello.Id, id);
        Assert.Equal((Text(job), "queued"), Only(data));
        Assert.Equal(1, data.GetProperty("counts").GetProperty("queued").GetInt32());

        // What happens within the pace comes as one event, each job once and as it is then.
        var other = await native.Sab.QueueAsync("Other");
        var claimed = (await native.Sab.Jobs.ClaimAsync("test", TimeSpan.FromHours(1), CancellationToken.None))!;
        native.Get<ImportEvents>().Report(new ImportProgress(claimed.Id, new JobProgress("parse", 0, 0, 0)));
        native.Get<ImportEvents>().Report(new ImportProgress(claimed.Id, new JobProgress("probe", 500, 0, 0)));
        await native.Sab.Jobs.DeleteAsync(other.Id, withContent: false, CancellationToken.None);
        await AdvanceAsync(native);
        data = (await page.NextAsync("jobs")).Data;
        Assert.Equal((Text(claimed), "running"), Only(data));
        Assert.Equal(("probe", 0.5), (data.GetProperty("changed")[0].GetProperty("step").GetString(), data.GetProperty("changed")[0].GetProperty("progress").GetDouble()));
        Assert.Equal([Text(other)], data.GetProperty("removed").EnumerateArray().Select(one => one.GetString()));
    }

    [Fact]
    public async Task A_page_hears_when_the_time_of_a_job_that_waits_has_come()
    {
        await using var native = await NativeFixture.OpenAsync();
        var began = native.Time.GetUtcNow();
        await native.Sab.QueueAsync("Before");
        var before = (await native.Sab.Jobs.ClaimAsync("test", TimeSpan.FromHours(1), CancellationToken.None))!;
        await native.Sab.Jobs.PutBackAsync(before, TimeSpan.FromSeconds(30), "unavailable", "No provider answers.", CancellationToken.None);
        using var page = await EventStream.OpenAsync(native.Http, "?topics=jobs");
        await page.NextAsync("hello");

        // One that waited when the page came, and one that is put back while it listens.
        await native.Sab.QueueAsync("After");
        await page.NextAsync("jobs");
        var after = (await native.Sab.Jobs.ClaimAsync("test", TimeSpan.FromHours(1), CancellationToken.None))!;
        await native.Sab.Jobs.PutBackAsync(after, TimeSpan.FromSeconds(60), "unavailable", "No provider answers.", CancellationToken.None);
        await AdvanceAsync(native);
        Assert.Equal((Text(after), "waiting"), Only((await page.NextAsync("jobs")).Data));
        foreach (var (job, due) in new[] { (before, began.AddSeconds(30)), (after, began.AddSeconds(60)) })
        {
            // Exactly until it is due: a pace that begins then is still there to be waited for.
            await Until.TrueAsync(() => native.Time.NextDue <= Pace);
            native.Time.Advance(due - native.Time.GetUtcNow());
            Assert.Equal((Text(job), "queued"), Only((await page.NextAsync("jobs")).Data));
        }
    }

    [Fact]
    public async Task A_page_that_comes_back_hears_what_it_missed_and_after_a_gap_that_it_has_to_read_anew()
    {
        await using var native = await NativeFixture.OpenAsync();
        string id;
        using (var page = await EventStream.OpenAsync(native.Http, "?topics=jobs"))
        {
            await native.Sab.QueueAsync("a");
            id = (await page.NextAsync("jobs")).Id!;
        }

        var missed = await native.Sab.QueueAsync("b");
        await AdvanceAsync(native);
        foreach (var (query, last) in ((string, string?)[])[("", id), ("?after=" + id, null)])
        {
            using var back = await EventStream.OpenAsync(native.Http, query, last);
            Assert.Equal("hello", (await back.NextAsync())!.Value.Name);
            Assert.Equal(Text(missed), Only((await back.NextAsync("jobs")).Data).Id);
        }

        using var lost = await EventStream.OpenAsync(native.Http, "?after=0123456789-4");
        Assert.Equal("hello", (await lost.NextAsync())!.Value.Name);
        Assert.Equal("reset", (await lost.NextAsync())!.Value.Name);
    }

    [Fact]
    public async Task Too_many_changes_at_once_are_a_reset()
    {
        await using var native = await NativeFixture.OpenAsync();
        using var page = await EventStream.OpenAsync(native.Http, "?topics=jobs");
        await native.Sab.QueueAsync("first");
        await page.NextAsync("jobs");
        for (var i = 0; i <= 200; i++)
            await native.Sab.QueueAsync($"job{i}");
        await AdvanceAsync(native);
        await page.NextAsync("reset");
    }

    [Fact]
    public async Task Files_tell_the_collections_in_which_something_changed()
    {
        await using var native = await NativeFixture.OpenAsync();
        await native.Sab.CompleteAsync("First");
        using var page = await EventStream.OpenAsync(native.Http, "?topics=files");
        await page.NextAsync("hello");
        await native.Sab.CompleteAsync("Second");
        var tv = (await native.Sab.Tree.ResolveAsync(["content", "tv"], CancellationToken.None))!;
        Assert.Equal([tv.Id.ToString(CultureInfo.InvariantCulture)], (await page.NextAsync("files")).Data.GetProperty("parents").EnumerateArray().Select(one => one.GetString()));
    }

    [Fact]
    public async Task A_queue_that_is_paused_or_goes_on_is_told_also_when_a_pause_runs_out()
    {
        await using var native = await NativeFixture.OpenAsync();
        using var page = await EventStream.OpenAsync(native.Http, "?topics=queue");
        Assert.False((await page.NextAsync("queue")).Data.GetProperty("paused").GetBoolean());

        var pause = native.Get<QueueSwitch>();
        await pause.PauseAsync(null, CancellationToken.None);
        await AdvanceAsync(native);
        var told = (await page.NextAsync("queue")).Data;
        Assert.Equal((true, JsonValueKind.Null), (told.GetProperty("paused").GetBoolean(), told.GetProperty("pausedUntil").ValueKind));
        var rest = TimeSpan.FromSeconds(5);
        await pause.PauseAsync(rest, CancellationToken.None);
        await AdvanceAsync(native);
        Assert.Equal(JsonValueKind.String, (await page.NextAsync("queue")).Data.GetProperty("pausedUntil").ValueKind);

        // From timer to timer of the topic: those that ping and look at the caller are further away.
        var next = page.NextAsync("queue");
        while (!next.IsCompleted)
        {
            await Until.TrueAsync(() => next.IsCompleted || native.Time.NextDue <= rest);
            native.Time.Advance(next.IsCompleted ? TimeSpan.Zero : native.Time.NextDue ?? TimeSpan.Zero);
        }

        Assert.False((await next).Data.GetProperty("paused").GetBoolean());
    }

    [Fact]
    public async Task A_silent_stream_pings_and_ends_when_the_rights_or_the_server_do()
    {
        await using var native = await NativeFixture.OpenAsync();
        using var page = await EventStream.OpenAsync(native.Http);
        using var other = await EventStream.OpenAsync(native.Http, "?apikey=ignored");
        await page.NextAsync("hello");
        await other.NextAsync("hello");
        native.Time.Advance(TimeSpan.FromSeconds(15));
        await page.NextAsync("ping");

        // The key opens nothing any more.
        native.Get<ApiKeys>().Replace("another-key", SabFixture.ClientKey, null, null);
        native.Time.Advance(TimeSpan.FromSeconds(15));
        while (await page.NextAsync() is not null)
        {
        }

        native.Http.DefaultRequestHeaders.Remove("X-Api-Key");
        native.Http.DefaultRequestHeaders.Add("X-Api-Key", "another-key");
        using var last = await EventStream.OpenAsync(native.Http);
        await last.NextAsync("hello");
        native.Get<IHostApplicationLifetime>().StopApplication();
        while (await last.NextAsync() is not null)
        {
        }
    }

    [Fact]
    public async Task A_topic_that_is_not_there_or_not_for_the_caller_is_refused()
    {
        await using var native = await NativeFixture.OpenAsync();
        Assert.Contains("jobs, files", (await native.GetAsync("/events?topics=jobs,weather", HttpStatusCode.BadRequest)).GetProperty("error").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_page_that_takes_nothing_is_reset_and_others_hear_everything()
    {
        var run = new EventRun();
        var topics = new HashSet<string> { "jobs" };
        var (slow, quick) = (run.Join(topics, null, "{}"u8), run.Join(topics, null, "{}"u8));
        var response = new RecordingResponse();
        using var end = new CancellationTokenSource();
        var writing = quick.WriteAsync(response.Response, end.Token);
        for (var i = 0; i < EventPage.MostFrames + 10; i++)
        {
            run.Publish("jobs", "jobs", isWhole: false, "{}"u8);
            await Until.TrueAsync(() => response.Count("event: jobs") == i + 1);
        }

        Assert.True(slow.IsLagging);
        Assert.False(quick.IsLagging);
        await end.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => writing);

        // Once it takes something it learns that it has to read anew, and hears what follows.
        var late = new RecordingResponse();
        using var lateEnd = new CancellationTokenSource();
        var lateWriting = slow.WriteAsync(late.Response, lateEnd.Token);
        await Until.TrueAsync(() => late.Count("event: reset") == 1);
        Assert.Equal(0, late.Count("event: jobs"));
        run.Publish("jobs", "jobs", isWhole: false, "{}"u8);
        await Until.TrueAsync(() => late.Count("event: jobs") == 1);
        await lateEnd.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => lateWriting);
    }

    [Fact]
    public async Task What_is_kept_for_pages_that_come_back_is_bounded_and_of_whole_topics_only_the_latest()
    {
        var run = new EventRun();
        var topics = new HashSet<string> { "jobs", "status" };
        for (var i = 1; i <= 3; i++)
            run.Publish("status", "status", isWhole: true, JsonSerializer.SerializeToUtf8Bytes(i));
        Assert.Equal(["hello", "status 3"], await FirstAsync(run, topics, run.Epoch + "-0"));
        for (var i = 0; i < EventRun.MostFrames; i++)
            run.Publish("jobs", "jobs", isWhole: false, JsonSerializer.SerializeToUtf8Bytes(i));
        Assert.Equal(EventRun.MostFrames + 2, (await FirstAsync(run, topics, run.Epoch + "-0")).Length);
        run.Publish("jobs", "jobs", isWhole: false, "{}"u8);
        Assert.Equal(["hello", "reset {}"], await FirstAsync(run, topics, run.Epoch + "-3"));
        Assert.Equal(EventRun.MostFrames + 1, (await FirstAsync(run, topics, run.Epoch + "-4")).Length);
        Assert.Equal(["hello", "reset {}"], await FirstAsync(run, topics, run.Epoch + "-100000"));
    }

    [Fact]
    public async Task A_page_that_has_heard_nothing_hears_how_whole_topics_stand_and_comes_back_after_the_greeting()
    {
        var run = new EventRun();
        run.Publish("status", "status", isWhole: true, "1"u8);
        run.Publish("jobs", "jobs", isWhole: false, "2"u8);
        run.Publish("status", "status", isWhole: true, "3"u8);
        run.Publish("queue", "queue", isWhole: true, "4"u8);
        var topics = new HashSet<string> { "jobs", "status" };
        var page = run.Join(topics, null, "{}"u8);
        var response = new RecordingResponse();
        using var end = new CancellationTokenSource();
        var writing = page.WriteAsync(response.Response, end.Token);
        await end.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => writing);
        Assert.Equal($"id: {run.Epoch}-4\nevent: hello\ndata: {{}}\n\nevent: status\ndata: 3\n\n", response.Text);
        Assert.Equal(["hello"], await FirstAsync(run, topics, run.Epoch + "-4"));
    }

    /// <summary>What a page hears first, without the data of the greeting.</summary>
    private static async Task<string[]> FirstAsync(EventRun run, HashSet<string> topics, string? after)
    {
        var page = run.Join(topics, after, "{}"u8);
        var response = new RecordingResponse();
        using var end = new CancellationTokenSource();
        var writing = page.WriteAsync(response.Response, end.Token);
        await Until.TrueAsync(() => response.Count("event: hello") == 1);
        await end.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => writing);
        run.Leave(page);
        return [.. response.Text.Split("\n\n", StringSplitOptions.RemoveEmptyEntries).Select(one => string.Join(' ', one.Split('\n').Where(line => !line.StartsWith("id:", StringComparison.Ordinal)).Select(line => line[(line.IndexOf(' ', StringComparison.Ordinal) + 1)..])).Replace("hello {}", "hello", StringComparison.Ordinal))];
    }

    private static string Text(CatalogJob job) => job.Id.ToString(CultureInfo.InvariantCulture);

    private static (string Id, string State) Only(JsonElement data)
    {
        var job = Assert.Single(data.GetProperty("changed").EnumerateArray());
        return (job.GetProperty("id").GetString()!, job.GetProperty("state").GetString()!);
    }

    /// <summary>Lets the pace of the topics pass, once they keep it: jobs, files and the ping of the hub, and the look at the caller.</summary>
    private static async Task AdvanceAsync(NativeFixture native)
    {
        await Until.TrueAsync(() => native.Time.NextDue <= Pace);
        native.Time.Advance(Pace);
    }
}
