using NzbDav.WebDav.Store;

namespace NzbDav.Library.Tests.Holding;

/// <summary>Which deletions of clients a library's links refuse.</summary>
public class DeletionTests
{
    private const string Film = "/content/movies/Film 0/film.mkv";

    [Fact]
    public async Task Clients_can_delete_lost_files_but_not_held_ones()
    {
        await using var keeper = await KeeperFixture.OpenAsync();
        var links = await keeper.LinkManyAsync(2);
        await keeper.SweepAsync();
        var refused = await keeper.Library.TryDeleteAsync("/content/movies/Film 0");
        Assert.Equal(StoreWriteStatus.Forbidden, refused.Status);
        Assert.Contains(links[0], refused.Reason, StringComparison.Ordinal);
        Assert.Contains("/api/v1/library/delete", refused.Reason, StringComparison.Ordinal);
        File.Delete(links[0]);
        Assert.Equal(StoreWriteStatus.Forbidden, await keeper.Library.DeleteAsync("/content/movies/Film 0"));
        await keeper.SweepAsync();
        Assert.Equal(StoreWriteStatus.Deleted, await keeper.Library.DeleteAsync("/content/movies/Film 0"));

        // A setting lets clients delete anything.
        var any = (IStoreCollection)(await keeper.Library.NewStore(options => options with { DeletesLinked = true })
            .GetItemAsync(LibraryFixture.PathOf("/content/movies"), CancellationToken.None))!;
        Assert.Equal(StoreWriteStatus.Deleted, (await any.DeleteAsync("Film 1", CancellationToken.None)).Status);
    }

    [Fact]
    public async Task A_deletion_reads_the_libraries_again_when_the_link_in_its_way_is_gone()
    {
        await using var keeper = await KeeperFixture.OpenAsync();
        var links = await keeper.LinkManyAsync(4);
        await keeper.SweepAsync();
        Assert.Contains(links[0], (await keeper.DeleteAsync("/content/movies/Film 0")).Reason, StringComparison.Ordinal);

        // The *arr deletes one, renames another, and gives the name of a third to what replaces it: a minute later, not an hour.
        File.Delete(links[0]);
        var renamed = Path.Combine(keeper.Folder, "renamed.mkv");
        File.Move(links[1], renamed);
        var target = new FileInfo(links[3]).LinkTarget!;
        File.Delete(links[2]);
        File.CreateSymbolicLink(links[2], target);
        Assert.Equal(StoreWriteStatus.Deleted, (await keeper.DeleteAsync("/content/movies/Film 0")).Status);
        Assert.Contains(renamed, (await keeper.DeleteAsync("/content/movies/Film 1")).Reason, StringComparison.Ordinal);
        Assert.Equal(StoreWriteStatus.Deleted, (await keeper.DeleteAsync("/content/movies/Film 2/film.mkv")).Status);
        Assert.Equal(StoreWriteStatus.Forbidden, (await keeper.DeleteAsync("/content/movies/Film 3")).Status);

        // Of what cannot be read nothing is gone.
        File.Delete(links[2]);
        File.Delete(links[3]);
        keeper.Arrs.Add(new StubArr("movies") { Problem = "Radarr does not answer." });
        Assert.Equal(StoreWriteStatus.Forbidden, (await keeper.DeleteAsync("/content/movies/Film 3")).Status);
        keeper.Arrs.Clear();
        Assert.Equal(StoreWriteStatus.Deleted, (await keeper.DeleteAsync("/content/movies/Film 3")).Status);
    }

    [Fact]
    public async Task A_link_that_came_into_a_library_after_the_last_reading_refuses_a_deletion()
    {
        await using var keeper = await KeeperFixture.OpenAsync();
        await keeper.LinkManyAsync(1);
        await keeper.Library.PublishAsync("movies", "Late", "a.mkv");
        var target = await keeper.Library.TextAsync("/completed-symlinks/movies/Late/a.mkv.rclonelink");
        await keeper.SweepAsync(TimeSpan.FromMinutes(1));

        // The *arr read the link before that, and imports it now.
        var late = Path.Combine(keeper.Folder, "late.mkv");
        File.CreateSymbolicLink(late, target);
        var refused = await keeper.DeleteAsync("/content/movies/Late");
        Assert.Equal(StoreWriteStatus.Forbidden, refused.Status);
        Assert.Contains(late, refused.Reason, StringComparison.Ordinal);
        File.Delete(late);
        Assert.Equal(StoreWriteStatus.Deleted, (await keeper.DeleteAsync("/content/movies/Late")).Status);
    }

    /// <summary>Manual import with "Move" from <c>/content</c>: the *arr read the link, copied the film, and deletes it here.</summary>
    [Fact]
    public async Task A_film_that_was_copied_can_be_deleted_at_once_if_the_libraries_show_that_nothing_links_to_it()
    {
        await using var keeper = await KeeperFixture.OpenAsync();
        await keeper.LinkManyAsync(1);
        foreach (var category in (string[])["movies", "tv"])
        {
            await keeper.Library.PublishAsync(category, "Copied", "a.mkv");
            await keeper.Library.TextAsync($"/completed-symlinks/{category}/Copied/a.mkv.rclonelink");
        }

        // No library of tv was ever seen.
        keeper.Library.Time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(StoreWriteStatus.Forbidden, (await keeper.DeleteAsync("/content/tv/Copied/a.mkv")).Status);
        Assert.Equal(StoreWriteStatus.Deleted, (await keeper.DeleteAsync("/content/movies/Copied/a.mkv")).Status);

        // Reading the libraries to that end hides and loses nothing else.
        Assert.Empty(await keeper.LostAsync());
        Assert.True(await keeper.IsShownAsync("/content/movies/Film 0/film.mkv"));
    }

    [Fact]
    public async Task A_link_below_a_folder_that_is_no_library_any_more_keeps_nothing_unless_it_is_there()
    {
        await using var keeper = await KeeperFixture.OpenAsync();
        var links = await keeper.LinkManyAsync(2);
        await keeper.SweepAsync();
        var other = Directory.CreateDirectory(Path.Combine(keeper.Library.Folder, "other")).FullName;
        keeper.Options.Value = keeper.Options.Value with { Folders = [other] };
        File.Delete(links[0]);
        Assert.Equal(StoreWriteStatus.Deleted, (await keeper.DeleteAsync("/content/movies/Film 0")).Status);
        Assert.Equal(StoreWriteStatus.Forbidden, (await keeper.DeleteAsync("/content/movies/Film 1")).Status);
    }

    [Fact]
    public async Task Clients_can_delete_untaken_files_once_a_library_of_their_category_was_read()
    {
        await using var keeper = await KeeperFixture.OpenAsync();
        await keeper.LinkManyAsync(1);
        foreach (var category in (string[])["movies", "tv"])
        {
            await keeper.Library.PublishAsync(category, "Refused", "a.mkv");
            await keeper.Library.TextAsync($"/completed-symlinks/{category}/Refused/a.mkv.rclonelink");
        }

        Assert.Equal(StoreWriteStatus.Forbidden, await keeper.Library.DeleteAsync("/content/movies/Refused"));
        await keeper.SweepAsync(TimeSpan.FromMinutes(1));
        Assert.Equal(StoreWriteStatus.Deleted, await keeper.Library.DeleteAsync("/content/movies/Refused"));

        // No tv file was ever seen in the folder: the tv library may be another one.
        Assert.Equal(StoreWriteStatus.Forbidden, await keeper.Library.DeleteAsync("/content/tv/Refused"));
        keeper.Arrs.Add(new StubArr("tv"));
        await keeper.SweepAsync();
        Assert.Equal(StoreWriteStatus.Deleted, await keeper.Library.DeleteAsync("/content/tv/Refused"));
    }
}
