using System.Text;
using Dapper;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Tree;

namespace NzbDav.Catalog.Tests.Tree;

public class TreeStoreTests
{
    [Fact]
    public async Task A_new_catalog_has_a_root()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var root = await catalog.Tree.ResolveAsync([], CancellationToken.None);
        Assert.Equal(CatalogItem.RootId, root!.Id);
        Assert.True(root.IsCollection);
        Assert.Null(root.ParentId);
        Assert.Empty((await catalog.Tree.GetPathAsync(CatalogItem.RootId, CancellationToken.None))!);
    }

    [Fact]
    public async Task A_collection_is_created_once()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var first = await catalog.Tree.EnsureCollectionAsync(["content", "movies"], CancellationToken.None);
        catalog.Clock.Advance(TimeSpan.FromDays(1));
        Assert.Equal(first, await catalog.Tree.EnsureCollectionAsync(["content", "movies"], CancellationToken.None));
        var again = await catalog.Tree.CreateCollectionAsync(first.ParentId!.Value, "movies", CancellationToken.None);
        Assert.Equal(new EnsuredCollection(first, Created: false), again);
        var series = await catalog.Tree.CreateCollectionAsync(first.ParentId.Value, "tv", CancellationToken.None);
        Assert.True(series!.Value.Created);
        Assert.Equal(["content", "tv"], await catalog.Tree.GetPathAsync(series.Value.Item.Id, CancellationToken.None));

        // The parent's modification time shows when its children changed.
        Assert.Equal(catalog.Clock.GetUtcNow(), (await catalog.ResolveAsync("content"))!.Modified);
        Assert.Equal(first.Created, (await catalog.ResolveAsync("content"))!.Created);
    }

    [Fact]
    public async Task A_recent_file_belongs_to_a_post_and_is_within_the_requested_size()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        Assert.Null(await catalog.Tree.FindRecentFileAsync(long.MaxValue, CancellationToken.None));
        await catalog.PublishAsync("Job", "a", "b");
        var newest = await catalog.ResolveAsync("content/movies/Job/b");
        await catalog.EnqueueAsync("Torrent", nzb: "<nzb/>");
        await catalog.Jobs.PublishAsync(
            await catalog.ClaimAsync(),
            new JobPublication
            {
                Files = [new PublishedFile
                { Path = ["t"], Size = 1, ExtentMap = newest!.ExtentMap!.Value, Torrent = new TorrentPart(new string('a', 40), 0) }]
            },
            CancellationToken.None);
        await catalog.Tree.EnsureCollectionAsync(["content", "tv"], CancellationToken.None);
        Assert.Equal(newest, await catalog.Tree.FindRecentFileAsync(newest.Size, CancellationToken.None));
        Assert.Null(await catalog.Tree.FindRecentFileAsync(newest.Size - 1, CancellationToken.None));
    }

    [Fact]
    public async Task A_collection_below_a_file_or_a_missing_parent_is_refused()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        await catalog.PublishAsync("Job", "file");
        var file = await catalog.ResolveAsync("content/movies/Job/file");
        Assert.Null(await catalog.Tree.CreateCollectionAsync(file!.Id, "x", CancellationToken.None));
        Assert.Null(await catalog.Tree.CreateCollectionAsync(123, "x", CancellationToken.None));
        var taken = await catalog.Tree.CreateCollectionAsync(file.ParentId!.Value, "file", CancellationToken.None);
        Assert.Equal(new EnsuredCollection(file, Created: false), taken);
        await Assert.ThrowsAsync<InvalidOperationException>(
            () => catalog.Tree.EnsureCollectionAsync(["content", "movies", "Job", "file", "x"], CancellationToken.None));
    }

    [Theory]
    [InlineData("")]
    [InlineData(".")]
    [InlineData("..")]
    [InlineData("a/b")]
    [InlineData("a\0b")]
    public async Task Names_that_cannot_be_looked_up_are_refused(string name)
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        await Assert.ThrowsAsync<ArgumentException>(
            () => catalog.Tree.CreateCollectionAsync(CatalogItem.RootId, name, CancellationToken.None));
        await Assert.ThrowsAsync<ArgumentException>(() => catalog.Tree.EnsureCollectionAsync(["a", name], CancellationToken.None));
        Assert.Null(await catalog.Tree.ResolveAsync([name], CancellationToken.None));
    }

    [Fact]
    public async Task Names_that_are_not_valid_unicode_are_refused()
    {
        // Not theory data: attributes are UTF-8 and cannot hold these names.
        await using var catalog = await CatalogFixture.OpenAsync();
        foreach (var name in new[] { "a\ud800", "\udc00\ud800", "\ud83c", "\ud83c\udfac\udfac", "\ud83c\ud83c\udfac" })
        {
            await Assert.ThrowsAsync<ArgumentException>(
                () => catalog.Tree.CreateCollectionAsync(CatalogItem.RootId, name, CancellationToken.None));
            Assert.Null(await catalog.Tree.ResolveAsync([name], CancellationToken.None));
        }
    }

    [Fact]
    public async Task Names_differ_when_any_byte_does()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        string[] names =
        [
            "caf\u00e9", "cafe\u0301", "CAF\u00c9", "a", "A", "ä", "%", "_", "a%", "a_", "'; DROP TABLE items; --", "\\", "*", "?", " ",
            "  ", "...",
            "🎬 film 👨‍👩‍👧", "日本語", new string('x', 255), string.Concat(Enumerable.Repeat("é", 127)), "\n", "\u0001",
        ];
        var ids = new HashSet<long>();
        foreach (var name in names)
            ids.Add((await catalog.Tree.EnsureCollectionAsync([name], CancellationToken.None)).Id);
        Assert.Equal(names.Length, ids.Count);
        foreach (var name in names)
            Assert.Equal(name, (await catalog.Tree.ResolveAsync([name], CancellationToken.None))!.Name);
        var byBytes = names.OrderBy(name => Convert.ToHexString(Encoding.UTF8.GetBytes(name)), StringComparer.Ordinal);
        Assert.Equal(byBytes, await catalog.NamesAsync(CatalogItem.RootId));
    }

    [Fact]
    public async Task A_slash_inside_a_segment_is_not_a_path()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        await catalog.Tree.EnsureCollectionAsync(["a", "b"], CancellationToken.None);
        Assert.NotNull(await catalog.ResolveAsync("a/b"));
        Assert.Null(await catalog.Tree.ResolveAsync(["a/b"], CancellationToken.None));
    }

    [Fact]
    public async Task Children_are_listed_by_name_across_pages_and_from_any_name()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var names = Enumerable.Range(0, 1300).Select(i => $"file {i:D5}").ToArray();
        var job = await catalog.PublishAsync("Job", names);
        Assert.Equal(names, await catalog.NamesAsync(job.Id));
        var rest = new List<string>();
        await foreach (var item in catalog.Tree.ListAsync(job.Id, "file 01297", CancellationToken.None))
            rest.Add(item.Name);
        Assert.Equal(["file 01298", "file 01299"], rest);
        Assert.Empty(await catalog.NamesAsync(42));
    }

    [Theory]
    [InlineData(3, false)]
    [InlineData(CatalogFixture.SegmentsOfBlob, true)]
    public async Task Deleting_a_subtree_deletes_its_maps_and_nothing_else(int segments, bool areBlobs)
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        catalog.Segments = segments;
        var job = await catalog.PublishAsync("Job", "a/b/c/file", "a/file", "same");
        var other = await catalog.PublishAsync("Other", "same");
        Assert.Equal(areBlobs ? (3 + 2, 0) : (2, 3), ((await catalog.StoredBlobsAsync()).Count, (await catalog.MapRowsAsync()).Count));
        Assert.True(await catalog.Tree.DeleteAsync(job.Id, CancellationToken.None));
        Assert.False(await catalog.Tree.DeleteAsync(job.Id, CancellationToken.None));
        Assert.Null(await catalog.ResolveAsync("content/movies/Job/a/b/c/file"));
        Assert.Equal(["Other"], await catalog.NamesAsync(job.ParentId!.Value));

        // The shared map and the two .nzb files are still referenced.
        Assert.Equal(areBlobs ? (1 + 2, 0) : (2, 1), ((await catalog.StoredBlobsAsync()).Count, (await catalog.MapRowsAsync()).Count));
        var kept = await catalog.ResolveAsync("content/movies/Other/same");
        Assert.NotNull(await catalog.Maps.ReadAsync(kept!.ExtentMap!.Value, CancellationToken.None));
        Assert.Null((await catalog.Jobs.GetAsync(job.JobId!.Value, CancellationToken.None))!.ItemId);
        Assert.NotNull(other);
        Assert.Empty(await catalog.Database.CheckIntegrityAsync(CancellationToken.None));
        await Assert.ThrowsAsync<ArgumentException>(() => catalog.Tree.DeleteAsync(CatalogItem.RootId, CancellationToken.None));
    }

    [Fact]
    public async Task A_cached_lookup_does_not_query_until_the_interval_is_over()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        await catalog.PublishAsync("Job", "a/file");
        Assert.NotNull(await catalog.ResolveAsync("content/movies/Job/a/file"));
        using (var raw = catalog.RawConnection())
            raw.Execute("UPDATE items SET name = 'renamed' WHERE name = 'file'; UPDATE versions SET value = value + 1 WHERE name = 'tree'");
        Assert.NotNull(await catalog.ResolveAsync("content/movies/Job/a/file"));
        catalog.Clock.Advance(TimeSpan.FromSeconds(2));
#if POSTGRES
        // The question is asked beside the lookups.
        await Fakes.Until.TrueAsync(async () => await catalog.ResolveAsync("content/movies/Job/a/file") is null);
#else
        Assert.Null(await catalog.ResolveAsync("content/movies/Job/a/file"));
#endif
        Assert.NotNull(await catalog.ResolveAsync("content/movies/Job/a/renamed"));
    }

#if POSTGRES
    [Fact]
    public async Task A_cached_lookup_does_not_wait_for_the_server()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        await catalog.PublishAsync("Job", "a/file");
        Assert.NotNull(await catalog.ResolveAsync("content/movies/Job/a/file"));
        using var raw = catalog.RawConnection();
        using var transaction = raw.BeginTransaction();
        raw.Execute("LOCK TABLE items, versions IN ACCESS EXCLUSIVE MODE", transaction: transaction);
        catalog.Clock.Advance(TimeSpan.FromSeconds(2));
        Assert.NotNull(await catalog.ResolveAsync("content/movies/Job/a/file"));
    }
#endif

    [Fact]
    public async Task Own_changes_are_visible_at_once_and_other_processes_changes_within_the_interval()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        await using var other = await catalog.OpenOtherAsync();
        var job = await catalog.PublishAsync("Job", "file");
        Assert.NotNull(await catalog.ResolveAsync("content/movies/Job/file"));
        Assert.NotNull(await other.ResolveAsync("content/movies/Job/file"));
        await catalog.Tree.DeleteAsync(job.Id, CancellationToken.None);
        Assert.Null(await catalog.ResolveAsync("content/movies/Job/file"));
        catalog.Clock.Advance(TimeSpan.FromSeconds(2));

        // With SQLite the first look finds it. PostgreSQL tells of it, a moment later.
        await Fakes.Until.TrueAsync(async () => await other.ResolveAsync("content/movies/Job/file") is null);

        // New items are visible at once: absence is not cached.
        await other.PublishAsync("New", "file");
        Assert.NotNull(await catalog.ResolveAsync("content/movies/New/file"));
    }

    [Fact]
    public async Task Changes_to_jobs_alone_do_not_invalidate_the_cache()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        await using var other = await catalog.OpenOtherAsync();
        await catalog.PublishAsync("Job", "file");
        Assert.NotNull(await catalog.ResolveAsync("content/movies/Job/file"));
        catalog.Clock.Advance(TimeSpan.FromSeconds(2));
        Assert.NotNull(await catalog.ResolveAsync("content/movies/Job/file"));
        await other.EnqueueAsync("next");
        using (var raw = catalog.RawConnection())
            raw.Execute("UPDATE items SET name = 'renamed' WHERE name = 'file'");
        catalog.Clock.Advance(TimeSpan.FromSeconds(2));
        Assert.NotNull(await catalog.ResolveAsync("content/movies/Job/file"));
    }

    [Fact]
    public void A_result_read_before_a_change_is_not_cached_after_it()
    {
        var cache = new PathCache(10);
        var item = new ItemRow { Id = 2, ParentId = 1, Name = "a" }.ToItem();
        var generation = cache.Generation;
        cache.Clear();
        cache.Add("a", item, generation);
        Assert.Null(cache.Find("a"));
        cache.Add("a", item, cache.Generation);
        Assert.Same(item, cache.Find("a"));
    }

    [Fact]
    public void The_cache_stays_within_its_limit_and_keeps_recently_used_entries()
    {
        var cache = new PathCache(100);
        var item = new ItemRow { Id = 2, ParentId = 1, Name = "a" }.ToItem();
        for (var i = 0; i < 10_000; i++)
        {
            cache.Add($"path {i}", item, cache.Generation);
            Assert.NotNull(cache.Find("path 0"));
        }

        Assert.InRange(Enumerable.Range(0, 10_000).Count(i => cache.Find($"path {i}") is not null), 0, 100);
    }

    [Fact]
    public async Task A_better_map_of_the_same_size_keeps_the_tag_and_another_size_changes_it()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        await catalog.PublishAsync("Job", "file");
        var before = (await catalog.ResolveAsync("content/movies/Job/file"))!;
        var better = await catalog.Maps.PutAsync(Samples.Regular(3, "better"), sizesVerified: true, CancellationToken.None);
        catalog.Clock.Advance(TimeSpan.FromDays(1));
        Assert.True(await catalog.Tree.UpdateExtentMapAsync(before.Id, better, before.Size, CancellationToken.None));
        var same = (await catalog.ResolveAsync("content/movies/Job/file"))!;
        Assert.Equal(better.Hash, same.ExtentMap);
        Assert.Equal(before.ETag, same.ETag);
        Assert.Equal(before.Modified, same.Modified);
        Assert.Matches("^\"[!-~]+\"$", same.ETag);
        Assert.Equal([better.Hash.ToString()], await catalog.MapRowsAsync());

        await catalog.Maps.PutAsync(Samples.Regular(4, "longer"), sizesVerified: true, CancellationToken.None);
        var longer = await catalog.Maps.PutAsync(Samples.Regular(4, "longer"), sizesVerified: true, CancellationToken.None);
        Assert.True(await catalog.Tree.UpdateExtentMapAsync(before.Id, longer, before.Size + 1, CancellationToken.None));
        var changed = (await catalog.ResolveAsync("content/movies/Job/file"))!;
        Assert.NotEqual(before.ETag, changed.ETag);
        Assert.Equal(catalog.Clock.GetUtcNow(), changed.Modified);

        await using var restarted = await catalog.OpenOtherAsync();
        Assert.Equal(changed, await restarted.ResolveAsync("content/movies/Job/file"));
        Assert.Equal(changed.ETag, (await restarted.Tree.GetAsync(changed.Id, CancellationToken.None))!.ETag);
        Assert.False(await catalog.Tree.UpdateExtentMapAsync(changed.ParentId!.Value, longer, 1, CancellationToken.None));
        var nowhere = BlobHash.Parse(new string('0', 64));
        await Assert.ThrowsAsync<CatalogException>(() => catalog.Tree.UpdateExtentMapAsync(changed.Id, nowhere, 1, CancellationToken.None));
    }
}
