using NzbDav.Catalog.Jobs;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Import.Queue;
using NzbDav.MockUsenet.Faults;

namespace NzbDav.Import.Tests.Queue;

/// <summary>A worker keeps its job as long as it runs. A worker that lost its job publishes nothing.</summary>
public sealed class JobLeaseTests
{
    [Fact]
    public async Task A_deleted_job_is_stopped_at_once()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var stall = fixture.Mocks[0].Faults.Add(Fault.Stall(), FaultTarget.All);
        await fixture.EnqueueAsync(fixture.Post("movie.mkv"));
        var job = await fixture.ClaimAsync();
        var running = fixture.Worker.RunAsync(job, CancellationToken.None);
        await Until.TrueAsync(() => stall.Struck > 0);
        await fixture.Jobs.DeleteAsync(job.Id, withContent: false, CancellationToken.None);
        await running;
        Assert.Null(await fixture.Jobs.GetAsync(job.Id, CancellationToken.None));
        Assert.Null(await fixture.FindAsync("content/movies/Job"));
    }

    [Fact]
    public async Task The_lease_of_a_long_job_is_renewed()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var stall = fixture.Mocks[0].Faults.Add(Fault.Stall(), FaultTarget.All);
        await fixture.EnqueueAsync(fixture.Post("movie.mkv"));
        var job = await fixture.ClaimAsync();
        using var stop = new CancellationTokenSource();
        var running = fixture.Worker.RunAsync(job, stop.Token);
        await Until.TrueAsync(() => stall.Struck > 0);
        for (var i = 0; i < 10; i++)
        {
            fixture.Clock.Advance(TimeSpan.FromSeconds(15));
            var until = fixture.Clock.GetUtcNow() + ImportWorker.Lease;
            while ((await fixture.Jobs.GetAsync(job.Id, CancellationToken.None))!.LeaseUntil != until)
                await Task.Yield();
            Assert.Null(await fixture.Jobs.ClaimAsync("other", ImportWorker.Lease, CancellationToken.None));
        }

        // The process shuts down: the job is free at once.
        await stop.CancelAsync();
        await running;
        Assert.Equal((JobState.Queued, null), ((await fixture.Jobs.GetAsync(job.Id, CancellationToken.None))!.State,
            (await fixture.Jobs.GetAsync(job.Id, CancellationToken.None))!.NotBefore));
    }

    [Fact]
    public async Task The_job_of_a_dead_worker_goes_to_another()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var files = fixture.Post("movie.mkv");
        await fixture.EnqueueAsync(files);

        // It died at any point before the publication: claimed, maps stored, nothing in the tree.
        await fixture.ClaimAsync("dead");
        var table = new SegmentTable.Builder();
        foreach (var segment in files[0].Segments)
            table.Add(segment.MessageId, segment.Offset, segment.Size);
        await fixture.Maps.PutAsync(ExtentMap.OfWholeSegments(table.Build()), sizesVerified: true, CancellationToken.None);
        Assert.Null(await fixture.Jobs.ClaimAsync("early", ImportWorker.Lease, CancellationToken.None));
        fixture.Clock.Advance(ImportWorker.Lease + TimeSpan.FromSeconds(1));
        Assert.Equal((JobState.Completed, 2), ((await fixture.RunAsync()).State, (await fixture.Jobs.GetAsync(
            (await fixture.FindAsync("content/movies/Job"))!.JobId!.Value, CancellationToken.None))!.Attempts));
    }

    [Fact]
    public async Task A_worker_that_lost_its_lease_publishes_nothing()
    {
        // The worker's clock stands still, so it does not renew its lease.
        await using var fixture = await ImportFixture.OpenAsync(workerTime: new ManualTimeProvider());
        var stall = fixture.Mocks[0].Faults.Add(Fault.Stall(), FaultTarget.All, timesInAll: 1);
        await fixture.EnqueueAsync(fixture.Post("movie.mkv"));
        var slow = fixture.Worker.RunAsync(await fixture.ClaimAsync("slow"), CancellationToken.None);
        await Until.TrueAsync(() => stall.Struck == 1);
        fixture.Clock.Advance(ImportWorker.Lease + TimeSpan.FromSeconds(1));
        var job = await fixture.ClaimAsync("other");
        fixture.Mocks[0].DropConnections();
        await slow;
        Assert.Null(await fixture.FindAsync("content/movies/Job"));
        Assert.Equal((JobState.Running, "other"), ((await fixture.Jobs.GetAsync(job.Id, CancellationToken.None))!.State,
            (await fixture.Jobs.GetAsync(job.Id, CancellationToken.None))!.Owner));
        await fixture.Worker.RunAsync(job, CancellationToken.None);
        Assert.Equal(["movie.mkv"], await fixture.PublishedAsync());
    }
}
