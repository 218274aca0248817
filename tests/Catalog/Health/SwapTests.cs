using NzbDav.Catalog.Health;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Links;
using NzbDav.Catalog.Tree;

namespace NzbDav.Catalog.Tests.Health;

/// <summary>The reconstructed articles of a post from which files of other posts read.</summary>
public class SwapTests
{
    [Fact]
    public async Task A_file_that_needs_the_same_articles_already_can_be_swapped()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var (own, source) = (await PublishAsync(catalog, "One", "a.mkv"), await PublishAsync(catalog, "Two", "b.mkv"));
        await catalog.Tree.NotePatchesAsync(source.JobId!.Value, "two", CancellationToken.None);
        await catalog.Tree.NotePatchesAsync(own.JobId!.Value, "one", CancellationToken.None);
        await catalog.Tree.NotePatchesAsync(own.JobId!.Value, "two", CancellationToken.None);
        Assert.True(await SwapAsync(catalog, own, source));
        await catalog.Jobs.DeleteAsync(source.JobId.Value, withContent: true, CancellationToken.None);
        Assert.Equal(["one", "two"], (await catalog.Tree.ListPatchedPostsAsync(CancellationToken.None)).Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task Articles_that_were_reconstructed_before_a_swap_outlive_the_post_that_was_repaired()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var (own, source) = (await PublishAsync(catalog, "One", "a.mkv"), await PublishAsync(catalog, "Two", "b.mkv"));
        await catalog.Tree.NotePatchesAsync(source.JobId!.Value, "two", CancellationToken.None);
        Assert.True(await SwapAsync(catalog, own, source));
        await catalog.Jobs.DeleteAsync(source.JobId.Value, withContent: true, CancellationToken.None);
        Assert.Equal(["two"], await catalog.Tree.ListPatchedPostsAsync(CancellationToken.None));
        await catalog.Tree.DeleteAsync(own.Id, CancellationToken.None);
        Assert.Empty(await catalog.Tree.ListPatchedPostsAsync(CancellationToken.None));
    }

    [Fact]
    public async Task Articles_that_are_reconstructed_after_a_swap_outlive_the_post_that_was_repaired()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var (own, source) = (await PublishAsync(catalog, "One", "a.mkv"), await PublishAsync(catalog, "Two", "b.mkv"));
        Assert.True(await SwapAsync(catalog, own, source));
        await catalog.Tree.NotePatchesAsync(source.JobId!.Value, "two", CancellationToken.None);
        await catalog.Jobs.DeleteAsync(source.JobId.Value, withContent: true, CancellationToken.None);
        Assert.Equal(["two"], await catalog.Tree.ListPatchedPostsAsync(CancellationToken.None));
    }

    private static async Task<CatalogItem> PublishAsync(CatalogFixture catalog, string job, string file)
    {
        await catalog.EnqueueAsync(job);
        var item = (await catalog.Jobs.PublishAsync(
            await catalog.ClaimAsync(), new JobPublication { Files = [await catalog.FileAsync(file)] }, CancellationToken.None))!;
        return (await catalog.Tree.FindChildAsync(item.Id, file, CancellationToken.None))!;
    }

    private static Task<bool> SwapAsync(CatalogFixture catalog, CatalogItem file, CatalogItem source)
    {
        var unwanted = new UnwantedItems(catalog.Database);
        var deleter = new UnwantedDeleter(catalog.Database, catalog.Jobs, catalog.Collector, unwanted);
        return new HealthStore(catalog.Database, unwanted, deleter, catalog.Collector)
            .SwapAsync(file.Id, source.Id, DateTimeOffset.UnixEpoch, CancellationToken.None);
    }
}
