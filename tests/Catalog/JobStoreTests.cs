using System.Text;

namespace NzbDav.Catalog.Tests;

public class JobStoreTests
{
    private static readonly TimeSpan Lease = TimeSpan.FromMinutes(1);

    [Fact]
    public async Task Job_and_its_nzb_come_back_as_they_were_brought()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        using var nzb = new MemoryStream(Encoding.UTF8.GetBytes("<nzb>…</nzb>"));
        var brought = new NewJob { Name = "Üñí 🎬", Category = "tv", Source = JobSource.Api, Priority = 5, Password = "secret" };
        var job = await catalog.Jobs.EnqueueAsync(brought, nzb, CancellationToken.None);
        Assert.Equal(job, await catalog.Jobs.GetAsync(job.Id, CancellationToken.None));
        Assert.Equal((JobState.Queued, 5, "secret", JobSource.Api, 14L), (job.State, job.Priority, job.Password, job.Source, job.NzbSize));
        Assert.Equal("<nzb>…</nzb>", Encoding.UTF8.GetString((await catalog.Blobs.ReadAsync(job.Nzb!.Value, CancellationToken.None)).Span));
        Assert.Null(await catalog.Jobs.GetAsync(1, CancellationToken.None));
        Assert.DoesNotContain("secret", $"{job} {brought}", StringComparison.Ordinal);
    }

    [Fact]
    public async Task What_a_job_was_brought_as_is_kept_and_can_be_asked_for()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        foreach (var kind in Enum.GetValues<JobKind>())
        {
            using var file = new MemoryStream([1, 2, 3]);
            await catalog.Jobs.EnqueueAsync(new NewJob { Name = $"{kind}", Kind = kind, Category = "tv", Source = JobSource.Dav }, file, CancellationToken.None);
        }

        foreach (var kinds in (JobKind[][])[[JobKind.Nzb], [JobKind.Torrent, JobKind.Magnet], []])
        {
            var found = new List<JobKind>();
            await foreach (var job in catalog.Jobs.ListAsync(new JobFilter { Kinds = kinds }, CancellationToken.None))
                found.Add(job.Kind);
            Assert.Equal(kinds.Length == 0 ? Enum.GetValues<JobKind>() : kinds, found);
        }
    }

    [Fact]
    public async Task A_job_that_cannot_be_used_goes_straight_into_the_history()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        using var file = new MemoryStream([1]);
        var brought = new NewJob { Name = "bad", Kind = JobKind.Torrent, Category = "tv", Source = JobSource.Dav, FailureCode = "no-good", FailureMessage = "It is no good." };
        var job = await catalog.Jobs.EnqueueAsync(brought, file, CancellationToken.None);
        Assert.Equal((JobState.Failed, "no-good", "It is no good.", job.Created), (job.State, job.FailureCode, job.FailureMessage, job.Finished));
        Assert.Equal(job, await catalog.Jobs.GetAsync(job.Id, CancellationToken.None));
        Assert.Null(await catalog.Jobs.ClaimAsync("a", Lease, CancellationToken.None));
    }

    [Fact]
    public async Task A_torrent_is_needed_as_long_as_a_file_or_a_job_that_is_not_done_names_it()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var (first, second) = (new string('a', 40), new string('b', 40));
        var removed = 0;
        catalog.Tree.Removed += () => removed++;
        foreach (var hash in (string[])[first, second])
        {
            using var file = new MemoryStream([1]);
            await catalog.Jobs.EnqueueAsync(new NewJob { Name = hash, Kind = JobKind.Torrent, ContentHash = hash, Category = "tv", Source = JobSource.Dav }, file, CancellationToken.None);
        }

        Assert.Equal([first, second], (await catalog.Tree.ListTorrentsAsync(CancellationToken.None)).Order(StringComparer.Ordinal));
        var claimed = await catalog.ClaimAsync();
        var published = new PublishedFile { Path = ["film.mkv"], Size = 5, ExtentMap = claimed.Nzb!.Value, Torrent = new TorrentPart(first, 3) };
        var item = await catalog.Jobs.PublishAsync(claimed, new JobPublication { Files = [published] }, CancellationToken.None);
        var stored = await catalog.Tree.FindChildAsync(item!.Id, "film.mkv", CancellationToken.None);
        Assert.Equal(new TorrentPart(first, 3), stored!.Torrent);
        await catalog.Jobs.FailAsync(await catalog.ClaimAsync(), "no", "No.", CancellationToken.None);
        Assert.Equal([first], await catalog.Tree.ListTorrentsAsync(CancellationToken.None));

        // The .torrent is the file's own once the job is forgotten.
        Assert.True(await catalog.Jobs.DeleteAsync(claimed.Id, withContent: false, CancellationToken.None));
        Assert.True(catalog.Blobs.Exists(stored.ExtentMap!.Value));
        Assert.Equal(0, removed);
        Assert.True(await catalog.Tree.DeleteAsync(item.Id, CancellationToken.None));
        Assert.Equal(1, removed);
        Assert.Empty(await catalog.Tree.ListTorrentsAsync(CancellationToken.None));
    }

    [Fact]
    public async Task Priority_goes_first_then_age()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        Assert.Null(await catalog.Jobs.ClaimAsync("a", Lease, CancellationToken.None));
        await catalog.EnqueueAsync("second");
        await catalog.EnqueueAsync("third");
        await catalog.EnqueueAsync("first", priority: 1);
        var last = await catalog.EnqueueAsync("last", priority: 9);
        Assert.True(await catalog.Jobs.SetPriorityAsync(last.Id, -1, CancellationToken.None));
        var listed = new List<string>();
        await foreach (var job in catalog.Jobs.ListAsync(new JobFilter { States = [JobState.Queued] }, CancellationToken.None))
            listed.Add(job.Name);
        Assert.Equal(["first", "second", "third", "last"], listed);
        foreach (var name in listed)
            Assert.Equal(name, (await catalog.ClaimAsync()).Name);
        Assert.Null(await catalog.Jobs.ClaimAsync("a", Lease, CancellationToken.None));
    }

    [Fact]
    public async Task Lost_lease_is_taken_over_and_the_loser_can_do_nothing()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        await using var other = await catalog.OpenOtherAsync();
        await catalog.EnqueueAsync();
        var mine = await catalog.ClaimAsync("mine");
        Assert.Null(await other.Jobs.ClaimAsync("theirs", Lease, CancellationToken.None));
        catalog.Clock.Advance(TimeSpan.FromSeconds(50));
        Assert.True(await catalog.Jobs.RenewAsync(mine, Lease, CancellationToken.None));
        catalog.Clock.Advance(TimeSpan.FromSeconds(50));
        Assert.Null(await other.Jobs.ClaimAsync("theirs", Lease, CancellationToken.None));
        catalog.Clock.Advance(TimeSpan.FromSeconds(11));
        var theirs = await other.ClaimAsync("theirs");
        Assert.Equal((mine.Id, 2, "theirs"), (theirs.Id, theirs.Attempts, theirs.Owner));

        var publication = new JobPublication { Files = [await catalog.FileAsync("file")] };
        Assert.False(await catalog.Jobs.RenewAsync(mine, Lease, CancellationToken.None));
        Assert.False(await catalog.Jobs.ReportAsync(mine, default, Lease, CancellationToken.None));
        Assert.False(await catalog.Jobs.FailAsync(mine, "code", "message", CancellationToken.None));
        Assert.False(await catalog.Jobs.ReleaseAsync(mine, TimeSpan.Zero, CancellationToken.None));
        Assert.Null(await catalog.Jobs.PublishAsync(mine, publication, CancellationToken.None));
        Assert.Null(await catalog.ResolveAsync("content"));
        Assert.NotNull(await other.Jobs.PublishAsync(theirs, publication, CancellationToken.None));
    }

    [Fact]
    public async Task A_claim_of_the_same_owner_is_another_claim()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        await catalog.EnqueueAsync();
        var before = await catalog.ClaimAsync("host");
        catalog.Clock.Advance(TimeSpan.FromMinutes(2));
        await catalog.ClaimAsync("host");
        Assert.False(await catalog.Jobs.RenewAsync(before, Lease, CancellationToken.None));
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
            while (await (worker % 2 == 0 ? catalog : other).Jobs.ClaimAsync($"worker {worker}", Lease, CancellationToken.None) is { } job)
                mine.Add(job.Id);
            return mine;
        })));
        Assert.Equal(40, claimed.SelectMany(ids => ids).Distinct().Count());
        Assert.Equal(40, claimed.Sum(ids => ids.Count));
    }

    [Fact]
    public async Task Released_job_waits_as_told()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        await catalog.EnqueueAsync();
        Assert.True(await catalog.Jobs.ReleaseAsync(await catalog.ClaimAsync(), TimeSpan.FromMinutes(5), CancellationToken.None));
        Assert.Null(await catalog.Jobs.ClaimAsync("a", Lease, CancellationToken.None));
        catalog.Clock.Advance(TimeSpan.FromMinutes(5));
        Assert.Equal(2, (await catalog.ClaimAsync()).Attempts);
    }

    [Fact]
    public async Task Job_that_is_put_back_says_what_it_waits_for_and_since_when()
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
            Assert.Null(await catalog.Jobs.ClaimAsync("a", Lease, CancellationToken.None));
            catalog.Clock.Advance(TimeSpan.FromMinutes(5));
        }

        // Whoever holds it back and lets it go on begins anew.
        Assert.True(await catalog.Jobs.PauseAsync(id, CancellationToken.None));
        Assert.True(await catalog.Jobs.ResumeAsync(id, CancellationToken.None));
        Assert.Null((await catalog.ClaimAsync()).WaitingSince);
    }

    [Fact]
    public async Task Failed_job_keeps_its_reason_until_it_is_tried_again()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        await catalog.EnqueueAsync();
        var job = await catalog.ClaimAsync();
        Assert.True(await catalog.Jobs.ReportAsync(job, new JobProgress("Lay out", 500, 1000, 2), Lease, CancellationToken.None));
        Assert.True(await catalog.Jobs.FailAsync(job, "compressed", "The archive is compressed.", CancellationToken.None));
        var failed = (await catalog.Jobs.GetAsync(job.Id, CancellationToken.None))!;
        Assert.Equal(
            (JobState.Failed, "compressed", "The archive is compressed.", "Lay out", 500, 1000L, 2),
            (failed.State, failed.FailureCode, failed.FailureMessage, failed.Step, failed.Progress, failed.TotalBytes, failed.FileCount));
        Assert.Equal(catalog.Clock.GetUtcNow(), failed.Finished);
        Assert.Null(failed.Owner);
        Assert.Null(await catalog.Jobs.ClaimAsync("a", Lease, CancellationToken.None));
        Assert.True(await catalog.Jobs.RetryAsync(job.Id, CancellationToken.None));
        Assert.False(await catalog.Jobs.RetryAsync(job.Id, CancellationToken.None));
        Assert.Null((await catalog.ClaimAsync()).FailureCode);
    }

    [Fact]
    public async Task Lists_by_category_and_state_page_by_page()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        for (var i = 0; i < 300; i++)
            await catalog.EnqueueAsync($"movie {i}", priority: i % 3);
        await catalog.EnqueueAsync("series", category: "tv");
        await catalog.Jobs.FailAsync(await catalog.ClaimAsync(), "x", "x", CancellationToken.None);
        Assert.Equal(300, (await ListAsync(catalog, JobFilter.Unfinished("movies"))).Count);
        var newest = await ListAsync(catalog, new JobFilter { Order = JobOrder.NewestFirst });
        Assert.Equal("series", newest[0]);
        Assert.Equal(301, newest.Distinct().Count());
        Assert.Equal(["movie 2"], await ListAsync(catalog, new JobFilter { States = [JobState.Failed] }));
        Assert.Equal(["movie 7"], await ListAsync(catalog, new JobFilter { Category = "movies", Name = "movie 7" }));
        Assert.Equal(299, await catalog.Jobs.CountAsync(new JobFilter { Category = "movies", States = [JobState.Queued] }, CancellationToken.None));
        Assert.Equal(301, await catalog.Jobs.CountAsync(new JobFilter(), CancellationToken.None));
    }

    [Fact]
    public async Task Publication_makes_the_tree_and_completes_the_job()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        await catalog.EnqueueAsync("Show.S01", "tv");
        var posted = new DateTimeOffset(2019, 5, 6, 7, 8, 9, TimeSpan.Zero);
        var file = await catalog.FileAsync("Season 1/e01.mkv") with { ContentType = "video/x-matroska", Modified = posted };
        var item = await catalog.Jobs.PublishAsync(
            await catalog.ClaimAsync(), new JobPublication { Name = "Show", Files = [file, await catalog.FileAsync("Season 1/e02.mkv")] }, CancellationToken.None);
        var first = await catalog.ResolveAsync("content/tv/Show/Season 1/e01.mkv");
        Assert.Equal((file.Size, file.ExtentMap.Hash, "video/x-matroska", posted), (first!.Size, first.ExtentMap!.Value, first.ContentType, first.Modified));
        Assert.Equal(item, await catalog.ResolveAsync("content/tv/Show"));
        var job = (await catalog.Jobs.GetAsync(item!.JobId!.Value, CancellationToken.None))!;
        Assert.Equal((JobState.Completed, item.Id, file.Size * 2, 2), (job.State, job.ItemId!.Value, job.TotalBytes, job.FileCount));
        Assert.Equal(4, (await catalog.Tree.ListByJobAsync(job.Id, CancellationToken.None)).Count);
        Assert.Null((await catalog.ResolveAsync("content/tv"))!.JobId);
    }

    [Fact]
    public async Task Taken_name_gets_a_number()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        Assert.Equal("Job", (await catalog.PublishAsync("Job", "a")).Name);
        Assert.Equal("Job (2)", (await catalog.PublishAsync("Job", "a")).Name);
        Assert.Equal("Job (3)", (await catalog.PublishAsync("Job", "a")).Name);
        var longest = string.Concat(Enumerable.Repeat("🎬", 63)) + "abc";
        Assert.Equal(longest, (await catalog.PublishAsync(longest, "a")).Name);
        var second = (await catalog.PublishAsync(longest, "a")).Name;
        Assert.EndsWith("🎬 (2)", second, StringComparison.Ordinal);
        Assert.InRange(Encoding.UTF8.GetByteCount(second), 250, 255);
    }

    [Theory]
    [InlineData("a", "a")]
    [InlineData("a", "a/b")]
    [InlineData("a/b", "a")]
    [InlineData("..", "b")]
    [InlineData("a/", "b")]
    public async Task Publication_that_makes_no_tree_is_refused(string first, string second)
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        await catalog.EnqueueAsync();
        var job = await catalog.ClaimAsync();
        var files = new[] { await catalog.FileAsync(first), await catalog.FileAsync(second) };
        await Assert.ThrowsAsync<ArgumentException>(() => catalog.Jobs.PublishAsync(job, new JobPublication { Files = files }, CancellationToken.None));
    }

    [Fact]
    public async Task Map_that_is_gone_stops_the_publication()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        await catalog.EnqueueAsync();
        var job = await catalog.ClaimAsync();
        var file = await catalog.FileAsync("file") with { ExtentMap = BlobHash.Parse(new string('1', 64)) };
        var error = await Assert.ThrowsAsync<CatalogException>(
            () => catalog.Jobs.PublishAsync(job, new JobPublication { Files = [file] }, CancellationToken.None));
        Assert.Equal(CatalogFault.BlobMissing, error.Fault);
        Assert.Null(await catalog.ResolveAsync("content"));
        Assert.True(await catalog.Jobs.RenewAsync(job, Lease, CancellationToken.None));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Deleted_job_takes_its_content_or_leaves_it(bool withContent)
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var item = await catalog.PublishAsync("Job", "file");
        Assert.NotNull(await catalog.ResolveAsync("content/movies/Job/file"));
        Assert.Single(catalog.BlobFiles());
        Assert.True(await catalog.Jobs.DeleteAsync(item.JobId!.Value, withContent, CancellationToken.None));
        Assert.False(await catalog.Jobs.DeleteAsync(item.JobId.Value, withContent, CancellationToken.None));
        var file = await catalog.ResolveAsync("content/movies/Job/file");
        Assert.Equal(withContent, file is null);
        Assert.Null(file?.JobId);
        Assert.Empty(catalog.BlobFiles());
        Assert.Equal(withContent ? 0 : 1, (await catalog.MapRowsAsync()).Count);
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

    [Fact]
    public async Task Category_changes_until_publication()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var queued = await catalog.EnqueueAsync();
        var job = await catalog.ClaimAsync();
        Assert.True(await catalog.Jobs.SetCategoryAsync(queued.Id, "tv", CancellationToken.None));
        await catalog.Jobs.PublishAsync(job, new JobPublication { Files = [] }, CancellationToken.None);
        Assert.NotNull(await catalog.ResolveAsync("content/tv/Movie.2020"));
        Assert.False(await catalog.Jobs.SetCategoryAsync(queued.Id, "x", CancellationToken.None));
    }

    [Fact]
    public async Task Changes_are_told()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var told = new List<JobState?>();
        catalog.Jobs.Changed += change => told.Add(change.State);
        var item = await catalog.PublishAsync("Job", "file");
        await catalog.Jobs.DeleteAsync(item.JobId!.Value, withContent: false, CancellationToken.None);
        Assert.Equal([JobState.Queued, JobState.Running, JobState.Completed, null], told);
    }

    private static async Task<List<string>> ListAsync(CatalogFixture catalog, JobFilter filter)
    {
        var names = new List<string>();
        await foreach (var job in catalog.Jobs.ListAsync(filter, CancellationToken.None))
            names.Add(job.Name);
        return names;
    }
}
