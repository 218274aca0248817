using Microsoft.Extensions.Logging;
using NzbDav.Catalog.Database;
using NzbDav.WebDav.Store;

namespace NzbDav.Library.Tests;

/// <summary><c>/content</c>: renaming, moving and deleting where it is safe.</summary>
public class ContentTests
{
    [Fact]
    public async Task The_root_lists_the_catalog_and_the_views()
    {
        await using var library = await LibraryFixture.OpenAsync();
        Assert.Equal(["content/", "nzbs/", "torrents/", ".ids/", "completed-symlinks/", "scratch/"], await library.ListAsync("/"));
        Assert.Equal(["movies/", "tv/"], await library.ListAsync("/content"));

        // The categories exist for the *arrs even when they are empty.
        Assert.Equal(["movies/", "tv/"], await library.ListAsync("/completed-symlinks"));
        foreach (var name in (string[])["/content", "/nzbs", "/.ids", "/completed-symlinks", "/scratch", "/content/tv", "/nzbs/tv"])
        {
            Assert.Equal(StoreWriteStatus.Forbidden, await library.DeleteAsync(name));
            Assert.NotNull(await library.FindAsync(name));
        }
    }

    [Fact]
    public async Task A_job_is_renamed_and_moved_with_its_id_and_tags()
    {
        await using var library = await LibraryFixture.OpenAsync();
        var job = await library.PublishAsync("movies", "Job", "a.mkv", "sub/b.srt");
        var before = (await library.FindAsync("/content/movies/Job/sub/b.srt"))!.ETag;
        Assert.Equal(StoreWriteStatus.Created, await library.MoveAsync("/content/movies/Job", "/content/movies/Better name"));
        Assert.Equal(["Better name/"], await library.ListAsync("/content/movies"));
        Assert.Null(await library.FindAsync("/content/movies/Job"));
        Assert.Equal(StoreWriteStatus.Created, await library.MoveAsync("/content/movies/Better name", "/content/tv/Show"));
        Assert.Equal(before, (await library.FindAsync("/content/tv/Show/sub/b.srt"))!.ETag);
        Assert.Equal(job.Id, (await library.Tree.ResolveAsync(["content", "tv", "Show"], CancellationToken.None))!.Id);
        Assert.Equal("tv", (await library.Jobs.GetAsync(job.JobId!.Value, CancellationToken.None))!.Category);
    }

    [Fact]
    public async Task Files_move_and_replace_each_other_within_jobs()
    {
        await using var library = await LibraryFixture.OpenAsync();
        await library.PublishAsync("movies", "One", "a.mkv", "b.mkv", "sub/c.mkv");
        await library.PublishAsync("movies", "Two", "d.mkv");
        var a = (await library.FindAsync("/content/movies/One/a.mkv"))!.ETag;
        Assert.Equal(StoreWriteStatus.Created, await library.MoveAsync("/content/movies/One/a.mkv", "/content/movies/Two/e.mkv"));
        Assert.Equal(StoreWriteStatus.Replaced, await library.MoveAsync("/content/movies/Two/e.mkv", "/content/movies/One/b.mkv"));
        Assert.Equal(a, (await library.FindAsync("/content/movies/One/b.mkv"))!.ETag);
        Assert.Equal(["b.mkv", "sub/"], await library.ListAsync("/content/movies/One"));
    }

    [Theory]
    [InlineData("/content/movies", "/content/films")]
    [InlineData("/content/movies/One", "/content/One")]
    [InlineData("/content/movies/One", "/content/movies/Two/One")]
    [InlineData("/content/movies/One/a.mkv", "/content/movies/a.mkv")]
    [InlineData("/content/movies/One", "/nzbs/movies/One")]
    [InlineData("/content/movies/One/a.mkv", "/scratch/a.mkv")]
    [InlineData("/content/movies/One", "/completed-symlinks/movies/Uno")]
    [InlineData("/completed-symlinks/movies/One", "/content/movies/Uno")]
    public async Task Moves_out_of_place_are_refused(string from, string to)
    {
        await using var library = await LibraryFixture.OpenAsync();
        await library.PublishAsync("movies", "One", "a.mkv");
        await library.PublishAsync("movies", "Two", "b.mkv");
        Assert.Equal(StoreWriteStatus.Forbidden, await library.RefusalOfMoveAsync(from, to));
        Assert.Equal(StoreWriteStatus.Forbidden, await library.MoveAsync(from, to));
        Assert.NotNull(await library.FindAsync(from));
        Assert.Null(await library.FindAsync(to));
    }

    [Fact]
    public async Task Unsafe_names_are_refused()
    {
        await using var library = await LibraryFixture.OpenAsync();
        await library.PublishAsync("movies", "One", "a.mkv");
        Assert.Equal(StoreWriteStatus.Invalid, await library.MoveAsync("/content/movies/One", "/content/movies/c:"));
        Assert.Equal(StoreWriteStatus.Forbidden, await library.CopyAsync("/content/movies/One", "/content/movies/Two"));
        Assert.Equal(StoreWriteStatus.Forbidden, await library.MakeAsync("/content/movies/Two"));
        Assert.Equal(StoreWriteStatus.Forbidden, (await library.PutAsync("/content/movies/One/b.mkv", "x")).Status);
        Assert.Equal(["One/"], await library.ListAsync("/content/movies"));
    }

    [Fact]
    public async Task Unlinked_content_can_be_deleted()
    {
        await using var library = await LibraryFixture.OpenAsync();
        var job = await library.PublishAsync("movies", "One", "a.mkv", "b.mkv");
        Assert.Equal(StoreWriteStatus.Deleted, await library.DeleteAsync("/content/movies/One/a.mkv"));
        Assert.Equal(["b.mkv"], await library.ListAsync("/content/movies/One"));
        Assert.Equal(StoreWriteStatus.NotFound, await library.DeleteAsync("/content/movies/One/a.mkv"));
        Assert.Equal(StoreWriteStatus.Deleted, await library.DeleteAsync("/content/movies/One"));
        Assert.Empty(await library.ListAsync("/content/movies"));
        Assert.Null((await library.Jobs.GetAsync(job.JobId!.Value, CancellationToken.None))!.ItemId);
    }

    [Fact]
    public async Task WRT_06_content_that_a_library_may_link_to_cannot_be_deleted()
    {
        await using var library = await LibraryFixture.OpenAsync();
        await library.PublishAsync("movies", "One", "a.mkv", "b.mkv");
        Assert.StartsWith(LibraryFixture.MountPath + "/.ids/", await library.TextAsync("/completed-symlinks/movies/One/a.mkv.rclonelink"),
            StringComparison.Ordinal);
        Assert.Equal(StoreWriteStatus.Forbidden, await library.DeleteAsync("/content/movies/One/a.mkv"));
        Assert.Equal(StoreWriteStatus.Forbidden, await library.DeleteAsync("/content/movies/One"));

        // Nor can another file take its name. A file whose link was never given out can be deleted.
        Assert.Equal(StoreWriteStatus.Forbidden, await library.MoveAsync("/content/movies/One/b.mkv", "/content/movies/One/a.mkv"));
        Assert.Equal(["a.mkv", "b.mkv"], await library.ListAsync("/content/movies/One"));
        Assert.Equal(StoreWriteStatus.Deleted, await library.DeleteAsync("/content/movies/One/b.mkv"));
        Assert.Equal(StoreWriteStatus.Created, await library.MoveAsync("/content/movies/One", "/content/movies/Uno"));

        // This still holds after a restart.
        var again = library.NewStore();
        var folder = (IStoreCollection)(await again.GetItemAsync(LibraryFixture.PathOf("/content/movies/Uno"), CancellationToken.None))!;
        Assert.Equal(StoreWriteStatus.Forbidden, (await folder.DeleteAsync("a.mkv", CancellationToken.None)).Status);
    }

    [Fact]
    public async Task A_damaged_row_is_one_missing_item_and_not_a_failed_listing()
    {
        await using var library = await LibraryFixture.OpenAsync();
        await library.PublishAsync("movies", "One", "a.mkv", "b.mkv", "c.mkv");
        await library.Database.WriteAsync(
            transaction => transaction.Execute("UPDATE items SET extent_map = 'nonsense' WHERE name = 'b.mkv'"), WriteKind.Exclusive,
            CancellationToken.None);
        Assert.Equal(["a.mkv", "c.mkv"], await library.ListAsync("/content/movies/One", library.NewStore()));
        var (level, text) = Assert.Single(library.Log.Entries);
        Assert.Equal(LogLevel.Error, level);
        Assert.Contains("b.mkv (item ", text, StringComparison.Ordinal);

        Assert.Equal(
            ["a.mkv.rclonelink", "c.mkv.rclonelink"], await library.ListAsync("/completed-symlinks/movies/One", library.NewStore()));

        // Asked for by name it is as missing as in the listing, and the reason is said.
        var asked = library.NewStore().GetItemAsync(LibraryFixture.PathOf("/content/movies/One/b.mkv"), CancellationToken.None);
        var error = await Assert.ThrowsAsync<CatalogException>(async () => await asked);
        Assert.Equal(CatalogFault.RowDamaged, error.Fault);
        var deleted = await library.TryDeleteAsync("/content/movies/One/b.mkv");
        Assert.Equal(StoreWriteStatus.NotFound, deleted.Status);
        Assert.Contains("Restore a backup", deleted.Reason, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_job_that_a_job_takes_the_name_of_is_gone_only_when_that_is_there()
    {
        await using var library = await LibraryFixture.OpenAsync();
        await library.PublishAsync("movies", "One", "a.mkv");
        await library.PublishAsync("movies", "Two", "b.mkv");
        Assert.Equal(StoreWriteStatus.Replaced, await library.MoveAsync("/content/movies/One", "/content/movies/Two"));
        Assert.Equal(["Two/"], await library.ListAsync("/content/movies"));
        Assert.Equal(["a.mkv"], await library.ListAsync("/content/movies/Two"));
    }
}
