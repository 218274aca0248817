using NzbDav.Catalog.Jobs;
using NzbDav.Import.Queue;

namespace NzbDav.Import.Tests.Queue;

public sealed class JobOutcomeTests
{
    [Fact]
    public async Task A_waiter_that_has_already_left_does_not_disturb_a_job_change()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        using var nzb = new MemoryStream("<nzb/>"u8.ToArray());
        await fixture.Jobs.EnqueueAsync(
            new NewJob { Name = "a", Category = "movies", Source = JobSource.Dav }, nzb, CancellationToken.None);
        var job = (await fixture.Jobs.ClaimAsync("test", TimeSpan.FromMinutes(1), CancellationToken.None))!;

        // The first to be told takes his time: meanwhile the other one, which looks every half second, has seen the end and is gone.
        Task<CatalogJob?>? waiting = null;
        fixture.Jobs.Changed += _ =>
        {
            using var limit = new CancellationTokenSource(TimeSpan.FromSeconds(60));
            while (!waiting!.IsCompleted && !limit.IsCancellationRequested)
                fixture.Clock.Advance(TimeSpan.FromSeconds(1));
        };
        waiting = new JobOutcome(fixture.Jobs, fixture.Clock).WaitAsync(job.Id, CancellationToken.None);

        Assert.True(await fixture.Jobs.FailAsync(job, "test", "It failed.", CancellationToken.None));
        Assert.Equal(JobState.Failed, (await waiting)!.State);
    }
}
