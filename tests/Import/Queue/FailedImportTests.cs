using Microsoft.Extensions.Logging;
using NzbDav.Catalog.Jobs;
using NzbDav.Fakes;
using NzbDav.Import.Progress;
using NzbDav.Import.Queue;
using NzbDav.MockUsenet.Faults;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.Import.Tests.Queue;

/// <summary>Jobs that fail with a reason, or go back and wait.</summary>
public sealed class FailedImportTests
{
    [Fact]
    public async Task A_map_removed_by_another_process_before_publication_is_stored_again()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var queued = await fixture.EnqueueAsync(fixture.PostWithLargeMaps(1));
        var removed = 0;
        fixture.Database.BeforeStatement = sql =>
        {
            if (removed > 0 || !sql.StartsWith("UPDATE jobs SET state = 'completed'", StringComparison.Ordinal))
                return;
            foreach (var path in Directory.GetFiles(fixture.Blobs.Folder, "*", SearchOption.AllDirectories)
                .Where(path => Path.GetFileName(path) != queued.Nzb!.Value.ToString()))
            {
                File.Delete(path);
                removed++;
            }
        };
        var waiting = await fixture.RunAsync();
        Assert.Equal((1, JobState.Queued, ImportFailure.Storage), (removed, waiting.State, waiting.FailureCode));
        fixture.Clock.Advance(TimeSpan.FromMinutes(1));
        Assert.Equal(JobState.Completed, (await fixture.RunAsync()).State);
        Assert.Equal(["movie0.mkv"], await fixture.PublishedAsync());
    }

    [Fact]
    public async Task A_job_whose_stored_nzb_is_gone_fails()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var job = await fixture.EnqueueAsync(fixture.Post("movie.mkv"));
        File.Delete(fixture.Blobs.PathOf(job.Nzb!.Value));
        var failed = await fixture.RunAsync();
        Assert.Equal((JobState.Failed, ImportFailure.Storage), (failed.State, failed.FailureCode));
    }

    [Fact]
    public async Task A_map_that_cannot_be_stored_publishes_nothing()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        await fixture.EnqueueAsync(fixture.PostWithLargeMaps(9));
        var stored = 0;
        fixture.Blobs.WrapFile = file =>
            Interlocked.Increment(ref stored) <= 5 ? file : throw new IOException("No space left on device", 28);
        var job = await fixture.RunAsync();
        Assert.Equal((JobState.Queued, ImportFailure.Storage), (job.State, job.FailureCode));
        Assert.Empty(await fixture.PublishedAsync());
        fixture.Blobs.WrapFile = null;
    }

    [Theory]
    [InlineData("", "malformed-nzb")]
    [InlineData("this is no xml", "malformed-nzb")]
    [InlineData("<nzb><file subject='a'><segments/></file></nzb>", "malformed-nzb")]
    public async Task A_job_whose_nzb_cannot_be_read_fails(string nzb, string code)
    {
        await using var fixture = await ImportFixture.OpenAsync();
        await fixture.EnqueueAsync(System.Text.Encoding.UTF8.GetBytes(nzb));
        var job = await fixture.RunAsync();
        Assert.Equal((JobState.Failed, code), (job.State, job.FailureCode));
        Assert.StartsWith("The .nzb cannot be read. ", job.FailureMessage, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("missing", ImportFailure.Missing, "'movie.mkv': The article <")]
    [InlineData("corrupt", ImportFailure.Corrupt, "is damaged on every provider that has it")]
    [InlineData("incomplete", ImportFailure.Incomplete, "'movie.mkv': The NZB lists one article of it, part 2 of 3.")]
    public async Task A_job_with_unusable_articles_fails_with_the_reason(string fault, string code, string said)
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var files = fixture.Post("movie.mkv");
        if (fault != "incomplete")
            fixture.Mocks[0].Faults.Add(fault == "missing" ? Fault.Missing : Fault.Corrupt, FaultTarget.All);
        await fixture.EnqueueAsync(files, new NzbOptions { Include = segment => fault != "incomplete" || segment.Index == 1 });
        var job = await fixture.RunAsync();
        Assert.Equal((JobState.Failed, code), (job.State, job.FailureCode));
        Assert.Contains(said, job.FailureMessage, StringComparison.Ordinal);
        Assert.Null(await fixture.FindAsync("content/movies/Job"));
        Assert.Single(
            fixture.Log.Entries, entry => entry.Level == LogLevel.Warning && entry.Message.Contains(code, StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_job_whose_nzb_is_gone_from_the_disk_fails()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        await fixture.EnqueueAsync(fixture.Post("movie.mkv"));
        foreach (var blob in Directory.EnumerateFiles(fixture.Database.Options.BlobFolder, "*", SearchOption.AllDirectories))
            File.Delete(blob);
        var job = await fixture.RunAsync();
        Assert.Equal((JobState.Failed, ImportFailure.Storage), (job.State, job.FailureCode));
    }

    [Fact]
    public async Task An_unexpected_exception_fails_the_job_and_not_the_process()
    {
        await using var fixture = await ImportFixture.OpenAsync(workerTime: new FailingTime { Failures = int.MaxValue });
        await fixture.EnqueueAsync(fixture.Post("movie.mkv"));
        var job = await fixture.RunAsync();
        Assert.Equal(
            (JobState.Failed, ImportFailure.Internal, "Unexpected error: A bug."), (job.State, job.FailureCode, job.FailureMessage));
        Assert.Single(fixture.Log.Entries, entry => entry.Level == LogLevel.Error);
    }

    [Theory]
    [InlineData("movie.nfo")]
    [InlineData("movie.nfo", "movie.par2")]
    public async Task A_job_without_any_remaining_file_fails(params string[] names)
    {
        await using var fixture = await ImportFixture.OpenAsync();
        fixture.Mocks[0].Faults.Add(Fault.Missing, FaultTarget.All);
        await fixture.EnqueueAsync(fixture.Post(names));
        var job = await fixture.RunAsync();
        Assert.Equal((JobState.Failed, ImportFailure.Missing), (job.State, job.FailureCode));
    }

    [Fact]
    public async Task A_job_is_requeued_with_growing_waits_while_no_provider_answers()
    {
        await using var fixture = await ImportFixture.OpenAsync(
            [new() { Username = "me", Password = "right" }], options => options with { Username = "me", Password = "wrong" });
        await fixture.EnqueueAsync(fixture.Post("movie.mkv"));
        foreach (var seconds in new[] { 15, 30, 60, 120, 240, 300, 300 })
        {
            var job = await fixture.RunAsync();
            Assert.Equal((JobState.Queued, null, fixture.Clock.GetUtcNow().AddSeconds(seconds)), (job.State, job.Owner, job.NotBefore));
            Assert.Equal(ImportFailure.Unavailable, job.FailureCode);
            Assert.StartsWith("No provider can be reached: ", job.FailureMessage, StringComparison.Ordinal);
            Assert.Contains("check user name, password", job.FailureMessage, StringComparison.Ordinal);
            Assert.Null(await fixture.Jobs.ClaimAsync("early", ImportWorker.Lease, CancellationToken.None));
            fixture.Clock.Advance(TimeSpan.FromSeconds(seconds));
        }

        Assert.Contains(fixture.Log.Entries, entry => entry.Message.Contains("check user name, password", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_job_that_waited_a_day_for_providers_fails_and_can_be_retried()
    {
        await using var fixture = await ImportFixture.OpenAsync(
            [new() { Username = "me", Password = "right" }], options => options with { Username = "me", Password = "wrong" });
        await fixture.EnqueueAsync(fixture.Post("movie.mkv"));
        var since = fixture.Clock.GetUtcNow();
        Assert.Equal(since, (await fixture.RunAsync()).WaitingSince);
        fixture.Clock.Advance(ImportFixture.Options.RetryPeriod - TimeSpan.FromSeconds(1));
        var waits = await fixture.RunAsync();
        Assert.Equal((JobState.Queued, since), (waits.State, waits.WaitingSince));
        fixture.Clock.Advance(TimeSpan.FromMinutes(1));
        var given = await fixture.RunAsync();
        Assert.Equal((JobState.Failed, ImportFailure.Unavailable), (given.State, given.FailureCode));
        Assert.EndsWith("It waited for 24 hours; retry it once the cause is fixed.", given.FailureMessage, StringComparison.Ordinal);

        // A retried job has its full waiting time again.
        Assert.True(await fixture.Jobs.RetryAsync(given.Id, CancellationToken.None));
        var again = await fixture.RunAsync();
        Assert.Equal((JobState.Queued, fixture.Clock.GetUtcNow()), (again.State, again.WaitingSince));
    }
}
