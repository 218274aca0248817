using NzbDav.Catalog.Browsing;
using NzbDav.Library.Export;
using NzbDav.WebDav.Store;

namespace NzbDav.Library.Tests.Export;

/// <summary>A library as small files: what is written and what is left alone.</summary>
public sealed class ExportTests
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Videos_become_addresses_that_open_the_same_file(bool portable)
    {
        await using var library = await LibraryFixture.OpenAsync();
        await library.PublishAsync("movies", "Film.2020", "Film.2020.mkv", "Subs/Film.2020.srt");
        await library.PublishAsync("tv", "Show", "S01/Show.S01E01.mkv", "S01/Show.S01E02.mkv");
        using var folder = new ExportFolderFixture(library) { IsPortable = portable };
        var report = await folder.RunAsync();
        Assert.Equal((3, 0, 0, 1, 0), (report.Created, report.Replaced, report.Unchanged, report.LeftOut, report.Blocked));
        Assert.Equal(["movies", "movies/Film.2020", "movies/Film.2020/Film.2020.strm", "tv", "tv/Show", "tv/Show/S01",
            "tv/Show/S01/Show.S01E01.strm", "tv/Show/S01/Show.S01E02.strm"], folder.List());
        var address = new Uri(folder.Read("movies/Film.2020/Film.2020.strm"));
        Assert.Equal("http://nas:8080/view/", address.AbsoluteUri[..21]);
        var opened = (IStoreFile)(await library.Store.GetItemAsync(
            library.Views.TryRead(address.AbsolutePath.Split('/')[2])!, CancellationToken.None))!;
        Assert.Equal(((IStoreFile)(await library.FindAsync("/content/movies/Film.2020/Film.2020.mkv"))!).ETag, opened.ETag);

        // The second run has nothing to do.
        report = await folder.RunAsync();
        Assert.Equal((0, 0, 0, 3, 0), (report.Created, report.Replaced, report.Removed, report.Unchanged, report.Blocked));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Links_lead_to_stable_paths_or_follow_the_tree(bool portable)
    {
        await using var library = await LibraryFixture.OpenAsync();
        await library.PublishAsync("movies", "Film", "Film.mkv", "Film.srt");
        var id = (await library.Tree.ResolveAsync(["content", "movies", "Film", "Film.mkv"], CancellationToken.None))!.Id;
        using var folder = new ExportFolderFixture(library) { IsPortable = portable };
        folder.Options = folder.Options with { Addresses = false, Links = true };
        Assert.Equal(2, (await folder.RunAsync()).Created);
        Assert.Equal("/mnt/nzbdav" + LibraryStore.StablePath(id), new FileInfo(folder.Of("movies/Film/Film.mkv")).LinkTarget);

        folder.Options = folder.Options with { Follows = true };
        Assert.Equal((0, 2), ((await folder.RunAsync()) is var report ? report.Created : -1, report.Replaced));
        Assert.Equal("/mnt/nzbdav/content/movies/Film/Film.srt", new FileInfo(folder.Of("movies/Film/Film.srt")).LinkTarget);
        Assert.Equal((0, 0, 2), ((report = await folder.RunAsync()).Created, report.Replaced, report.Unchanged));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Renames_and_deletions_in_the_tree_are_followed_without_touching_foreign_files(bool portable)
    {
        await using var library = await LibraryFixture.OpenAsync();
        await library.PublishAsync("movies", "One", "One.mkv");
        await library.PublishAsync("movies", "Two", "Two.mkv");
        await library.PublishAsync("movies", "Three", "Three.mkv");
        using var folder = new ExportFolderFixture(library) { IsPortable = portable };
        await folder.RunAsync();
        await File.WriteAllTextAsync(folder.Of("movies/One/poster.jpg"), "somebody's");
        await File.WriteAllTextAsync(folder.Of("movies/mine.txt"), "somebody's");
        await library.MoveAsync("/content/movies/Two/Two.mkv", "/content/movies/Two/Other.mkv");
        await library.DeleteAsync("/content/movies/One");
        await library.DeleteAsync("/content/movies/Three");
        var report = await folder.RunAsync(verify: false);
        Assert.Equal((1, 0, 3, 0), (report.Created, report.Replaced, report.Removed, report.Blocked));
        Assert.Equal(
            ["movies", "movies/One", "movies/One/poster.jpg", "movies/Two", "movies/Two/Other.strm", "movies/mine.txt"], folder.List());
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Foreign_files_are_reported_and_never_touched(bool portable)
    {
        await using var library = await LibraryFixture.OpenAsync();
        await library.PublishAsync("movies", "File", "File.mkv");
        await library.PublishAsync("movies", "Link", "Link.mkv");
        await library.PublishAsync("movies", "Changed", "Changed.mkv");
        await library.PublishAsync("movies", "Gone", "Gone.mkv");
        await library.PublishAsync("movies", "Fine", "Fine.mkv");
        await library.PublishAsync("tv", "Blocked", "One.mkv", "Two.mkv");
        using var folder = new ExportFolderFixture(library) { IsPortable = portable };
        using var elsewhere = new ExportFolderFixture(library);
        Directory.CreateDirectory(folder.Of("movies/File"));
        await File.WriteAllTextAsync(folder.Of("movies/File/File.strm"), "foreign");
        File.CreateSymbolicLink(folder.Of("movies/Link"), elsewhere.Path);
        await File.WriteAllTextAsync(folder.Of("tv"), "no folder");
        var report = await folder.RunAsync();
        Assert.Equal((3, 4), (report.Created, report.Blocked));
        Assert.Equal(["movies/File/File.strm is there and is not ours", "movies/Link is no folder, and not ours",
            "tv is no folder, and not ours"], report.BlockedBy);
        Assert.Equal("foreign", folder.Read("movies/File/File.strm"));
        Assert.Empty(elsewhere.List());

        // Changed by hand: one whose title stays and one whose title is deleted.
        await File.WriteAllTextAsync(folder.Of("movies/Changed/Changed.strm"), "by hand");
        await File.WriteAllTextAsync(folder.Of("movies/Gone/Gone.strm"), "by hand");
        await library.DeleteAsync("/content/movies/Gone");
        report = await folder.RunAsync();
        Assert.Contains("movies/Changed/Changed.strm was changed by somebody else", report.BlockedBy);
        Assert.Contains("movies/Gone/Gone.strm was changed by somebody else and is left there, though its file is gone", report.BlockedBy);
        Assert.Equal(("by hand", "by hand"), (folder.Read("movies/Changed/Changed.strm"), folder.Read("movies/Gone/Gone.strm")));

        // Once the file is out of the way, the next run writes it again.
        File.Delete(folder.Of("movies/Changed/Changed.strm"));
        File.Delete(folder.Of("movies/File/File.strm"));
        File.Delete(folder.Of("tv"));
        Assert.Equal(4, (await folder.RunAsync()).Created);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_changed_address_rewrites_all_texts_and_a_lost_manifest_loses_nothing(bool portable)
    {
        await using var library = await LibraryFixture.OpenAsync();
        await library.PublishAsync("movies", "Film", "Film.mkv");
        using var folder = new ExportFolderFixture(library) { IsPortable = portable };
        await folder.RunAsync();
        folder.Options = folder.Options with { AddressRoot = "http://sun:8080" };
        Assert.Equal(1, (await folder.RunAsync()).Replaced);
        Assert.StartsWith("http://sun:8080/", folder.Read("movies/Film/Film.strm"), StringComparison.Ordinal);

        File.Delete(folder.Of(ExportManifest.FolderName + "/manifest"));
        var report = await folder.RunAsync();
        Assert.Equal((0, 1, 0), (report.Created, report.Unchanged, report.Blocked));
        await library.DeleteAsync("/content/movies/Film");
        Assert.Equal(1, (await folder.RunAsync()).Removed);

        await File.WriteAllTextAsync(folder.Of(ExportManifest.FolderName + "/manifest"), "nzbdav-export 1\nnonsense\n");
        Assert.Contains(
            "damaged in line 2", (await Assert.ThrowsAsync<IOException>(() => folder.RunAsync())).Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Two_exports_cannot_share_a_folder()
    {
        await using var library = await LibraryFixture.OpenAsync();
        using var folder = new ExportFolderFixture(library);
        using var first = ExportManifest.Open(folder.Path);
        Assert.Contains(
            "Another export works in", (await Assert.ThrowsAsync<IOException>(() => folder.RunAsync())).Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Hidden_titles_are_not_exported()
    {
        await using var library = await LibraryFixture.OpenAsync();
        await library.PublishAsync("movies", "Film", "Film.mkv");
        var id = (await library.Tree.ResolveAsync(["content", "movies", "Film"], CancellationToken.None))!.Id;
        var plan = new ExportPlanner(await TreeOutline.ReadAsync(library.Database, CancellationToken.None), item => item == id,
            new ExportOptions { Folder = "/", Addresses = true }).Make();
        Assert.Empty(plan.Entries);
    }

    [Fact]
    public async Task A_single_category_is_exported_directly_into_the_folder()
    {
        await using var library = await LibraryFixture.OpenAsync();
        await library.PublishAsync("movies", "Film", "Film.mkv");
        await library.PublishAsync("tv", "Show", "Show.mkv");
        using var folder = new ExportFolderFixture(library);
        folder.Options = folder.Options with { Category = "tv" };
        await folder.RunAsync();
        Assert.Equal(["Show", "Show/Show.strm"], folder.List());
    }

    [Fact]
    public async Task Details_are_written_beside_videos_unless_the_post_has_its_own()
    {
        await using var library = await LibraryFixture.OpenAsync();
        await library.PublishAsync("movies", "Film", "The.Film.2020.1080p.mkv", "Own.mkv", "Own.nfo", "Read.txt");
        using var folder = new ExportFolderFixture(library);
        folder.Options = folder.Options with { Addresses = false, Links = true, Details = true };
        await folder.RunAsync();
        Assert.Equal(["movies", "movies/Film", "movies/Film/Own.mkv", "movies/Film/Own.nfo", "movies/Film/Read.txt",
            "movies/Film/The.Film.2020.1080p.mkv", "movies/Film/The.Film.2020.1080p.nfo"], folder.List());
        Assert.NotNull(new FileInfo(folder.Of("movies/Film/Own.nfo")).LinkTarget);
        Assert.Contains("<title>The Film</title>", folder.Read("movies/Film/The.Film.2020.1080p.nfo"), StringComparison.Ordinal);
    }
}
