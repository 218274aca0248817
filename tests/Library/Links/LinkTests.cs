using NzbDav.Library.Links;
using NzbDav.WebDav.Store;

namespace NzbDav.Library.Tests.Links;

/// <summary><c>/completed-symlinks</c> and <c>/.ids</c>.</summary>
public class LinkTests
{
    [Fact]
    public async Task Each_file_has_a_link_whose_size_is_that_of_its_text()
    {
        await using var library = await LibraryFixture.OpenAsync();
        await library.PublishAsync("tv", "Show", "S01/e1.mkv", "info.nfo");
        Assert.Equal(["Show/"], await library.ListAsync("/completed-symlinks/tv"));
        Assert.Equal(["S01/", "info.nfo.rclonelink"], await library.ListAsync("/completed-symlinks/tv/Show"));
        Assert.Equal(["e1.mkv.rclonelink"], await library.ListAsync("/completed-symlinks/tv/Show/S01"));
        var link = (IStoreFile)(await library.FindAsync("/completed-symlinks/tv/Show/S01/e1.mkv.rclonelink"))!;
        var text = await library.TextAsync("/completed-symlinks/tv/Show/S01/e1.mkv.rclonelink");
        Assert.Equal(text.Length, link.Length);
        Assert.Matches("^/mnt/films/\\.ids/([0-9a-f]/){5}[0-9a-f]{16}$", text);
        foreach (var none in (string[])["/completed-symlinks/tv/Show/S01/e1.mkv", "/completed-symlinks/tv/Show.rclonelink",
            "/completed-symlinks/tv/Show/S01.rclonelink", "/completed-symlinks/tv/Show/info.nfo.rclonelink/x"])
            Assert.Null(await library.FindAsync(none));

        // The folders are named after the last digits of the id, and the path leads to the file itself.
        var parts = text.Split('/');
        Assert.Equal(parts[^1][^5..], string.Concat(parts[^6..^1]));
        var file = (IStoreFile)(await library.FindAsync(text[LibraryFixture.MountPath.Length..]))!;
        var original = (IStoreFile)(await library.FindAsync("/content/tv/Show/S01/e1.mkv"))!;
        Assert.Equal((original.ETag, original.Length, original.ContentType, original.ModifiedAt),
            (file.ETag, file.Length, file.ContentType, file.ModifiedAt));
    }

    [Fact]
    public async Task A_stable_path_is_valid_for_the_life_of_its_file()
    {
        await using var library = await LibraryFixture.OpenAsync();
        await library.PublishAsync("tv", "Show", "e1.mkv");
        var path = (await library.TextAsync("/completed-symlinks/tv/Show/e1.mkv.rclonelink"))[LibraryFixture.MountPath.Length..];
        Assert.Equal(StoreWriteStatus.Created, await library.MoveAsync("/content/tv/Show/e1.mkv", "/content/tv/Show/other.avi"));
        Assert.Equal(StoreWriteStatus.Created, await library.MoveAsync("/content/tv/Show", "/content/movies/Film"));
        Assert.NotNull(await library.FindAsync(path));
        Assert.NotNull(await library.NewStore().GetItemAsync(LibraryFixture.PathOf(path), CancellationToken.None));

        // Only deleting the content itself removes the stable path for good.
        await library.Tree.DeleteAsync(
            (await library.Tree.ResolveAsync(["content", "movies", "Film"], CancellationToken.None))!.Id, CancellationToken.None);
        Assert.Null(await library.FindAsync(path));
    }

    [Fact]
    public async Task Folders_of_stable_paths_list_only_existing_entries()
    {
        await using var library = await LibraryFixture.OpenAsync();
        Assert.Empty(await library.ListAsync("/.ids"));
        await library.PublishAsync("tv", "Show", "e1.mkv", "e2.mkv", "e3.mkv");
        var found = new List<string>();
        await WalkAsync("/.ids", 0);
        Assert.Equal(3, found.Count);
        foreach (var path in found)
            Assert.NotNull(await library.FindAsync(path));

        async Task WalkAsync(string folder, int level)
        {
            var names = await library.ListAsync(folder);
            Assert.NotEmpty(names);
            foreach (var name in names)
            {
                if (level < 5)
                    await WalkAsync($"{folder}/{name.TrimEnd('/')}", level + 1);
                else
                    found.Add($"{folder}/{name}");
            }
        }
    }

    [Theory]
    [InlineData("/.ids/g")]
    [InlineData("/.ids/A")]
    [InlineData("/.ids/10")]
    [InlineData("/.ids/0/0/0/0/0/0")]
    [InlineData("/.ids/0/0/0/0/0/0000000000000001")]
    [InlineData("/.ids/0/0/0/0/1/0000000000000001")]
    [InlineData("/.ids/0/0/0/0/0/0000000000000000")]
    [InlineData("/.ids/f/f/f/f/f/ffffffffffffffff")]
    [InlineData("/.ids/0/0/0/0/0/0000000000000000/x")]
    public async Task Other_names_do_not_exist(string path)
    {
        await using var library = await LibraryFixture.OpenAsync();
        Assert.Null(await library.FindAsync(path));
    }

    [Fact]
    public async Task Folders_and_wrong_shards_are_not_stable_paths()
    {
        await using var library = await LibraryFixture.OpenAsync();
        var job = await library.PublishAsync("tv", "Show", "e1.mkv");
        Assert.Null(await library.FindAsync(IdPath.Of(job.Id)));
        var file = await library.Tree.ResolveAsync(["content", "tv", "Show", "e1.mkv"], CancellationToken.None);
        var path = IdPath.Of(file!.Id);
        Assert.NotNull(await library.FindAsync(path));
        var digit = path[6] == '0' ? '1' : '0';
        Assert.Null(await library.FindAsync(path[..6] + digit + path[7..]));
        Assert.Null(await library.FindAsync(
            path.ToUpperInvariant().Replace("IDS", "ids", StringComparison.Ordinal) is var upper && upper != path ? upper : "/.ids/x"));
        Assert.Equal(StoreWriteStatus.Forbidden, await library.DeleteAsync(path));
    }

    [Fact]
    public async Task WRT_06_deleting_links_touches_nothing_else()
    {
        await using var library = await LibraryFixture.OpenAsync();
        await library.PublishAsync("movies", "Film", "film.mkv", "sub/film.srt");
        await library.PublishAsync("movies", "Other", "other.mkv");
        var target = (await library.TextAsync("/completed-symlinks/movies/Film/film.mkv.rclonelink"))[LibraryFixture.MountPath.Length..];

        // The requests of a mount for rm -r: files first, then folders, from the inside out.
        Assert.Equal(StoreWriteStatus.Deleted, await library.DeleteAsync("/completed-symlinks/movies/Film/film.mkv.rclonelink"));
        Assert.Equal(StoreWriteStatus.NotFound, await library.DeleteAsync("/completed-symlinks/movies/Film/film.mkv.rclonelink"));
        Assert.Equal(["sub/"], await library.ListAsync("/completed-symlinks/movies/Film"));
        Assert.Equal(StoreWriteStatus.Deleted, await library.DeleteAsync("/completed-symlinks/movies/Film/sub/film.srt.rclonelink"));
        Assert.Empty(await library.ListAsync("/completed-symlinks/movies/Film/sub"));
        Assert.Equal(StoreWriteStatus.Deleted, await library.DeleteAsync("/completed-symlinks/movies/Film/sub"));
        Assert.Equal(StoreWriteStatus.Deleted, await library.DeleteAsync("/completed-symlinks/movies/Film"));
        Assert.Equal(["Other/"], await library.ListAsync("/completed-symlinks/movies"));
        Assert.Null(await library.FindAsync("/completed-symlinks/movies/Film"));

        Assert.NotNull(await library.FindAsync(target));
        Assert.Equal(["film.mkv", "sub/"], await library.ListAsync("/content/movies/Film"));

        // The whole folder in one request, as some clients do.
        Assert.Equal(StoreWriteStatus.Deleted, await library.DeleteAsync("/completed-symlinks/movies/Other"));
        Assert.Null(await library.FindAsync("/completed-symlinks/movies/Other/other.mkv.rclonelink"));
        Assert.NotNull(await library.FindAsync("/content/movies/Other/other.mkv"));

        // A new job with that name is visible.
        await library.MoveAsync("/content/movies/Other", "/content/movies/Old");
        await library.PublishAsync("movies", "Other", "other.mkv");
        Assert.Equal(["Other/"], await library.ListAsync("/completed-symlinks/movies"));
    }

    [Fact]
    public async Task A_repeated_lookup_by_stable_path_costs_no_query()
    {
        await using var library = await LibraryFixture.OpenAsync();
        await library.PublishAsync("tv", "Show", "e1.mkv");
        var file = await library.Tree.ResolveAsync(["content", "tv", "Show", "e1.mkv"], CancellationToken.None);
        var path = IdPath.Of(file!.Id);
        await library.FindAsync(path);
        await library.FindAsync("/content/tv/Show/e1.mkv");
        var before = library.Database.Reads;
        for (var i = 0; i < 100; i++)
        {
            Assert.NotNull(await library.FindAsync(path));
            Assert.NotNull(await library.FindAsync("/content/tv/Show/e1.mkv"));
            Assert.NotNull(await library.FindAsync("/content/tv/Show"));
            Assert.NotNull(await library.FindAsync("/"));
        }

        Assert.True(library.Database.Reads <= before + 2, $"{library.Database.Reads - before} queries");
    }
}
