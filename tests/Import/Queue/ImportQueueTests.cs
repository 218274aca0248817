using Microsoft.Extensions.Logging;
using NzbDav.Catalog.Jobs;
using NzbDav.Fakes;
using NzbDav.Import.Progress;
using NzbDav.Import.Queue;
using NzbDav.MockUsenet.Faults;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.Import.Tests.Queue;

public sealed class ImportQueueTests
{
    [Fact]
    public async Task Jobs_are_imported_as_they_arrive()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        using var queue = Queue(fixture);
        await queue.StartAsync(CancellationToken.None);
        var outcome = new JobOutcome(fixture.Jobs, fixture.Clock);
        for (var i = 0; i < 3; i++)
        {
            var job = await fixture.EnqueueAsync(fixture.Post($"movie{i}.mkv"));
            Assert.Equal(JobState.Completed, (await outcome.WaitAsync(job.Id, CancellationToken.None))!.State);
        }

        await queue.StopAsync(CancellationToken.None);
    }

    [Fact]
    public async Task A_catalog_that_is_busy_for_a_while_stops_no_worker()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var job = await fixture.EnqueueAsync(fixture.Post("movie.mkv"));
        using var queue = Queue(fixture);
        using (fixture.Lock())
        {
            await queue.StartAsync(CancellationToken.None);
            await Until.TrueAsync(() => fixture.Log.Entries.Count >= 1 || queue.ExecuteTask!.IsCompleted);
            Assert.False(queue.ExecuteTask!.IsCompleted);
        }

        await PassTimeAsync(fixture, job);
        Assert.Equal(JobState.Completed, (await fixture.Jobs.GetAsync(job.Id, CancellationToken.None))!.State);
        await queue.StopAsync(CancellationToken.None);
    }

    [Fact]
    public async Task A_job_interrupted_by_a_busy_catalog_is_completed_by_a_later_worker()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var stall = fixture.Mocks[0].Faults.Add(Fault.Stall(), FaultTarget.All, timesInAll: 1);
        var job = await fixture.EnqueueAsync(fixture.Post("movie.mkv"));
        using var queue = Queue(fixture);
        await queue.StartAsync(CancellationToken.None);
        await Until.TrueAsync(() => stall.Struck == 1);
        using (fixture.Lock())
        {
            // Neither the sign of life nor the publication nor the way back into the queue can be written.
            fixture.Clock.Advance(TimeSpan.FromSeconds(15));
            await Until.TrueAsync(() => fixture.Log.Entries.Count >= 1 || queue.ExecuteTask!.IsCompleted);
            fixture.Mocks[0].DropConnections();
            await Until.TrueAsync(() => fixture.Log.Entries.Count >= 3 || queue.ExecuteTask!.IsCompleted);
            Assert.False(queue.ExecuteTask!.IsCompleted);
        }

        fixture.Clock.Advance(ImportWorker.Lease);
        await PassTimeAsync(fixture, job);
        Assert.Equal(JobState.Completed, (await fixture.Jobs.GetAsync(job.Id, CancellationToken.None))!.State);
        await queue.StopAsync(CancellationToken.None);
    }

    [Fact]
    public async Task Stopping_returns_running_jobs_to_the_queue()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var stall = fixture.Mocks[0].Faults.Add(Fault.Stall(), FaultTarget.All);
        var job = await fixture.EnqueueAsync(fixture.Post("movie.mkv"));
        using var queue = Queue(fixture);
        await queue.StartAsync(CancellationToken.None);
        await Until.TrueAsync(() => stall.Struck > 0);
        await queue.StopAsync(CancellationToken.None);
        Assert.Equal(JobState.Queued, (await fixture.Jobs.GetAsync(job.Id, CancellationToken.None))!.State);
    }

    [Fact]
    public async Task An_exception_that_escapes_a_worker_is_logged_and_imports_continue()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var bad = await fixture.EnqueueAsync(fixture.Post("bad.mkv"));
        fixture.Events.Progressed += progress =>
        {
            // Not handled by any catch block for a job.
            if (progress.JobId == bad.Id)
#pragma warning disable MA0012 // The runtime throws it where there is no memory.
                throw new InsufficientMemoryException("no room left");
#pragma warning restore MA0012
        };
        using var queue = Queue(fixture);
        await queue.StartAsync(CancellationToken.None);
        await PassTimeAsync(fixture, bad, TimeSpan.FromMilliseconds(20));
        var failed = (await fixture.Jobs.GetAsync(bad.Id, CancellationToken.None))!;
        Assert.Equal((JobState.Failed, ImportFailure.Internal, 2), (failed.State, failed.FailureCode, failed.Attempts));
        Assert.Contains("no room left", failed.FailureMessage, StringComparison.Ordinal);
        Assert.Equal(2, fixture.Log.Entries.Count(entry => entry.Level == LogLevel.Error));
        for (var i = 0; i < 3; i++)
        {
            var good = await fixture.EnqueueAsync(fixture.Post($"good{i}.mkv"));
            await PassTimeAsync(fixture, good, TimeSpan.FromMilliseconds(20));
            Assert.Equal(JobState.Completed, (await fixture.Jobs.GetAsync(good.Id, CancellationToken.None))!.State);
        }

        await queue.StopAsync(CancellationToken.None);
    }

    [Fact]
    public async Task An_exception_while_a_job_is_claimed_ends_no_worker()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var thrown = 0;
        void Throw(JobChange change)
        {
            if (change.State == JobState.Running && Interlocked.Increment(ref thrown) <= ImportFixture.Options.Workers)
                throw new InvalidOperationException("a listener failed");
        }

        fixture.Jobs.Changed += Throw;
        using var queue = Queue(fixture);
        await queue.StartAsync(CancellationToken.None);
        for (var i = 0; i <= ImportFixture.Options.Workers; i++)
        {
            var job = await fixture.EnqueueAsync(fixture.Post($"movie{i}.mkv"));
            await PassTimeAsync(fixture, job);
            Assert.Equal(JobState.Completed, (await fixture.Jobs.GetAsync(job.Id, CancellationToken.None))!.State);
        }

        await queue.StopAsync(CancellationToken.None);
    }

    /// <summary>Otherwise a post that takes more memory than there is would end the process after each start.</summary>
    [Fact]
    public async Task A_job_with_which_the_process_ended_three_times_fails_with_the_reason_and_can_be_retried()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var job = await fixture.EnqueueAsync(fixture.Post("movie.mkv"));
        await CrashAsync(fixture, times: 3);
        var failed = await fixture.RunAsync();
        Assert.Equal((JobState.Failed, ImportFailure.Internal), (failed.State, failed.FailureCode));
        Assert.Equal(
            "NzbDav ended 3 times while it imported this .nzb of 0.0 MB, probably for want of memory. Give it more memory, then try again.",
            failed.FailureMessage);
        Assert.True(await fixture.Jobs.RetryAsync(job.Id, CancellationToken.None));
        Assert.Equal(JobState.Completed, (await fixture.RunAsync()).State);
    }

    [Fact]
    public async Task Jobs_with_which_the_process_ended_twice_run_one_at_a_time()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var (first, second) = (fixture.Post("first.mkv"), fixture.Post("second.mkv"));
        var stall = fixture.Mocks[0].Faults.Add(Fault.Stall(), FaultTarget.File(first[0]));
        CatalogJob[] jobs =
        [
            await fixture.EnqueueAsync(NzbWriter.ToBytes(first), "first"), await fixture.EnqueueAsync(NzbWriter.ToBytes(second), "second"),
        ];
        await CrashAsync(fixture, times: 2);
        using var queue = Queue(fixture);
        await queue.StartAsync(CancellationToken.None);
        await Until.TrueAsync(() => stall.Struck > 0);
        var other = await fixture.EnqueueAsync(NzbWriter.ToBytes(fixture.Post("other.mkv")), "other");
        var outcome = new JobOutcome(fixture.Jobs, fixture.Clock);
        Assert.Equal(JobState.Completed, (await outcome.WaitAsync(other.Id, CancellationToken.None))!.State);

        // The second worker took the second job, put it back, and ran the third.
        var waiting = (await fixture.Jobs.GetAsync(jobs[1].Id, CancellationToken.None))!;
        Assert.Equal((JobState.Queued, 3), (waiting.State, waiting.Attempts));
        fixture.Mocks[0].Faults.Clear();
        fixture.Mocks[0].DropConnections();
        foreach (var job in jobs)
        {
            await PassTimeAsync(fixture, job, TimeSpan.FromMilliseconds(20));
            Assert.Equal(JobState.Completed, (await fixture.Jobs.GetAsync(job.Id, CancellationToken.None))!.State);
        }

        await queue.StopAsync(CancellationToken.None);
    }

    /// <summary>What a start finds after the process was killed while all jobs were running.</summary>
    private static async Task CrashAsync(ImportFixture fixture, int times)
    {
        for (var i = 0; i < times; i++)
        {
            while (await fixture.Jobs.ClaimAsync("former-0", ImportWorker.Lease, CancellationToken.None) is not null)
            {
            }

            await fixture.Jobs.RequeueAllAsync(CancellationToken.None);
        }
    }

    private static ImportQueue Queue(ImportFixture fixture) =>
        new(fixture.Jobs, fixture.Worker, fixture.Switch, ImportFixture.Options, fixture.Clock, fixture.Log.For<ImportQueue>());

    /// <summary>Advances the clock until the job has ended; a test may pass steps so small that no lease expires.</summary>
    private static async Task PassTimeAsync(ImportFixture fixture, CatalogJob job, TimeSpan? step = null)
    {
        using var limit = new CancellationTokenSource(TimeSpan.FromSeconds(30));
        while ((await fixture.Jobs.GetAsync(job.Id, limit.Token))!.State is JobState.Queued or JobState.Running)
        {
            fixture.Clock.Advance(step ?? TimeSpan.FromSeconds(1));
            await Task.Yield();
        }
    }
}
