using NzbDav.WebDav.Store;

namespace NzbDav.Library.Tests.Links;

/// <summary>The names of files shown as addresses.</summary>
public class AddressNamesTests
{
    [Theory]
    [InlineData("a.mkv", "a.strm")]
    [InlineData("Show.S01E01.1080p-GROUP.mkv", "Show.S01E01.1080p-GROUP.strm")]
    [InlineData("Show.S01E01", "Show.S01E01.strm")]
    [InlineData("a.mkv,a.mp4", "a.mkv.strm,a.mp4.strm")]
    [InlineData("A.mkv,a.mp4,b.avi", "A.mkv.strm,a.mp4.strm,b.strm")]
    [InlineData("a.mkv,a.srt", "a.strm,a.srt")]
    [InlineData("a.mkv,a.mkv.avi,a.mp4", "a.mkv.strm,a.mkv.avi.strm,a.mp4.strm")]
    [InlineData("a.mkv,a.strm/x.mkv", "a.mkv.strm,a.strm/")]
    [InlineData(".mkv", ".mkv.strm")]
    public async Task The_extension_is_dropped_unless_two_names_would_clash(string files, string shown)
    {
        await using var library = await LibraryFixture.OpenAsync();
        await library.PublishAsync("tv", "Show", files.Split(','));
        var store = Addresses(library);
        var names = await library.ListAsync("/completed-symlinks/tv/Show", store);
        Assert.Equal(shown.Split(',').Order(StringComparer.Ordinal), names.Order(StringComparer.Ordinal));
        foreach (var name in names)
        {
            var item = await store.GetItemAsync(
                LibraryFixture.PathOf("/completed-symlinks/tv/Show/" + name.TrimEnd('/')), CancellationToken.None);
            Assert.Equal((name.TrimEnd('/'), name.EndsWith('/')), (item?.Name, item is IStoreCollection));
        }

        // Only listed names exist.
        Assert.Null(await store.GetItemAsync(LibraryFixture.PathOf(
            "/completed-symlinks/tv/Show/" + (names.Contains("a.strm") ? "a.mkv.strm" : "c.strm")), CancellationToken.None));
    }

    [Fact]
    public async Task A_name_does_not_change_when_the_others_are_deleted()
    {
        await using var library = await LibraryFixture.OpenAsync();
        await library.PublishAsync("tv", "Show", "a.mkv", "a.mp4");
        var store = Addresses(library);
        var folder =
            (IStoreCollection)(await store.GetItemAsync(LibraryFixture.PathOf("/completed-symlinks/tv/Show"), CancellationToken.None))!;
        Assert.Equal(StoreWriteStatus.Deleted, (await folder.DeleteAsync("a.mp4.strm", CancellationToken.None)).Status);
        Assert.Equal(["a.mkv.strm"], await library.ListAsync("/completed-symlinks/tv/Show", store));
        Assert.Equal(StoreWriteStatus.Deleted, (await folder.DeleteAsync("a.mkv.strm", CancellationToken.None)).Status);
    }

    private static LibraryStore Addresses(LibraryFixture library) =>
        library.NewStore(options => options with { AddressCategories = ["tv"], AddressRoot = "http://nas:8080" });
}
