using NzbDav.Catalog.Jobs;
using NzbDav.Fakes;
using NzbDav.Import.Progress;
using NzbDav.Import.Queue;
using NzbDav.MockUsenet.Faults;

namespace NzbDav.Import.Tests.Queue;

/// <summary>Order, pause, cancel, retry, progress.</summary>
public sealed class QueueControlTests
{
    [Fact]
    public async Task A_job_claimed_before_its_announcement_is_complete_runs_to_its_end()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var file = fixture.Post("movie.mkv")[0];
        var mock = fixture.Mocks[0];
        var stall = mock.Faults.Add(Fault.Stall(), FaultTarget.Where(segment => segment.Index == 0), timesInAll: 1);
        Task<CatalogJob>? run = null;
        fixture.Jobs.BeforeChanged = () =>
        {
            run = fixture.RunAsync();
            return Until.TrueAsync(() => stall.Struck == 1);
        };
        await fixture.EnqueueAsync([file]);
        mock.DropConnections();
        var job = await run!;
        Assert.Equal((JobState.Completed, 1), (job.State, job.Attempts));
    }

    [Fact]
    public async Task Higher_priorities_go_first_then_older_jobs_and_paused_jobs_not_at_all()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var first = await fixture.EnqueueAsync(fixture.Post("a.mkv"));
        var second = await fixture.EnqueueAsync(fixture.Post("b.mkv"));
        var third = await fixture.EnqueueAsync(fixture.Post("c.mkv"));
        await fixture.Jobs.SetPriorityAsync(third.Id, 5, CancellationToken.None);
        Assert.True(await fixture.Jobs.PauseAsync(first.Id, CancellationToken.None));
        Assert.Equal(third.Id, (await fixture.ClaimAsync()).Id);
        Assert.Equal(second.Id, (await fixture.ClaimAsync()).Id);
        Assert.Null(await fixture.Jobs.ClaimAsync("worker", ImportWorker.Lease, CancellationToken.None));
        Assert.True((await fixture.Jobs.GetAsync(first.Id, CancellationToken.None))!.Paused);
        Assert.True(await fixture.Jobs.ResumeAsync(first.Id, CancellationToken.None));
        Assert.Equal(first.Id, (await fixture.ClaimAsync()).Id);
        Assert.False(await fixture.Jobs.ResumeAsync(first.Id, CancellationToken.None));
    }

    [Fact]
    public async Task A_running_job_that_is_paused_stops_at_once_and_restarts_when_resumed()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var stall = fixture.Mocks[0].Faults.Add(Fault.Stall(), FaultTarget.All);
        var job = await fixture.EnqueueAsync(fixture.Post("movie.mkv"));
        var running = fixture.Worker.RunAsync(await fixture.ClaimAsync(), CancellationToken.None);
        await Until.TrueAsync(() => stall.Struck > 0);
        Assert.True(await fixture.Jobs.PauseAsync(job.Id, CancellationToken.None));
        await running;
        Assert.Equal((JobState.Queued, null), ((await fixture.Jobs.GetAsync(job.Id, CancellationToken.None))!.State,
            (await fixture.Jobs.GetAsync(job.Id, CancellationToken.None))!.Owner));
        Assert.Null(await fixture.Jobs.ClaimAsync("worker", ImportWorker.Lease, CancellationToken.None));
        fixture.Mocks[0].Faults.Clear();
        fixture.Mocks[0].DropConnections();
        await fixture.Jobs.ResumeAsync(job.Id, CancellationToken.None);
        Assert.Equal(JobState.Completed, (await fixture.RunAsync()).State);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task The_time_in_which_the_queue_was_paused_is_no_waiting(bool runsOut)
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var id = (await fixture.EnqueueAsync(fixture.Post("a.mkv"))).Id;
        await PutBackAsync();
        await fixture.Switch.PauseAsync(runsOut ? TimeSpan.FromDays(2) : null, CancellationToken.None);
        if (!runsOut)
        {
            // A job that was running goes on, and may be put back during the pause.
            await PutBackAsync();
            await fixture.Switch.ResumeAsync(CancellationToken.None);
        }

        Assert.Null((await fixture.Jobs.GetAsync(id, CancellationToken.None))!.WaitingSince);

        async Task PutBackAsync()
        {
            var job = (await fixture.Jobs.ClaimAsync("worker", TimeSpan.FromMinutes(1), CancellationToken.None))!;
            Assert.True(await fixture.Jobs.PutBackAsync(job, TimeSpan.Zero, "x", "x", CancellationToken.None));
        }
    }

    [Fact]
    public async Task A_paused_queue_starts_nothing_until_resumed()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        await fixture.Switch.PauseAsync(duration: null, CancellationToken.None);
        Assert.Equal(DateTimeOffset.MaxValue, await fixture.Switch.PausedUntilAsync(CancellationToken.None));
        using var queue = Queue(fixture);
        await queue.StartAsync(CancellationToken.None);
        var job = await fixture.EnqueueAsync(fixture.Post("movie.mkv"));
        for (var i = 0; i < 10; i++)
        {
            fixture.Clock.Advance(TimeSpan.FromSeconds(1));
            Assert.Equal(JobState.Queued, (await fixture.Jobs.GetAsync(job.Id, CancellationToken.None))!.State);
        }

        // The queue resumes at once, without the clock moving.
        await fixture.Switch.ResumeAsync(CancellationToken.None);
        Assert.Equal(
            JobState.Completed, (await new JobOutcome(fixture.Jobs, fixture.Clock).WaitAsync(job.Id, CancellationToken.None))!.State);
        await queue.StopAsync(CancellationToken.None);
    }

    [Fact]
    public async Task A_timed_pause_expires()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        await fixture.Switch.PauseAsync(TimeSpan.FromMinutes(5), CancellationToken.None);
        Assert.Equal(fixture.Clock.GetUtcNow().AddMinutes(5), await fixture.Switch.PausedUntilAsync(CancellationToken.None));
        fixture.Clock.Advance(TimeSpan.FromMinutes(5));
        Assert.False(await fixture.Switch.IsPausedAsync(CancellationToken.None));
    }

    [Fact]
    public async Task Retrying_a_failed_job_clears_its_failure()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        fixture.Mocks[0].Faults.Add(Fault.Missing, FaultTarget.All);
        var job = await fixture.EnqueueAsync(fixture.Post("movie.mkv"));
        var failed = await fixture.RunAsync();
        Assert.Equal((JobState.Failed, "probe"), (failed.State, failed.Timings[^1].Step));
        fixture.Mocks[0].Faults.Clear();
        Assert.True(await fixture.Jobs.RetryAsync(job.Id, CancellationToken.None));
        var again = await fixture.RunAsync();
        Assert.Equal((JobState.Completed, null, null), (again.State, again.FailureCode, again.FailureMessage));
    }

    [Fact]
    public async Task Progress_is_reported_step_by_step()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var told = new List<ImportProgress>();
        fixture.Events.Progressed += progress =>
        {
            lock (told)
                told.Add(progress);
        };
        var job = await fixture.EnqueueAsync(fixture.Post("a.mkv", "b.mkv", "c.mkv"));
        await fixture.RunAsync();
        Assert.All(told, progress => Assert.Equal(job.Id, progress.JobId));
        Assert.Equal(
            ["parse", "probe", "name", "layout", "validate", "publish"], told.Select(progress => progress.Progress.Step).Distinct());
        Assert.Contains(told, progress => progress.Progress is { Step: "probe", PerMille: 1000 });
        Assert.Equal((3, 75_000), (told[^1].Progress.FileCount, told[^1].Progress.TotalBytes));
    }

    [Theory]
    [InlineData("parse")]
    [InlineData("probe")]
    [InlineData("name")]
    [InlineData("layout")]
    [InlineData("validate")]
    [InlineData("publish")]
    public async Task A_job_that_is_cancelled_at_any_step_publishes_nothing(string step)
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var job = await fixture.EnqueueAsync(fixture.Post("a.mkv", "b.mkv"));
        Task? deleted = null;
        fixture.Events.Progressed += progress =>
        {
            if (progress.Progress.Step == step && deleted is null)
            {
                deleted = fixture.Jobs.DeleteAsync(job.Id, withContent: true, CancellationToken.None);
#pragma warning disable RS0030, VSTHRD002 // Not awaited: the step must not go on before.
                deleted.Wait();
#pragma warning restore RS0030, VSTHRD002
            }
        };

        // Not on the test's own thread: the deletion is waited for in the middle of the step.
        var claimed = await fixture.ClaimAsync();
        await Task.Run(() => fixture.Worker.RunAsync(claimed, CancellationToken.None));
        Assert.NotNull(deleted);
        Assert.Null(await fixture.FindAsync("content/movies/Job"));
        Assert.Null(await fixture.Jobs.GetAsync(job.Id, CancellationToken.None));
    }

    private static ImportQueue Queue(ImportFixture fixture) =>
        new(fixture.Jobs, fixture.Worker, fixture.Switch, ImportFixture.Options, fixture.Clock, fixture.Log.For<ImportQueue>());
}
