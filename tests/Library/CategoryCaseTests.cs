using NzbDav.WebDav.Store;

namespace NzbDav.Library.Tests;

/// <summary>Programs that ask for <c>Movies</c> where the folder is called <c>movies</c>.</summary>
public class CategoryCaseTests
{
    [Fact]
    public async Task A_category_is_found_in_any_case()
    {
        await using var library = await LibraryFixture.OpenAsync();
        await library.PublishAsync("movies", "One", "a.mkv", "extras/b.mkv");
        foreach (var top in (string[])["content", "completed-symlinks", "nzbs", "torrents"])
            Assert.NotNull(await library.FindAsync($"/{top}/Movies"));
        Assert.Equal(["a.mkv", "extras/"], (await library.ListAsync("/content/MOVIES/One")).Order(StringComparer.Ordinal));
        Assert.NotNull(await library.FindAsync("/content/Movies/One/extras/b.mkv"));
        Assert.NotNull(await library.FindAsync("/completed-symlinks/Movies/One/a.mkv.rclonelink"));

        // Jobs and files are found as they are spelled, and nothing else is.
        Assert.Null(await library.FindAsync("/content/movies/one"));
        Assert.Null(await library.FindAsync("/content/Movies/One/A.mkv"));
        Assert.Null(await library.FindAsync("/Content/movies"));
        Assert.Null(await library.FindAsync("/content/Film"));
        Assert.Equal(StoreWriteStatus.Deleted, await library.DeleteAsync("/content/Movies/One/extras/b.mkv"));
    }

    [Fact]
    public async Task What_is_dropped_in_another_case_makes_no_second_category()
    {
        await using var library = await LibraryFixture.OpenAsync();
        Assert.Equal(StoreWriteStatus.Created, (await library.PutAsync("/nzbs/Movies/Show.nzb", "<nzb/>")).Status);
        Assert.Equal(["movies/", "tv/"], await library.ListAsync("/nzbs"));
        Assert.Equal(["movies/", "tv/"], await library.ListAsync("/content"));
        Assert.Equal(["Show.nzb"], await library.ListAsync("/nzbs/movies"));

        // Both spellings may be there: then each means itself.
        await library.Store.EnsureRootsAsync(["Movies"], CancellationToken.None);
        Assert.Empty(await library.ListAsync("/nzbs/Movies"));
    }
}
