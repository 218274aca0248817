using NzbDav.Catalog;
using NzbDav.Fakes;
using NzbDav.MockUsenet.Faults;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.Import.Tests;

/// <summary>Workers that come and go while jobs are imported.</summary>
public sealed class WorkerCountTests
{
    [Fact]
    public async Task More_workers_begin_at_once_and_fewer_let_their_jobs_end()
    {
        // The line's time stands still: second copies of what does not come would take the connections that the other jobs need.
        await using var fixture = await ImportFixture.OpenAsync(lineTime: new ManualTimeProvider());
        var options = new Live<ImportOptions>(ImportFixture.Options with { Workers = 1 });
        using var queue = new ImportQueue(fixture.Jobs, fixture.Worker, fixture.Switch, options, fixture.Clock, fixture.Log.For<ImportQueue>());

        // It never gets an answer.
        var stuck = fixture.Post("stuck.mkv");
        fixture.Mocks[0].Faults.Add(Fault.Stall(), FaultTarget.File(stuck[0]));
        var first = await fixture.EnqueueAsync(NzbWriter.ToBytes(stuck), name: "first");
        var second = await fixture.EnqueueAsync(NzbWriter.ToBytes(fixture.Post("second.mkv")), name: "second");
        await queue.StartAsync(CancellationToken.None);
        await Until.TrueAsync(async () => (await fixture.Jobs.GetAsync(first.Id, CancellationToken.None))!.State == JobState.Running);
        Assert.Equal(JobState.Queued, (await fixture.Jobs.GetAsync(second.Id, CancellationToken.None))!.State);

        options.Value = options.Value with { Workers = 2 };
        var outcome = new JobOutcome(fixture.Jobs, fixture.Clock);
        Assert.Equal(JobState.Completed, (await outcome.WaitAsync(second.Id, CancellationToken.None))!.State);
        Assert.Equal(JobState.Running, (await fixture.Jobs.GetAsync(first.Id, CancellationToken.None))!.State);

        // One too many now, and wanted again before it is gone.
        options.Value = options.Value with { Workers = 1 };
        options.Value = options.Value with { Workers = 2 };
        var third = await fixture.EnqueueAsync(NzbWriter.ToBytes(fixture.Post("third.mkv")), name: "third");
        Assert.Equal(JobState.Completed, (await outcome.WaitAsync(third.Id, CancellationToken.None))!.State);
        await queue.StopAsync(CancellationToken.None);
        Assert.Equal(JobState.Queued, (await fixture.Jobs.GetAsync(first.Id, CancellationToken.None))!.State);
    }
}
