using System.Text;
using NzbDav.Catalog.Jobs;

namespace NzbDav.Catalog.Tests.Jobs;

/// <summary>Adding, listing, changing and deleting jobs.</summary>
public class JobStoreTests
{
    [Fact]
    public async Task A_job_and_its_nzb_round_trip()
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
    public async Task Jobs_keep_their_kind_and_can_be_filtered_by_it()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        foreach (var kind in Enum.GetValues<JobKind>())
        {
            using var file = new MemoryStream([1, 2, 3]);
            await catalog.Jobs.EnqueueAsync(
                new NewJob { Name = $"{kind}", Kind = kind, Category = "tv", Source = JobSource.Dav }, file, CancellationToken.None);
        }

        foreach (var kinds in (JobKind[]?[])[[JobKind.Nzb], [JobKind.Torrent, JobKind.Magnet], null])
        {
            var found = new List<JobKind>();
            await foreach (var job in catalog.Jobs.List.EachAsync(new JobFilter { Kinds = kinds }, CancellationToken.None))
                found.Add(job.Kind);
            Assert.Equal(kinds ?? Enum.GetValues<JobKind>(), found);
        }
    }

    [Fact]
    public async Task An_unusable_job_goes_straight_into_the_history()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        using var file = new MemoryStream([1]);
        var brought = new NewJob
        {
            Name = "bad",
            Kind = JobKind.Torrent,
            Category = "tv",
            Source = JobSource.Dav,
            FailureCode = "no-good",
            FailureMessage = "It is no good."
        };
        var job = await catalog.Jobs.EnqueueAsync(brought, file, CancellationToken.None);
        Assert.Equal(
            (JobState.Failed, "no-good", "It is no good.", job.Created), (job.State, job.FailureCode, job.FailureMessage, job.Finished));
        Assert.Equal(job, await catalog.Jobs.GetAsync(job.Id, CancellationToken.None));
        Assert.Null(await catalog.Jobs.ClaimAsync("a", CatalogFixture.Lease, CancellationToken.None));
    }

    [Fact]
    public async Task Jobs_are_listed_by_category_and_state_page_by_page()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        for (var i = 0; i < 300; i++)
            await catalog.EnqueueAsync($"movie {i}", priority: i % 3);
        await catalog.EnqueueAsync("series", category: "tv");
        await catalog.Jobs.FailAsync(await catalog.ClaimAsync(), "x", "x", CancellationToken.None);
        Assert.Equal(300, (await ListAsync(catalog, JobFilter.Unfinished("movies"))).Count);
        var newest = await ListAsync(catalog, new JobFilter(), newestFirst: true);
        Assert.Equal("series", newest[0]);
        Assert.Equal(301, newest.Distinct().Count());
        Assert.Equal(["movie 2"], await ListAsync(catalog, new JobFilter { Standings = [JobStatus.Failed] }));
        Assert.Equal(["movie 7"], await ListAsync(catalog, new JobFilter { Categories = ["movies"], Name = "movie 7" }));
        var movies = await catalog.Jobs.List.CountAsync(new JobFilter { Categories = ["movies"] }, CancellationToken.None);
        Assert.Equal((299, 1), (movies.Of(JobState.Queued), movies.Of(JobState.Failed)));
        Assert.Equal(301, (await catalog.Jobs.List.CountAsync(new JobFilter(), CancellationToken.None)).Total);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Deleting_a_job_deletes_its_content_or_keeps_it(bool withContent)
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var item = await catalog.PublishAsync("Job", "file");
        Assert.NotNull(await catalog.ResolveAsync("content/movies/Job/file"));
        Assert.Single(await catalog.StoredBlobsAsync());
        Assert.True(await catalog.Jobs.DeleteAsync(item.JobId!.Value, withContent, CancellationToken.None));
        Assert.False(await catalog.Jobs.DeleteAsync(item.JobId.Value, withContent, CancellationToken.None));
        var file = await catalog.ResolveAsync("content/movies/Job/file");
        Assert.Equal(withContent, file is null);
        Assert.Null(file?.JobId);
        Assert.Empty(await catalog.StoredBlobsAsync());
        Assert.Equal(withContent ? 0 : 1, (await catalog.MapRowsAsync()).Count);
    }

    [Fact]
    public async Task The_category_can_be_changed_until_publication()
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
    public async Task Changes_raise_an_event()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var told = new List<JobState?>();
        catalog.Jobs.Changed += change => told.Add(change.State);
        var item = await catalog.PublishAsync("Job", "file");
        await catalog.Jobs.DeleteAsync(item.JobId!.Value, withContent: false, CancellationToken.None);
        Assert.Equal([JobState.Queued, JobState.Running, JobState.Completed, null], told);
    }

    private static async Task<List<string>> ListAsync(CatalogFixture catalog, JobFilter filter, bool newestFirst = false)
    {
        var names = new List<string>();
        await foreach (var job in catalog.Jobs.List.EachAsync(filter, newestFirst, CancellationToken.None))
            names.Add(job.Name);
        return names;
    }
}
