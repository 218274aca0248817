using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;
using NzbDav.Catalog;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.MockUsenet.Faults;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.Import.Tests;

public sealed class ImportWorkerTests
{
    [Fact]
    public async Task A_job_is_published_with_names_sizes_dates_and_maps()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var files = fixture.Post("movie.mkv", "movie.nfo", "movie.par2");
        await fixture.EnqueueAsync(files);
        var job = await fixture.RunAsync();
        Assert.Equal((JobState.Completed, null, 50_000L, 2), (job.State, job.FailureMessage, job.TotalBytes, job.FileCount));
        Assert.Equal(["parse", "probe", "name", "layout", "validate", "publish"], job.Timings.Select(timing => timing.Step));
        Assert.Equal(["movie.mkv", "movie.nfo"], (await fixture.PublishedAsync()).Order(StringComparer.Ordinal));

        var item = (await fixture.FindAsync("content/movies/Job/movie.mkv"))!;
        Assert.Equal((25_000L, files[0].Options.Date), (item.Size, item.Modified));
        var map = (await fixture.Maps.ReadAsync(item.ExtentMap!.Value, CancellationToken.None)).Map;
        var reader = fixture.Usenet.Open(map).OpenReader(0, map.Length, ReadIntent.Download);
        await using (reader)
        {
            var expected = new byte[25_000];
            files[0].Source.Fill(0, expected);
            var read = new List<byte>();
            while (await reader.NextAsync(CancellationToken.None) is { IsEmpty: false } lease)
            {
                read.AddRange(lease.Memory.Span);
                lease.Dispose();
            }

            Assert.Equal(expected, read);
        }
    }

    [Fact]
    public async Task What_was_fetched_of_a_file_is_there_for_its_first_reader()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        await fixture.EnqueueAsync(fixture.Post("movie.mkv"));
        await fixture.RunAsync();
        var content = await fixture.Opener.OpenAsync((await fixture.FindAsync("content/movies/Job/movie.mkv"))!, CancellationToken.None);
        var (first, last) = (fixture.Mocks[0].Stats.ArticlesAsked, content.Length - 100);
        await ContentBytes.ReadAsync(content, 0, 100, ReadIntent.Probe, CancellationToken.None);
        await ContentBytes.ReadAsync(content, last, 100, ReadIntent.Probe, CancellationToken.None);
        Assert.Equal((2, 0), (first, fixture.Mocks[0].Stats.ArticlesAskedAgain));
        Assert.Equal(first, fixture.Mocks[0].Stats.ArticlesAsked);
    }

    [Fact]
    public async Task Large_maps_are_made_durable_by_no_thread_of_the_pool()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        await fixture.EnqueueAsync(fixture.PostWithLargeMaps(9));
        var threads = new ConcurrentBag<bool>();
        fixture.Blobs.WrapFile = file =>
        {
            threads.Add(Thread.CurrentThread.IsThreadPoolThread);
            return file;
        };
        Assert.Null((await fixture.RunAsync()).FailureMessage);
        Assert.Equal(Enumerable.Repeat(false, 9), threads);
    }

    [Fact]
    public async Task A_map_that_another_process_removes_before_the_publication_is_stored_again()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var queued = await fixture.EnqueueAsync(fixture.PostWithLargeMaps(1));
        var removed = 0;
        fixture.Database.BeforeStatement = sql =>
        {
            if (removed > 0 || !sql.StartsWith("UPDATE jobs SET state = 'completed'", StringComparison.Ordinal))
                return;
            foreach (var path in Directory.GetFiles(fixture.Blobs.Folder, "*", SearchOption.AllDirectories).Where(path => Path.GetFileName(path) != queued.Nzb!.Value.ToString()))
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
    public async Task A_job_whose_own_nzb_is_gone_fails()
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
        fixture.Blobs.WrapFile = file => Interlocked.Increment(ref stored) <= 5 ? file : throw new IOException("No space left on device", 28);
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
    public async Task A_job_whose_articles_are_no_good_fails_with_the_reason(string fault, string code, string said)
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
        Assert.Single(fixture.Log.Entries, entry => entry.Level == LogLevel.Warning && entry.Message.Contains(code, StringComparison.Ordinal));
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
    public async Task A_fault_of_the_program_fails_the_job_and_not_the_process()
    {
        await using var fixture = await ImportFixture.OpenAsync(workerTime: new BrokenClock());
        await fixture.EnqueueAsync(fixture.Post("movie.mkv"));
        var job = await fixture.RunAsync();
        Assert.Equal((JobState.Failed, ImportFailure.Internal, "A fault of the program: no time"), (job.State, job.FailureCode, job.FailureMessage));
        Assert.Single(fixture.Log.Entries, entry => entry.Level == LogLevel.Error);
    }

    [Fact]
    public async Task Accessories_that_are_gone_are_left_out_with_a_warning()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var files = fixture.Post("movie.mkv", "movie.NFO", "movie.vol0+1.par2");
        fixture.Mocks[0].Faults.Add(Fault.Missing, FaultTarget.Where(segment => segment.File != files[0]));
        await fixture.EnqueueAsync(files);
        Assert.Equal(JobState.Completed, (await fixture.RunAsync()).State);
        Assert.Equal(["movie.mkv"], await fixture.PublishedAsync());
        Assert.Equal(2, fixture.Log.Entries.Count(entry => entry.Level == LogLevel.Warning && entry.Message.StartsWith("Left out movie.", StringComparison.Ordinal)));
    }

    [Fact]
    public async Task What_is_no_accessory_is_not_left_out()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        var files = fixture.Post("movie.mkv", "movie.srt", "movie.nfo");
        fixture.Mocks[0].Faults.Add(Fault.Missing, FaultTarget.File(files[1]));
        await fixture.EnqueueAsync(files);
        var job = await fixture.RunAsync();
        Assert.Equal((JobState.Failed, ImportFailure.Missing), (job.State, job.FailureCode));
        Assert.Contains("'movie.srt'", job.FailureMessage, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("movie.nfo")]
    [InlineData("movie.nfo", "movie.par2")]
    public async Task A_job_of_which_nothing_is_left_fails(params string[] names)
    {
        await using var fixture = await ImportFixture.OpenAsync();
        fixture.Mocks[0].Faults.Add(Fault.Missing, FaultTarget.All);
        await fixture.EnqueueAsync(fixture.Post(names));
        var job = await fixture.RunAsync();
        Assert.Equal((JobState.Failed, ImportFailure.Missing), (job.State, job.FailureCode));
    }

    [Fact]
    public async Task Without_providers_that_answer_the_job_goes_back_and_waits_longer_each_time()
    {
        await using var fixture = await ImportFixture.OpenAsync([new() { Username = "me", Password = "right" }], options => options with { Username = "me", Password = "wrong" });
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
    public async Task A_job_that_waited_a_day_for_providers_is_given_up_and_can_be_tried_again()
    {
        await using var fixture = await ImportFixture.OpenAsync([new() { Username = "me", Password = "right" }], options => options with { Username = "me", Password = "wrong" });
        await fixture.EnqueueAsync(fixture.Post("movie.mkv"));
        var since = fixture.Clock.GetUtcNow();
        Assert.Equal(since, (await fixture.RunAsync()).WaitingSince);
        fixture.Clock.Advance(ImportFixture.Options.Patience - TimeSpan.FromSeconds(1));
        var waits = await fixture.RunAsync();
        Assert.Equal((JobState.Queued, since), (waits.State, waits.WaitingSince));
        fixture.Clock.Advance(TimeSpan.FromMinutes(1));
        var given = await fixture.RunAsync();
        Assert.Equal((JobState.Failed, ImportFailure.Unavailable), (given.State, given.FailureCode));
        Assert.EndsWith("It waited for 24 hours; try it again when that is mended.", given.FailureMessage, StringComparison.Ordinal);

        // Tried again it has all its patience.
        Assert.True(await fixture.Jobs.RetryAsync(given.Id, CancellationToken.None));
        var again = await fixture.RunAsync();
        Assert.Equal((JobState.Queued, fixture.Clock.GetUtcNow()), (again.State, again.WaitingSince));
    }

    [Fact]
    public async Task A_job_that_is_deleted_is_stopped_at_once()
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
    public async Task A_job_that_takes_long_is_kept()
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

        // The process stops: the job is free at once.
        await stop.CancelAsync();
        await running;
        Assert.Equal((JobState.Queued, null), ((await fixture.Jobs.GetAsync(job.Id, CancellationToken.None))!.State, (await fixture.Jobs.GetAsync(job.Id, CancellationToken.None))!.NotBefore));
    }

    [Fact]
    public async Task A_worker_that_died_leaves_its_job_to_another()
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
        Assert.Equal((JobState.Completed, 2), ((await fixture.RunAsync()).State, (await fixture.Jobs.GetAsync((await fixture.FindAsync("content/movies/Job"))!.JobId!.Value, CancellationToken.None))!.Attempts));
    }

    [Fact]
    public async Task A_worker_that_lost_its_lease_publishes_nothing()
    {
        // Its own clock stands still: it sees no reason to renew.
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
        Assert.Equal((JobState.Running, "other"), ((await fixture.Jobs.GetAsync(job.Id, CancellationToken.None))!.State, (await fixture.Jobs.GetAsync(job.Id, CancellationToken.None))!.Owner));
        await fixture.Worker.RunAsync(job, CancellationToken.None);
        Assert.Equal(["movie.mkv"], await fixture.PublishedAsync());
    }

    private sealed class BrokenClock : TimeProvider
    {
        public override long GetTimestamp() => throw new InvalidOperationException("no time");
    }
}
