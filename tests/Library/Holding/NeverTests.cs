using NzbDav.Fakes;
using NzbDav.Library.Holding;

namespace NzbDav.Library.Tests.Holding;

/// <summary>Cases in which nothing is lost, hidden or deleted, whatever seems to be missing.</summary>
public class NeverTests
{
    private const string Film = "/content/movies/Film 0/film.mkv";
    private static readonly TimeSpan Month = TimeSpan.FromDays(31);

    [Fact]
    public async Task Nothing_counts_as_lost_while_the_folder_is_missing_or_empty_also_after_a_restart()
    {
        await using var keeper = await KeeperFixture.OpenAsync();
        await keeper.LinkManyAsync(2);
        await keeper.SweepAsync();
        Directory.Move(keeper.Folder, keeper.Folder + ".away");
        await AssertNothingGoesAsync(keeper, "cannot be read");
        Directory.CreateDirectory(keeper.Folder);
        await AssertNothingGoesAsync(keeper, "is empty, and 2 links were in it before");
        await keeper.RestartAsync();
        Directory.CreateDirectory(Path.Combine(keeper.Folder, "Film 0"));
        await AssertNothingGoesAsync(keeper, "is empty, and 2 links were in it before");
        Directory.Delete(keeper.Folder, recursive: true);
        await keeper.SweepAsync(Month, accept: true);
        Assert.Contains("cannot be read", Assert.Single(keeper.Last.Problems), StringComparison.Ordinal);
        Assert.Empty(await keeper.LostAsync());

        // A person can confirm that a folder is empty, not that one is gone.
        Directory.CreateDirectory(keeper.Folder);
        await keeper.SweepAsync(Month, accept: true);
        Assert.Equal((2, 0), ((await keeper.LostAsync()).Length, keeper.Last.Problems.Count));

        // The folder is mounted again: nothing has happened.
        Directory.Delete(keeper.Folder, recursive: true);
        Directory.Move(keeper.Folder + ".away", keeper.Folder);
        await keeper.SweepAsync();
        Assert.Equal((2, 0), (keeper.Last.Held, keeper.Last.Problems.Count));
    }

    [Fact]
    public async Task A_folder_that_is_only_partly_readable_is_not_evaluated()
    {
        await using var keeper = await KeeperFixture.OpenAsync();
        var link = (await keeper.LinkManyAsync(2))[0];
        foreach (var folder in (string[])[keeper.Library.Folder, keeper.Folder])
            Unprivileged.SetMode(folder, (UnixFileMode)0b111_101_101);
        var source = new LibraryFolder(keeper.Folder, keeper.Library.Holds);
        var read = Unprivileged.Run(() => source.Scan(CancellationToken.None)).Reading;
        Assert.Equal((null, 2), (read.Problem, read.Links.Count));
        var closed = Path.GetDirectoryName(link)!;
        Unprivileged.SetMode(closed, UnixFileMode.None);
        read = Unprivileged.Run(() => source.Scan(CancellationToken.None)).Reading;
        Unprivileged.SetMode(closed, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        Assert.Contains("cannot be read", read.Problem, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Nothing_is_lost_hidden_or_deleted_while_an_arr_is_unreadable()
    {
        await using var keeper = await KeeperFixture.OpenAsync();
        var arr = new StubArr("tv");
        keeper.Arrs.Add(arr);
        var links = await keeper.LinkManyAsync(2);
        await keeper.SweepAsync();
        File.Delete(links[0]);
        arr.Problem = "Arr answered 500.";
        await AssertNothingGoesAsync(keeper, "Arr answered 500.");

        // The same holds for files that were lost before, and for hidden ones.
        arr.Problem = null;
        await keeper.SweepAsync();
        arr.Problem = "Arr does not answer.";
        await keeper.SweepAsync(Month);
        Assert.True(await keeper.IsShownAsync(Film));
        arr.Problem = null;
        await keeper.SweepAsync();
        Assert.False(await keeper.IsShownAsync(Film));
        arr.Problem = "Arr answered 500.";
        await keeper.SweepAsync(Month);
        Assert.True(await keeper.IsThereAsync(Film));
    }

    [Fact]
    public async Task Files_listed_by_an_arr_are_held_without_a_folder()
    {
        await using var keeper = await KeeperFixture.OpenAsync();
        var link = (await keeper.LinkManyAsync(1))[0];
        var arr = new StubArr("movies");
        arr.Links.Add(new FoundLink("Arr: /movies/film.mkv", new FileInfo(link).LinkTarget!));
        keeper.Arrs.Add(arr);
        keeper.Options.Value = keeper.Options.Value with { Folders = [] };
        await keeper.SweepAsync();
        Assert.Equal(1, keeper.Last.Held);
        await keeper.SweepAsync(Month);
        await keeper.SweepAsync(Month);
        Assert.True(await keeper.IsShownAsync(Film));
        arr.Links.Clear();
        await keeper.SweepAsync();
        Assert.Equal(["Arr: /movies/film.mkv"], await keeper.LostAsync());
    }

    [Fact]
    public async Task No_more_than_a_share_is_lost_at_once_without_confirmation()
    {
        await using var keeper = await KeeperFixture.OpenAsync();
        var links = await keeper.LinkManyAsync(LibraryKeeper.Few + 2);
        await keeper.SweepAsync();
        foreach (var link in links.Take(LibraryKeeper.Few + 1))
            File.Delete(link);
        for (var i = 0; i < 3; i++)
        {
            await keeper.SweepAsync(Month);
            Assert.Contains("6 of 7 files would be lost at once", Assert.Single(keeper.Last.Problems), StringComparison.Ordinal);
            await keeper.RestartAsync();
        }

        Assert.Empty(await keeper.LostAsync());
        await keeper.SweepAsync(accept: true);
        Assert.Equal(6, (await keeper.LostAsync()).Length);

        // One confirmation lasts: hiding and deleting them need no other.
        await keeper.RestartAsync();
        await keeper.SweepAsync(Month);
        Assert.Equal((6, 0), (keeper.Last.Hidden, keeper.Last.Problems.Count));
        Assert.True(await keeper.IsThereAsync(Film));
        await keeper.SweepAsync(Month);
        Assert.Equal((6, 0), (keeper.Last.Deleted, keeper.Last.Problems.Count));
        Assert.False(await keeper.IsThereAsync(Film));
    }

    [Fact]
    public async Task A_large_loss_that_waits_for_a_person_does_not_hold_up_what_was_lost_before()
    {
        await using var keeper = await KeeperFixture.OpenAsync();
        var links = await keeper.LinkManyAsync(LibraryKeeper.Few + 2);
        await keeper.SweepAsync();
        File.Delete(links[0]);
        await keeper.SweepAsync();
        foreach (var link in links.Skip(1))
            File.Delete(link);
        await keeper.SweepAsync(Month);
        Assert.Contains("6 of 7 files would be lost at once", Assert.Single(keeper.Last.Problems), StringComparison.Ordinal);
        Assert.Equal(1, keeper.Last.Hidden);
        Assert.False(await keeper.IsShownAsync(Film));
        await keeper.SweepAsync(Month);
        Assert.Equal(1, keeper.Last.Deleted);
    }

    /// <summary>Files that were lost a few at a time may all be due at once, as after a pause of the server.</summary>
    [Fact]
    public async Task Hiding_many_files_that_nobody_confirmed_needs_a_confirmation()
    {
        await using var keeper = await KeeperFixture.OpenAsync();
        var links = await keeper.LinkManyAsync(LibraryKeeper.Few + 1);
        await keeper.SweepAsync();
        foreach (var link in links)
        {
            File.Delete(link);
            await keeper.SweepAsync();
        }

        await keeper.SweepAsync(Month);
        Assert.Contains("6 of 6 files would be hidden at once", Assert.Single(keeper.Last.Problems), StringComparison.Ordinal);
        Assert.True(await keeper.IsShownAsync(Film));
        await keeper.SweepAsync(accept: true);
        Assert.False(await keeper.IsShownAsync(Film));
        await keeper.SweepAsync(Month);
        Assert.Equal((6, 0), (keeper.Last.Deleted, keeper.Last.Problems.Count));
    }

    [Fact]
    public async Task Losing_exactly_the_allowed_share_needs_no_confirmation()
    {
        await using var keeper = await KeeperFixture.OpenAsync();
        keeper.Options.Value = keeper.Options.Value with { MostShare = 0.5 };
        var links = await keeper.LinkManyAsync(14);
        await keeper.SweepAsync();
        foreach (var link in links.Take(7))
            File.Delete(link);
        await keeper.SweepAsync();
        Assert.Equal(7, (await keeper.LostAsync()).Length);
    }

    [Fact]
    public async Task Files_held_by_a_library_that_was_removed_from_the_settings_stay_held()
    {
        await using var keeper = await KeeperFixture.OpenAsync();
        await keeper.LinkManyAsync(1);
        await keeper.SweepAsync();
        var other = Path.Combine(keeper.Library.Folder, "other");
        Directory.CreateDirectory(other);
        keeper.Options.Value = keeper.Options.Value with { Folders = [other] };
        for (var i = 0; i < 3; i++)
            await keeper.SweepAsync(Month);
        Assert.Equal((1, 0), (keeper.Last.Held, keeper.Last.Problems.Count));
        Assert.True(await keeper.IsShownAsync(Film));
    }

    [Fact]
    public async Task Without_libraries_nothing_is_lost()
    {
        await using var keeper = await KeeperFixture.OpenAsync();
        var link = (await keeper.LinkManyAsync(1))[0];
        await keeper.SweepAsync();
        File.Delete(link);
        keeper.Options.Value = keeper.Options.Value with { Folders = [] };
        for (var i = 0; i < 3; i++)
            Assert.Null(await keeper.SweepAsync(Month));
        Assert.Empty(await keeper.LostAsync());
        Assert.True(await keeper.IsShownAsync(Film));
    }

    [Fact]
    public async Task A_link_found_while_another_library_fails_counts()
    {
        await using var keeper = await KeeperFixture.OpenAsync();
        var (link, target) = await keeper.HideOneAsync(Month);
        File.CreateSymbolicLink(link, target);
        keeper.Arrs.Add(new StubArr("tv") { Problem = "Arr does not answer." });
        await keeper.SweepAsync();
        Assert.True(await keeper.IsShownAsync(Film));
    }

    /// <summary>Asserts that nothing is removed, however long the problem lasts.</summary>
    private static async Task AssertNothingGoesAsync(KeeperFixture keeper, string problem)
    {
        for (var i = 0; i < 3; i++)
        {
            await keeper.SweepAsync(Month);
            Assert.Contains(problem, Assert.Single(keeper.Last.Problems), StringComparison.Ordinal);
        }

        Assert.Empty(await keeper.LostAsync());
        Assert.True(await keeper.IsShownAsync(Film));
    }
}
