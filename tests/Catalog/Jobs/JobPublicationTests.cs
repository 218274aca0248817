using System.Text;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Tree;

namespace NzbDav.Catalog.Tests.Jobs;

/// <summary>Publishing jobs: their files appear in the tree completely or not at all.</summary>
public class JobPublicationTests
{
    [Fact]
    public async Task A_torrent_is_needed_while_a_file_or_an_unfinished_job_names_it()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var (first, second) = (new string('a', 40), new string('b', 40));
        var removed = 0;
        catalog.Tree.Removed += () => removed++;
        foreach (var hash in (string[])[first, second])
        {
            using var file = new MemoryStream([1]);
            await catalog.Jobs.EnqueueAsync(new NewJob
            {
                Name = hash,
                Kind = JobKind.Torrent,
                ContentHash = hash,
                Category = "tv",
                Source = JobSource.Dav
            }, file, CancellationToken.None);
        }

        Assert.Equal([first, second], (await catalog.Tree.ListTorrentsAsync(CancellationToken.None)).Order(StringComparer.Ordinal));
        var claimed = await catalog.ClaimAsync();
        var published = new PublishedFile
        { Path = ["film.mkv"], Size = 5, ExtentMap = claimed.Nzb!.Value, Torrent = new TorrentPart(first, 3) };
        var item = await catalog.Jobs.PublishAsync(claimed, new JobPublication { Files = [published] }, CancellationToken.None);
        var stored = await catalog.Tree.FindChildAsync(item!.Id, "film.mkv", CancellationToken.None);
        Assert.Equal(new TorrentPart(first, 3), stored!.Torrent);
        await catalog.Jobs.FailAsync(await catalog.ClaimAsync(), "no", "No.", CancellationToken.None);
        Assert.Equal([first], await catalog.Tree.ListTorrentsAsync(CancellationToken.None));

        // Once the job is deleted, the .torrent belongs to the file alone.
        Assert.True(await catalog.Jobs.DeleteAsync(claimed.Id, withContent: false, CancellationToken.None));
        Assert.True(await catalog.Blobs.ExistsAsync(stored.ExtentMap!.Value, CancellationToken.None));
        Assert.Equal(0, removed);
        Assert.True(await catalog.Tree.DeleteAsync(item.Id, CancellationToken.None));
        Assert.Equal(1, removed);
        Assert.Empty(await catalog.Tree.ListTorrentsAsync(CancellationToken.None));
    }

    [Fact]
    public async Task Publication_creates_the_tree_and_completes_the_job()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        await catalog.EnqueueAsync("Show.S01", "tv");
        var posted = new DateTimeOffset(2019, 5, 6, 7, 8, 9, TimeSpan.Zero);
        var file = await catalog.FileAsync("Season 1/e01.mkv") with { ContentType = "video/x-matroska", Modified = posted };
        var item = await catalog.Jobs.PublishAsync(
            await catalog.ClaimAsync(), new JobPublication { Name = "Show", Files = [file, await catalog.FileAsync("Season 1/e02.mkv")] },
            CancellationToken.None);
        var first = await catalog.ResolveAsync("content/tv/Show/Season 1/e01.mkv");
        Assert.Equal((file.Size, file.ExtentMap.Hash, "video/x-matroska", posted),
            (first!.Size, first.ExtentMap!.Value, first.ContentType, first.Modified));
        Assert.Equal(item, await catalog.ResolveAsync("content/tv/Show"));
        var job = (await catalog.Jobs.GetAsync(item!.JobId!.Value, CancellationToken.None))!;
        Assert.Equal((JobState.Completed, item.Id, file.Size * 2, 2), (job.State, job.ItemId!.Value, job.TotalBytes, job.FileCount));
        Assert.Equal(4, (await catalog.Tree.ListByJobAsync(job.Id, CancellationToken.None)).Count);
        Assert.Null((await catalog.ResolveAsync("content/tv"))!.JobId);
    }

    [Fact]
    public async Task A_duplicate_name_gets_a_number()
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
    public async Task A_publication_with_an_invalid_tree_is_refused(string first, string second)
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        await catalog.EnqueueAsync();
        var job = await catalog.ClaimAsync();
        var files = new[] { await catalog.FileAsync(first), await catalog.FileAsync(second) };
        await Assert.ThrowsAsync<ArgumentException>(
            () => catalog.Jobs.PublishAsync(job, new JobPublication { Files = files }, CancellationToken.None));
    }

    [Fact]
    public async Task A_missing_map_stops_the_publication()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        await catalog.EnqueueAsync();
        var job = await catalog.ClaimAsync();
        var file = await catalog.FileAsync("file") with { ExtentMap = BlobHash.Parse(new string('1', 64)) };
        var error = await Assert.ThrowsAsync<CatalogException>(
            () => catalog.Jobs.PublishAsync(job, new JobPublication { Files = [file] }, CancellationToken.None));
        Assert.Equal(CatalogFault.BlobMissing, error.Fault);
        Assert.Null(await catalog.ResolveAsync("content"));
        Assert.True(await catalog.Jobs.RenewAsync(job, CatalogFixture.Lease, CancellationToken.None));
    }
}
