using NzbDav.Catalog.Jobs;

namespace NzbDav.Catalog.Tests.Jobs;

/// <summary>Workers that claim jobs: in which order, for how long, and how they return them.</summary>
public class JobClaimTests
{
    [Fact]
    public async Task Jobs_are_claimed_by_priority_then_age()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        Assert.Null(await catalog.Jobs.ClaimAsync("a", CatalogFixture.Lease, CancellationToken.None));
        await catalog.EnqueueAsync("second");
        await catalog.EnqueueAsync("third");
        await catalog.EnqueueAsync("first", priority: 1);
        var last = await catalog.EnqueueAsync("last", priority: 9);
        Assert.True(await catalog.Jobs.SetPriorityAsync(last.Id, -1, CancellationToken.None));
        var listed = new List<string>();
        await foreach (var job in catalog.Jobs.List.EachAsync(new JobFilter { Standings = JobFilter.NotTaken }, CancellationToken.None))
            listed.Add(job.Name);
        Assert.Equal(["first", "second", "third", "last"], listed);
        foreach (var name in listed)
            Assert.Equal(name, (await catalog.ClaimAsync()).Name);
        Assert.Null(await catalog.Jobs.ClaimAsync("a", CatalogFixture.Lease, CancellationToken.None));
    }

    [Fact]
    public async Task An_expired_lease_is_taken_over_and_its_old_owner_can_do_nothing()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        await using var other = await catalog.OpenOtherAsync();
        await catalog.EnqueueAsync();
        var mine = await catalog.ClaimAsync("mine");
        Assert.Null(await other.Jobs.ClaimAsync("theirs", CatalogFixture.Lease, CancellationToken.None));
        catalog.Clock.Advance(TimeSpan.FromSeconds(50));
        Assert.True(await catalog.Jobs.RenewAsync(mine, CatalogFixture.Lease, CancellationToken.None));
        catalog.Clock.Advance(TimeSpan.FromSeconds(50));
        Assert.Null(await other.Jobs.ClaimAsync("theirs", CatalogFixture.Lease, CancellationToken.None));
        catalog.Clock.Advance(TimeSpan.FromSeconds(11));
        var theirs = await other.ClaimAsync("theirs");
        Assert.Equal((mine.Id, 2, "theirs"), (theirs.Id, theirs.Attempts, theirs.Owner));

        var publication = new JobPublication { Files = [await catalog.FileAsync("file")] };
        Assert.False(await catalog.Jobs.RenewAsync(mine, CatalogFixture.Lease, CancellationToken.None));
        Assert.False(await catalog.Jobs.ReportAsync(mine, default, CatalogFixture.Lease, CancellationToken.None));
        Assert.False(await catalog.Jobs.FailAsync(mine, "code", "message", CancellationToken.None));
        Assert.False(await catalog.Jobs.RequeueAsync(mine, TimeSpan.Zero, CancellationToken.None));
        Assert.Null(await catalog.Jobs.PublishAsync(mine, publication, CancellationToken.None));
        Assert.Null(await catalog.ResolveAsync("content"));
        Assert.NotNull(await other.Jobs.PublishAsync(theirs, publication, CancellationToken.None));
    }

    [Fact]
    public async Task A_second_claim_by_the_same_owner_is_a_separate_claim()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        await catalog.EnqueueAsync();
        var before = await catalog.ClaimAsync("host");
        catalog.Clock.Advance(TimeSpan.FromMinutes(2));
        await catalog.ClaimAsync("host");
        Assert.False(await catalog.Jobs.RenewAsync(before, CatalogFixture.Lease, CancellationToken.None));
    }

    [Fact]
    public async Task The_jobs_of_one_queue_are_put_back_and_those_of_others_stay()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        for (var i = 0; i < 4; i++)
            await catalog.EnqueueAsync();
        var (first, second) = (await catalog.ClaimAsync("one-0"), await catalog.ClaimAsync("one-11"));
        var (other, longer) = (await catalog.ClaimAsync("two-0"), await catalog.ClaimAsync("one1-0"));

        await catalog.Jobs.RequeueOfAsync("one", CancellationToken.None);

        // The process lives after all: it has lost them.
        Assert.False(await catalog.Jobs.RenewAsync(first, CatalogFixture.Lease, CancellationToken.None));
        Assert.False(await catalog.Jobs.FailAsync(second, "x", "x", CancellationToken.None));
        Assert.True(await catalog.Jobs.RenewAsync(other, CatalogFixture.Lease, CancellationToken.None));
        Assert.True(await catalog.Jobs.RenewAsync(longer, CatalogFixture.Lease, CancellationToken.None));
        Assert.Equal([first.Id, second.Id], [(await catalog.ClaimAsync("one-0")).Id, (await catalog.ClaimAsync("one-0")).Id]);
        Assert.Null(await catalog.Jobs.ClaimAsync("one-0", CatalogFixture.Lease, CancellationToken.None));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task The_time_in_which_no_process_ran_is_no_waiting(bool wasRunning)
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var id = (await catalog.EnqueueAsync()).Id;
        Assert.True(await catalog.Jobs.PutBackAsync(await catalog.ClaimAsync(), TimeSpan.Zero, "x", "x", CancellationToken.None));
        var job = await catalog.ClaimAsync();
        Assert.NotNull(job.WaitingSince);
        if (!wasRunning)
            Assert.True(await catalog.Jobs.RequeueAsync(job, TimeSpan.Zero, CancellationToken.None));
        await catalog.Jobs.RequeueAllAsync(CancellationToken.None);
        Assert.Null((await catalog.Jobs.GetAsync(id, CancellationToken.None))!.WaitingSince);
    }

    [Fact]
    public async Task Claims_that_nobody_ended_are_counted_until_one_ends()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var id = (await catalog.EnqueueAsync()).Id;
        for (var starts = 0; starts < 3; starts++)
        {
            Assert.Equal(starts, (await catalog.ClaimAsync("one-0")).Lost);
            await catalog.Jobs.RequeueAllAsync(CancellationToken.None);
        }

        // A queue that released the job, such as at a regular stop, did not crash with it. A lease that ran out in a living process
        // proves nothing.
        Assert.True(await catalog.Jobs.RequeueAsync(await catalog.ClaimAsync("one-0"), TimeSpan.Zero, CancellationToken.None));
        await catalog.Jobs.RequeueAllAsync(CancellationToken.None);
        await catalog.ClaimAsync("one-0");
        catalog.Clock.Advance(TimeSpan.FromMinutes(2));
        Assert.Equal(3, (await catalog.ClaimAsync("one-1")).Lost);

        // Another gateway takes over what one left, or the same one under its former name.
        catalog.Clock.Advance(TimeSpan.FromMinutes(2));
        Assert.Equal(4, (await catalog.ClaimAsync("two-0")).Lost);
        await catalog.Jobs.RequeueOfAsync("two", CancellationToken.None);
        var last = await catalog.ClaimAsync("three-0");
        Assert.Equal(5, last.Lost);

        Assert.True(await catalog.Jobs.PutBackAsync(last, TimeSpan.Zero, "x", "x", CancellationToken.None));
        Assert.Equal(0, (await catalog.Jobs.GetAsync(id, CancellationToken.None))!.Lost);
        await catalog.ClaimAsync("one-0");
        await catalog.Jobs.RequeueAllAsync(CancellationToken.None);
        Assert.True(await catalog.Jobs.FailAsync(await catalog.ClaimAsync("one-0"), "x", "x", CancellationToken.None));
        Assert.True(await catalog.Jobs.RetryAsync(id, CancellationToken.None));
        Assert.Equal(0, (await catalog.Jobs.GetAsync(id, CancellationToken.None))!.Lost);
    }

    [Fact]
    public async Task The_time_in_which_a_queues_process_was_dead_is_no_waiting_of_its_jobs()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        for (var i = 0; i < 2; i++)
            await catalog.EnqueueAsync();
        foreach (var job in new[] { await catalog.ClaimAsync(), await catalog.ClaimAsync() })
            Assert.True(await catalog.Jobs.PutBackAsync(job, TimeSpan.Zero, "x", "x", CancellationToken.None));
        var (own, other) = (await catalog.ClaimAsync("one-0"), await catalog.ClaimAsync("two-0"));
        await catalog.Jobs.RequeueOfAsync("one", CancellationToken.None);
        Assert.Null((await catalog.Jobs.GetAsync(own.Id, CancellationToken.None))!.WaitingSince);
        Assert.NotNull((await catalog.Jobs.GetAsync(other.Id, CancellationToken.None))!.WaitingSince);
    }

    [Fact]
    public async Task Every_job_is_claimed_once_by_workers_of_two_processes()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        await using var other = await catalog.OpenOtherAsync();
        for (var i = 0; i < 40; i++)
            await catalog.EnqueueAsync($"job {i}");
        var claimed = await Task.WhenAll(Enumerable.Range(0, 6).Select(worker => Task.Run(async () =>
        {
            var mine = new List<long>();
            while (await (worker % 2 == 0 ? catalog : other).Jobs.ClaimAsync(
                $"worker {worker}", CatalogFixture.Lease, CancellationToken.None) is { } job)
                mine.Add(job.Id);
            return mine;
        })));
        Assert.Equal(40, claimed.SelectMany(ids => ids).Distinct().Count());
        Assert.Equal(40, claimed.Sum(ids => ids.Count));
    }

    [Fact]
    public async Task A_released_job_waits_for_the_given_time()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        await catalog.EnqueueAsync();
        Assert.True(await catalog.Jobs.RequeueAsync(await catalog.ClaimAsync(), TimeSpan.FromMinutes(5), CancellationToken.None));
        Assert.Null(await catalog.Jobs.ClaimAsync("a", CatalogFixture.Lease, CancellationToken.None));
        catalog.Clock.Advance(TimeSpan.FromMinutes(5));
        Assert.Equal(2, (await catalog.ClaimAsync()).Attempts);
    }

    [Fact]
    public async Task A_job_put_back_says_what_it_waits_for_and_since_when()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var id = (await catalog.EnqueueAsync()).Id;
        var since = catalog.Clock.GetUtcNow();
        for (var i = 0; i < 2; i++)
        {
            var job = await catalog.ClaimAsync();
            Assert.Null(job.FailureMessage);
            Assert.True(await catalog.Jobs.PutBackAsync(job, TimeSpan.FromMinutes(5), "silent", "Nobody answers.", CancellationToken.None));
            var waits = (await catalog.Jobs.GetAsync(id, CancellationToken.None))!;
            Assert.Equal(
                (JobState.Queued, "silent", "Nobody answers.", since, catalog.Clock.GetUtcNow().AddMinutes(5), null),
                (waits.State, waits.FailureCode, waits.FailureMessage, waits.WaitingSince, waits.NotBefore, waits.Owner));
            Assert.Null(await catalog.Jobs.ClaimAsync("a", CatalogFixture.Lease, CancellationToken.None));
            catalog.Clock.Advance(TimeSpan.FromMinutes(5));
        }

        // Pausing and resuming starts over.
        Assert.True(await catalog.Jobs.PauseAsync(id, CancellationToken.None));
        Assert.True(await catalog.Jobs.ResumeAsync(id, CancellationToken.None));
        Assert.Null((await catalog.ClaimAsync()).WaitingSince);
    }

    [Fact]
    public async Task A_failed_job_keeps_its_reason_until_it_is_retried()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        await catalog.EnqueueAsync();
        var job = await catalog.ClaimAsync();
        Assert.True(
            await catalog.Jobs.ReportAsync(job, new JobProgress("Lay out", 500, 1000, 2), CatalogFixture.Lease, CancellationToken.None));
        Assert.True(await catalog.Jobs.FailAsync(job, "compressed", "The archive is compressed.", CancellationToken.None));
        var failed = (await catalog.Jobs.GetAsync(job.Id, CancellationToken.None))!;
        Assert.Equal(
            (JobState.Failed, "compressed", "The archive is compressed.", "Lay out", 500, 1000L, 2),
            (failed.State, failed.FailureCode, failed.FailureMessage, failed.Step, failed.Progress, failed.TotalBytes, failed.FileCount));
        Assert.Equal(catalog.Clock.GetUtcNow(), failed.Finished);
        Assert.Null(failed.Owner);
        Assert.Null(await catalog.Jobs.ClaimAsync("a", CatalogFixture.Lease, CancellationToken.None));
        Assert.True(await catalog.Jobs.RetryAsync(job.Id, CancellationToken.None));
        Assert.False(await catalog.Jobs.RetryAsync(job.Id, CancellationToken.None));
        Assert.Null((await catalog.ClaimAsync()).FailureCode);
    }

    [Fact]
    public async Task Deleting_a_running_job_takes_it_from_its_worker()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        await catalog.EnqueueAsync();
        var job = await catalog.ClaimAsync();
        await catalog.Jobs.DeleteAsync(job.Id, withContent: true, CancellationToken.None);
        var publication = new JobPublication { Files = [await catalog.FileAsync("file")] };
        Assert.Null(await catalog.Jobs.PublishAsync(job, publication, CancellationToken.None));
    }
}
