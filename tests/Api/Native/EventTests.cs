using System.Globalization;
using System.Net;
using System.Text.Json;
using Microsoft.Extensions.Hosting;
using NzbDav.Access.Keys;
using NzbDav.Api.Native.Events;
using NzbDav.Catalog.Jobs;
using NzbDav.Fakes;
using NzbDav.Import.Progress;
using NzbDav.Import.Queue;

namespace NzbDav.Api.Tests.Native;

/// <summary>Events for pages as things change.</summary>
public sealed class EventTests
{
    private static readonly TimeSpan Pace = TimeSpan.FromMilliseconds(250);

    [Fact]
    public async Task A_page_gets_hello_at_once_and_every_job_change()
    {
        await using var native = await NativeFixture.OpenAsync();
        using var page = await EventStream.OpenAsync(native.Http);
        Assert.Equal(("text/event-stream", "no"),
            (page.Response.Content.Headers.ContentType!.ToString(), page.Response.Headers.GetValues("X-Accel-Buffering").Single()));
        var hello = (await page.NextAsync())!.Value;
        Assert.Equal("hello", hello.Name);
        Assert.StartsWith(hello.Data.GetProperty("epoch").GetString() + "-", hello.Id, StringComparison.Ordinal);

        var job = await native.Sab.QueueAsync("Show");
        var (id, data) = await page.NextAsync("jobs");
        Assert.NotEqual(hello.Id, id);
        Assert.Equal((Text(job), "queued"), Only(data));
        Assert.Equal(1, data.GetProperty("counts").GetProperty("queued").GetInt32());

        // Changes within the pace are combined in one event: each job once, in its latest state.
        var other = await native.Sab.QueueAsync("Other");
        var claimed = (await native.Sab.Jobs.ClaimAsync("test", TimeSpan.FromHours(1), CancellationToken.None))!;
        native.Get<ImportEvents>().Report(new ImportProgress(claimed.Id, new JobProgress("parse", 0, 0, 0)));
        native.Get<ImportEvents>().Report(new ImportProgress(claimed.Id, new JobProgress("probe", 500, 0, 0)));
        await native.Sab.Jobs.DeleteAsync(other.Id, withContent: false, CancellationToken.None);
        await AdvanceAsync(native);
        data = (await page.NextAsync("jobs")).Data;
        Assert.Equal((Text(claimed), "running"), Only(data));
        Assert.Equal(("probe", 0.5), (data.GetProperty("changed")[0].GetProperty("step").GetString(),
            data.GetProperty("changed")[0].GetProperty("progress").GetDouble()));
        Assert.Equal([Text(other)], data.GetProperty("removed").EnumerateArray().Select(one => one.GetString()));
    }

    [Fact]
    public async Task A_page_is_told_when_a_waiting_job_becomes_due()
    {
        await using var native = await NativeFixture.OpenAsync();
        var began = native.Time.GetUtcNow();
        await native.Sab.QueueAsync("Before");
        var before = (await native.Sab.Jobs.ClaimAsync("test", TimeSpan.FromHours(1), CancellationToken.None))!;
        await native.Sab.Jobs.PutBackAsync(before, TimeSpan.FromSeconds(30), "unavailable", "No provider answers.", CancellationToken.None);
        using var page = await EventStream.OpenAsync(native.Http, "?topics=jobs");
        await page.NextAsync("hello");

        // One job that was waiting when the page connected, and one that is put back while it listens.
        await native.Sab.QueueAsync("After");
        await page.NextAsync("jobs");
        var after = (await native.Sab.Jobs.ClaimAsync("test", TimeSpan.FromHours(1), CancellationToken.None))!;
        await native.Sab.Jobs.PutBackAsync(after, TimeSpan.FromSeconds(60), "unavailable", "No provider answers.", CancellationToken.None);
        await AdvanceAsync(native);
        Assert.Equal((Text(after), "waiting"), Only((await page.NextAsync("jobs")).Data));
        foreach (var (job, due) in new[] { (before, began.AddSeconds(30)), (after, began.AddSeconds(60)) })
        {
            // Advances exactly to the due time: a pace that begins then still has to be waited for.
            await Until.TrueAsync(() => native.Time.NextDue <= Pace);
            native.Time.Advance(due - native.Time.GetUtcNow());
            Assert.Equal((Text(job), "queued"), Only((await page.NextAsync("jobs")).Data));
        }
    }

    [Fact]
    public async Task A_page_that_reconnects_gets_missed_events_or_a_reset_after_a_gap()
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
    public async Task Too_many_changes_at_once_cause_a_reset()
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
    public async Task File_events_name_the_collections_that_changed()
    {
        await using var native = await NativeFixture.OpenAsync();
        await native.Sab.CompleteAsync("First");
        using var page = await EventStream.OpenAsync(native.Http, "?topics=files");
        await page.NextAsync("hello");
        await native.Sab.CompleteAsync("Second");
        var tv = (await native.Sab.Tree.ResolveAsync(["content", "tv"], CancellationToken.None))!;
        Assert.Equal([tv.Id.ToString(CultureInfo.InvariantCulture)],
            (await page.NextAsync("files")).Data.GetProperty("parents").EnumerateArray().Select(one => one.GetString()));
    }

    [Fact]
    public async Task Pausing_and_resuming_the_queue_is_reported_also_when_a_pause_expires()
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

        // Moves from timer to timer of the topic; the timers of the ping and of the caller check are further away.
        var next = page.NextAsync("queue");
        while (!next.IsCompleted)
        {
            await Until.TrueAsync(() => next.IsCompleted || native.Time.NextDue <= rest);
            native.Time.Advance(next.IsCompleted ? TimeSpan.Zero : native.Time.NextDue ?? TimeSpan.Zero);
        }

        Assert.False((await next).Data.GetProperty("paused").GetBoolean());
    }

    [Fact]
    public async Task An_idle_stream_pings_and_ends_with_the_callers_rights_or_the_server()
    {
        await using var native = await NativeFixture.OpenAsync();
        using var page = await EventStream.OpenAsync(native.Http);
        using var other = await EventStream.OpenAsync(native.Http, "?apikey=ignored");
        await page.NextAsync("hello");
        await other.NextAsync("hello");
        native.Time.Advance(TimeSpan.FromSeconds(15));
        await page.NextAsync("ping");

        // The key is no longer valid.
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
    public async Task An_unknown_or_forbidden_topic_is_refused()
    {
        await using var native = await NativeFixture.OpenAsync();
        Assert.Contains("jobs, files", (await native.GetAsync("/events?topics=jobs,weather", HttpStatusCode.BadRequest))
            .GetProperty("error").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_page_that_does_not_read_is_reset_and_others_get_everything()
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

        // Once it reads again it is told to reload, and gets the events that follow.
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
    public async Task Stored_events_are_limited_and_whole_topics_keep_only_the_latest()
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
    public async Task A_new_page_gets_the_state_of_whole_topics_and_can_resume_after_the_greeting()
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

    /// <summary>The first events of a page, without the data of the greeting.</summary>
    private static async Task<string[]> FirstAsync(EventRun run, HashSet<string> topics, string? after)
    {
        var page = run.Join(topics, after, "{}"u8);
        var response = new RecordingResponse();
        using var end = new CancellationTokenSource();
        var writing = page.WriteAsync(response.Response, end.Token);
        await Until.TrueAsync(() => response.Count("event: hello") == 1);
        await end.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => writing);
        run.Remove(page);
        return [.. response.Text.Split("\n\n", StringSplitOptions.RemoveEmptyEntries)
            .Select(one => string.Join(' ', one.Split('\n').Where(line => !line.StartsWith("id:", StringComparison.Ordinal)).Select(
            line => line[(line.IndexOf(' ', StringComparison.Ordinal) + 1)..])).Replace("hello {}", "hello", StringComparison.Ordinal))];
    }

    private static string Text(CatalogJob job) => job.Id.ToString(CultureInfo.InvariantCulture);

    private static (string Id, string State) Only(JsonElement data)
    {
        var job = Assert.Single(data.GetProperty("changed").EnumerateArray());
        return (job.GetProperty("id").GetString()!, job.GetProperty("state").GetString()!);
    }

    /// <summary>
    /// Advances the clock by the pace of the topics once their timers are set: jobs, files, the hub's ping, and the check of the caller.
    /// </summary>
    private static async Task AdvanceAsync(NativeFixture native)
    {
        await Until.TrueAsync(() => native.Time.NextDue <= Pace);
        native.Time.Advance(Pace);
    }
}
