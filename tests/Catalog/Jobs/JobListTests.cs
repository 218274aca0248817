using Dapper;
using NzbDav.Catalog.Jobs;

namespace NzbDav.Catalog.Tests.Jobs;

/// <summary>Queue and history as one list.</summary>
public sealed class JobListTests
{
    private static readonly JobStatus[] Stopped = [JobStatus.Paused, JobStatus.Waiting];

    [Fact]
    public async Task The_list_has_the_queue_in_order_then_the_history_latest_first()
    {
        await using var catalog = await FilledAsync();
        var list = new JobList(catalog.Database);

        var (jobs, counts) = await list.ListAsync(new JobFilter(), new JobPaging(), CancellationToken.None);
        Assert.Equal(["running", "first", "second", "held", "later", "failed", "done"], jobs.Select(job => job.Name));
        Assert.Equal(new JobStatusCounts(Queued: 2, Waiting: 1, Paused: 1, Running: 1, Completed: 1, Failed: 1), counts);
        Assert.Equal(
            [JobStatus.Running, JobStatus.Queued, JobStatus.Queued, JobStatus.Paused, JobStatus.Waiting, JobStatus.Failed,
                JobStatus.Completed],
            jobs.Select(job => JobList.StatusOf(job, catalog.Clock.GetUtcNow())));

        // A page that begins in the queue ends in the history.
        for (var offset = 0; offset < jobs.Count; offset++)
        {
            var (page, _) = await list.ListAsync(
                new JobFilter(), new JobPaging { Offset = offset, Limit = 3 }, CancellationToken.None);
            Assert.Equal(jobs.Skip(offset).Take(3).Select(job => job.Id), page.Select(job => job.Id));
        }

        var places = await list.PlacesAsync([.. jobs.Select(job => job.Id)], CancellationToken.None);
        Assert.Equal([0, 1, 2, 3, 4], jobs.Take(5).Select(job => places[job.Id]));
        Assert.Equal(5, places.Count);
    }

    [Theory]
    [InlineData(null)]
    [InlineData(JobStatus.Completed)]
    public async Task Every_page_of_the_history_is_a_slice_of_the_whole_list(JobStatus? standing)
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        foreach (var name in new[] { "a", "b", "c", "d", "e", "f", "g" })
            await catalog.PublishAsync(name, "film.mkv");
        await catalog.EnqueueAsync("waits");
        var list = new JobList(catalog.Database);
        var filter = new JobFilter { Standings = standing is { } only ? [only] : null };
        var whole = (await list.ListAsync(filter, new JobPaging(), CancellationToken.None)).Jobs.Select(job => job.Name).ToArray();

        Assert.Equal(standing is null ? ["waits", "g", "f", "e", "d", "c", "b", "a"] : ["g", "f", "e", "d", "c", "b", "a"], whole);
        for (var offset = 0; offset <= 9; offset++)
        {
            for (var limit = 1; limit <= 9; limit++)
            {
                var (page, _) = await list.ListAsync(
                    filter, new JobPaging { Offset = offset, Limit = limit }, CancellationToken.None);
                Assert.Equal(whole.Skip(offset).Take(limit), page.Select(job => job.Name));
            }
        }
    }

#if !POSTGRES
    [Theory]
    [InlineData(null, false)]
    [InlineData(JobStatus.Completed, false)]
    [InlineData(JobStatus.Completed, true)]
    [InlineData(JobStatus.Failed, true)]
    public async Task A_history_page_is_read_in_order_from_one_index(JobStatus? standing, bool fromEnd)
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var sql = new JobList(catalog.Database)
            .EndedPage(new JobFilter { Standings = standing is { } only ? [only] : null, Categories = ["tv"] }, fromEnd);
        var plan = await catalog.Database.ReadAsync(
            async reader => (await reader.AllAsync<(int Id, int Parent, int Unused, string Detail)>("EXPLAIN QUERY PLAN " + sql,
                new { Limit = 100, Offset = 0, Category = "tv" })).ConvertAll(row => row.Detail), CancellationToken.None);
        Assert.Contains("USING COVERING INDEX jobs_ended", Assert.Single(plan), StringComparison.Ordinal);
    }
#endif

    [Fact]
    public async Task Filters_narrow_the_list_and_counts_ignore_the_state_filter()
    {
        await using var catalog = await FilledAsync();
        var list = new JobList(catalog.Database);

        async Task<string[]> NamesAsync(JobFilter filter) =>
            [.. (await list.ListAsync(filter, new JobPaging(), CancellationToken.None)).Jobs.Select(job => job.Name)];

        Assert.Equal(["held", "later"], await NamesAsync(new JobFilter { Standings = Stopped }));
        Assert.Equal(["failed"], await NamesAsync(new JobFilter { Standings = [JobStatus.Failed] }));
        Assert.Equal(["running", "failed"], await NamesAsync(new JobFilter { Standings = [JobStatus.Failed, JobStatus.Running] }));
        Assert.Empty(await NamesAsync(new JobFilter { Standings = [] }));
        Assert.Equal(["second"], await NamesAsync(new JobFilter { Categories = ["tv"] }));
        Assert.Equal(["first", "failed"],
            await NamesAsync(new JobFilter { Search = "F", Standings = [JobStatus.Queued, JobStatus.Failed] }));
        Assert.Empty(await NamesAsync(new JobFilter { Search = "_" }));
        Assert.Equal(["second"], await NamesAsync(new JobFilter { Categories = ["tv", "movies"], Name = "second" }));
        Assert.Equal(["done"], await NamesAsync(new JobFilter { Name = "done", HasContent = true }));
        Assert.Empty(await NamesAsync(new JobFilter { Categories = [] }));
        Assert.Empty(await NamesAsync(new JobFilter { Archived = true }));
        Assert.Empty(await NamesAsync(new JobFilter { Kinds = [JobKind.Magnet] }));
        var (_, counts) = await list.ListAsync(
            new JobFilter { Search = "f", Standings = [JobStatus.Running] }, new JobPaging(), CancellationToken.None);
        Assert.Equal((1, 1, 2), (counts.Queued, counts.Failed, counts.Of(null)));
    }

    [Theory]
    [InlineData(JobListSort.Name, false, "done,failed,first,held,later,running,second")]
    [InlineData(JobListSort.Name, true, "second,running,later,held,first,failed,done")]
    [InlineData(JobListSort.Finished, false, "done,failed,running,first,second,held,later")]
    [InlineData(JobListSort.Category, false, "done,failed,first,held,later,running,second")]
    [InlineData(JobListSort.Added, true, "later,held,second,first,running,failed,done")]
    public async Task The_list_is_sorted_by_the_requested_column(JobListSort sort, bool descending, string names)
    {
        await using var catalog = await FilledAsync();
        var list = new JobList(catalog.Database);

        var all = new JobFilter();
        var paging = new JobPaging { Sort = sort, Descending = descending };
        Assert.Equal(names.Split(','), (await list.ListAsync(all, paging, CancellationToken.None)).Jobs.Select(job => job.Name));
        Assert.Equal(names.Split(',').Skip(2).Take(2),
            (await list.ListAsync(all, paging with { Offset = 2, Limit = 2 }, CancellationToken.None)).Jobs.Select(job => job.Name));
        Assert.Equal((await list.ListAsync(all, paging, CancellationToken.None)).Jobs.Select(job => job.Id),
            await list.FindAsync(all, paging, CancellationToken.None));
    }

    [Fact]
    public async Task Moved_jobs_keep_their_order_and_are_claimed_in_it()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var ids = new List<long>();
        for (var i = 0; i < 5; i++)
            ids.Add((await catalog.EnqueueAsync($"job{i}", nzb: $"<nzb>{i}</nzb>")).Id);
        var high = (await catalog.EnqueueAsync("high", priority: 1)).Id;
        var order = new QueueOrder(catalog.Database);
        var told = new List<long>();
        order.Moved += told.AddRange;

        // Jobs given in any order keep the order of the queue. Position 0 comes even before jobs of a higher priority.
        Assert.Equal([ids[2], ids[4]], await order.MoveAsync([ids[4], ids[2], 17], 0, CancellationToken.None));
        Assert.Equal([ids[2], ids[4]], told);
        Assert.Equal([ids[2], ids[4], high, ids[0], ids[1], ids[3]], await TurnAsync());

        Assert.Equal([ids[2], high], await order.MoveAsync([ids[2], high], -1, CancellationToken.None));
        Assert.Equal([ids[4], ids[0], ids[1], ids[3], ids[2], high], await TurnAsync());

        await order.MoveAsync([ids[4], ids[3]], 2, CancellationToken.None);
        Assert.Equal([ids[0], ids[1], ids[4], ids[3], ids[2], high], await TurnAsync());
        Assert.Equal(ids[0], (await catalog.ClaimAsync()).Id);
        Assert.Equal(ids[1], (await catalog.ClaimAsync()).Id);
        Assert.Equal(ids[4], (await catalog.ClaimAsync()).Id);

        async Task<IEnumerable<long>> TurnAsync() =>
            (await new JobList(catalog.Database).ListAsync(new JobFilter(), new JobPaging(), CancellationToken.None)).Jobs
                .Select(job => job.Id);
    }

    [Fact]
    public async Task A_sorted_queue_is_reported_like_moved_jobs()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var ids = new List<long>();
        for (var i = 0; i < 4; i++)
            ids.Add((await catalog.EnqueueAsync($"job{i}", nzb: $"<nzb>{i}</nzb>")).Id);
        var order = new QueueOrder(catalog.Database);
        var told = new List<long>();
        order.Moved += told.AddRange;

        await order.ArrangeAsync([ids[0], ids[2], ids[1], ids[2], 17], CancellationToken.None);
        Assert.Equal([ids[2], ids[1]], told);
        var jobs = (await new JobList(catalog.Database).ListAsync(new JobFilter(), new JobPaging(), CancellationToken.None)).Jobs;
        Assert.Equal([ids[0], ids[2], ids[1], ids[3]], jobs.Select(job => job.Id));
    }

    [Fact]
    public async Task Many_jobs_can_be_moved_between_two_that_arrived_together()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        await catalog.Database.WriteAsync(
            transaction =>
            {
                for (var i = 0; i < 40; i++)
                    transaction.Execute(
                        "INSERT INTO jobs (id, name, category, state, priority, source, nzb_size, created, kind) VALUES (@id, 'x', 'tv', " +
                        "'queued', 0, 'dav', 0, 0, @kind)", new { id = 1000L + i, kind = i % 2 == 0 ? "nzb" : "torrent" });
                return true;
            },
            CancellationToken.None);
        long[] moved = [.. Enumerable.Range(20, 20).Select(i => 1000L + i)];
        await new QueueOrder(catalog.Database).MoveAsync(moved, 1, CancellationToken.None);

        var found = await new JobList(catalog.Database).FindAsync(new JobFilter(), new JobPaging(), CancellationToken.None);
        Assert.Equal([1000L, .. moved, .. Enumerable.Range(1, 19).Select(i => 1000L + i)], found);
    }

    private static async Task<CatalogFixture> FilledAsync()
    {
        var catalog = await CatalogFixture.OpenAsync();
        await catalog.EnqueueAsync("done");
        var done = await catalog.ClaimAsync();
        await catalog.Jobs.PublishAsync(done, new JobPublication { Files = [await catalog.FileAsync("a.mkv")] }, CancellationToken.None);
        await catalog.EnqueueAsync("failed");
        catalog.Clock.Advance(TimeSpan.FromSeconds(1));
        await catalog.Jobs.FailAsync(await catalog.ClaimAsync(), "missing", "It is gone.", CancellationToken.None);
        await catalog.EnqueueAsync("running");
        await catalog.ClaimAsync();
        await catalog.EnqueueAsync("first", nzb: "<nzb>1</nzb>");
        await catalog.EnqueueAsync("second", category: "tv");
        var held = await catalog.EnqueueAsync("held");
        await catalog.Jobs.PauseAsync(held.Id, CancellationToken.None);
        var later = await catalog.EnqueueAsync("later", priority: 3);
        await catalog.Jobs.PutBackAsync(
            await catalog.ClaimAsync(), TimeSpan.FromMinutes(5), "unavailable", "No provider answers.", CancellationToken.None);
        await catalog.Jobs.SetPriorityAsync(later.Id, 0, CancellationToken.None);
        return catalog;
    }
}
