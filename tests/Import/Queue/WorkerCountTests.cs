using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Settings;
using NzbDav.Fakes;
using NzbDav.Import.Options;
using NzbDav.Import.Queue;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.Import.Tests.Queue;

/// <summary>Changing the number of workers while jobs are imported.</summary>
public sealed class WorkerCountTests
{
    [Fact]
    public async Task More_workers_start_at_once_and_surplus_ones_finish_their_jobs()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var options = new Live<ImportOptions>(ImportFixture.Options with { Workers = 1 });
        using var queue = new ImportQueue(
            fixture.Jobs, fixture.Worker, fixture.Switch, options, fixture.Clock, fixture.Log.For<ImportQueue>());
        var first = await fixture.EnqueueAsync(NzbWriter.ToBytes(fixture.Post("first.mkv")), name: "first");
        var second = await fixture.EnqueueAsync(NzbWriter.ToBytes(fixture.Post("second.mkv")), name: "second");

        // The first job stops before it asks for an article, so that it holds its worker and no connection.
        using var goOn = new ManualResetEventSlim();
        fixture.Events.Progressed += progress =>
        {
            if (progress.JobId == first.Id)
                goOn.Wait();
        };
        await queue.StartAsync(CancellationToken.None);
        await Until.TrueAsync(async () => (await fixture.Jobs.GetAsync(first.Id, CancellationToken.None))!.State == JobState.Running);
        Assert.Equal(JobState.Queued, (await fixture.Jobs.GetAsync(second.Id, CancellationToken.None))!.State);

        options.Value = options.Value with { Workers = 2 };
        var outcome = new JobOutcome(fixture.Jobs, fixture.Clock);
        Assert.Equal(JobState.Completed, (await outcome.WaitAsync(second.Id, CancellationToken.None))!.State);
        Assert.Equal(JobState.Running, (await fixture.Jobs.GetAsync(first.Id, CancellationToken.None))!.State);

        // One worker is now surplus, and is wanted again before it has stopped.
        options.Value = options.Value with { Workers = 1 };
        options.Value = options.Value with { Workers = 2 };
        var third = await fixture.EnqueueAsync(NzbWriter.ToBytes(fixture.Post("third.mkv")), name: "third");
        Assert.Equal(JobState.Completed, (await outcome.WaitAsync(third.Id, CancellationToken.None))!.State);
        var stopping = queue.StopAsync(CancellationToken.None);
        goOn.Set();
        await stopping;
        Assert.Equal(JobState.Queued, (await fixture.Jobs.GetAsync(first.Id, CancellationToken.None))!.State);
    }
}
