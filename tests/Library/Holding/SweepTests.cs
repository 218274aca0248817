using NzbDav.WebDav.Store;

namespace NzbDav.Library.Tests.Holding;

/// <summary>A file no longer in any library is lost, then hidden, then deleted, and no other file is.</summary>
public class SweepTests
{
    private const string Film = "/content/movies/Film 0/film.mkv";
    private static readonly TimeSpan Week = TimeSpan.FromDays(7);
    private static readonly TimeSpan Month = TimeSpan.FromDays(30);

    [Fact]
    public async Task A_file_whose_link_is_missing_is_hidden_after_a_week_and_deleted_a_month_later()
    {
        await using var keeper = await KeeperFixture.OpenAsync();
        var links = await keeper.LinkManyAsync(2);
        var job = await keeper.Library.Tree.ResolveAsync(["content", "movies", "Film 0"], CancellationToken.None);
        await keeper.SweepAsync();
        Assert.Equal((2, 0), (keeper.Last.Held, keeper.Last.Problems.Count));
        File.Delete(links[0]);
        await keeper.SweepAsync(TimeSpan.FromHours(1));
        Assert.Equal([links[0]], await keeper.LostAsync());
        await keeper.SweepAsync(Week - TimeSpan.FromHours(1));
        Assert.True(await keeper.IsShownAsync(Film));

        await keeper.SweepAsync(TimeSpan.FromHours(1));
        foreach (var path in (string[])[Film, "/content/movies/Film 0", "/completed-symlinks/movies/Film 0",
            "/completed-symlinks/movies/Film 0/film.mkv.rclonelink"])
            Assert.False(await keeper.IsShownAsync(path), path);
        Assert.Equal(["Film 1/"], await keeper.Library.ListAsync("/content/movies"));
        Assert.Equal(["Film 1/"], await keeper.Library.ListAsync("/completed-symlinks/movies"));
        await keeper.SweepAsync(Month - TimeSpan.FromHours(1));
        Assert.True(await keeper.IsThereAsync(Film));

        await keeper.SweepAsync(TimeSpan.FromHours(1));
        Assert.False(await keeper.IsThereAsync("/content/movies/Film 0"));
        Assert.True(await keeper.IsShownAsync("/content/movies/Film 1/film.mkv"));
        Assert.Null(await keeper.Library.Jobs.GetAsync(job!.JobId!.Value, CancellationToken.None));
        Assert.Empty(await keeper.LostAsync());
    }

    [Fact]
    public async Task A_file_that_was_never_held_stays_however_often_its_link_is_read()
    {
        await using var keeper = await KeeperFixture.OpenAsync();
        await keeper.LinkManyAsync(1);
        await keeper.Library.PublishAsync("tv", "Played from content", "e1.mkv");
        await keeper.Library.TextAsync("/completed-symlinks/tv/Played from content/e1.mkv.rclonelink");
        for (var i = 0; i < 4; i++)
            await keeper.SweepAsync(Month);
        Assert.True(await keeper.IsShownAsync("/content/tv/Played from content/e1.mkv"));
    }

    [Fact]
    public async Task Episodes_are_removed_one_by_one_and_the_last_removes_the_rest_of_the_job()
    {
        await using var keeper = await KeeperFixture.OpenAsync();
        await keeper.Library.PublishAsync("tv", "Season", "e1.mkv", "e2.mkv", "season.nfo");
        var (e1, e2) =
            (await keeper.LinkAsync("/content/tv/Season/e1.mkv", "e1.mkv"), await keeper.LinkAsync("/content/tv/Season/e2.mkv", "e2.mkv"));
        await keeper.SweepAsync();
        File.Delete(e1);
        await keeper.SweepAsync();
        await keeper.SweepAsync(Week);
        Assert.Equal(["e2.mkv", "season.nfo"], await keeper.Library.ListAsync("/content/tv/Season"));
        await keeper.SweepAsync(Month);
        Assert.False(await keeper.IsThereAsync("/content/tv/Season/e1.mkv"));
        File.Delete(e2);
        await keeper.SweepAsync();
        await keeper.SweepAsync(Week);
        Assert.Empty(await keeper.Library.ListAsync("/content/tv"));
        await keeper.SweepAsync(Month);
        Assert.False(await keeper.IsThereAsync("/content/tv/Season"));
    }

    /// <summary>A season of which one episode was upgraded and one deleted, before the ratio was reached.</summary>
    [Fact]
    public async Task Files_of_a_torrent_that_is_still_to_be_seeded_are_neither_hidden_nor_deleted()
    {
        var hash = new string('a', 40);
        await using var keeper = await KeeperFixture.OpenAsync();
        keeper.Seeding.Add(hash);
        await keeper.Library.PublishAsync("tv", "Season", hash, ["e1.mkv", "e2.mkv"]);
        string[] links =
        [
            await keeper.LinkAsync("/content/tv/Season/e1.mkv", "e1.mkv"),
            await keeper.LinkAsync("/content/tv/Season/e2.mkv", "e2.mkv"),
        ];
        await keeper.SweepAsync();
        foreach (var link in links)
            File.Delete(link);
        await keeper.SweepAsync();
        await keeper.SweepAsync(Month);
        await keeper.SweepAsync(Month);
        Assert.Equal(["e1.mkv", "e2.mkv"], await keeper.Library.ListAsync("/content/tv/Season"));

        // Once that has ended, the usual times begin.
        keeper.Seeding.Clear();
        await keeper.SweepAsync();
        Assert.Empty(await keeper.Library.ListAsync("/content/tv"));
        Assert.True(await keeper.IsThereAsync("/content/tv/Season/e1.mkv"));

        // One that is seeded again while it is hidden is not deleted.
        keeper.Seeding.Add(hash);
        await keeper.SweepAsync(Month);
        Assert.True(await keeper.IsThereAsync("/content/tv/Season/e1.mkv"));
        keeper.Seeding.Clear();
        await keeper.SweepAsync(Month);
        Assert.False(await keeper.IsThereAsync("/content/tv/Season"));
    }

    [Fact]
    public async Task A_download_given_up_stays_while_its_torrent_is_to_be_seeded()
    {
        var hash = new string('a', 40);
        await using var keeper = await KeeperFixture.OpenAsync();
        await keeper.LinkManyAsync(1);
        keeper.Seeding.Add(hash);
        var job = await keeper.Library.PublishAsync("movies", "Refused", hash, ["film.mkv"]);
        await keeper.Library.Unwanted.MarkAbandonedAsync(job.Id, jobId: null, CancellationToken.None);
        await keeper.SweepAsync();
        Assert.True(await keeper.IsThereAsync("/content/movies/Refused/film.mkv"));
        keeper.Seeding.Clear();
        await keeper.SweepAsync();
        Assert.False(await keeper.IsThereAsync("/content/movies/Refused"));
    }

    [Fact]
    public async Task A_link_that_comes_back_shows_the_file_at_once()
    {
        await using var keeper = await KeeperFixture.OpenAsync();
        var target = (await keeper.HideOneAsync(Week)).Target;

        // A .strm file or a link into /content counts as well.
        File.WriteAllText(Path.Combine(keeper.Folder, "other.strm"), "http://nas:8080" + keeper.Library.Views.PathTo(
            LibraryFixture.PathOf(target[LibraryFixture.MountPath.Length..]), "film.mkv") + "\n");
        await keeper.SettleAsync();
        Assert.True(await keeper.IsShownAsync(Film));
        Assert.Empty(await keeper.LostAsync());
        File.Delete(Path.Combine(keeper.Folder, "other.strm"));
        Directory.CreateSymbolicLink(Path.Combine(keeper.Folder, "job"), LibraryFixture.MountPath + "/content/movies/Film 0");
        await keeper.SweepAsync(Month);
        await keeper.SweepAsync(Month);
        Assert.True(await keeper.IsShownAsync(Film));
    }

    [Fact]
    public async Task A_file_restored_by_the_user_stays()
    {
        await using var keeper = await KeeperFixture.OpenAsync();
        var link = (await keeper.LinkManyAsync(1))[0];
        var job = (await keeper.Library.Tree.ResolveAsync(["content", "movies", "Film 0"], CancellationToken.None))!;
        await keeper.SweepAsync();
        Assert.False(await keeper.Library.Unwanted.KeepAsync(job.Id, keeper.Library.Time.GetUtcNow(), CancellationToken.None));
        File.Delete(link);
        await keeper.SweepAsync();
        await keeper.SweepAsync(Week);
        Assert.True(await keeper.Library.Unwanted.KeepAsync(job.Id, keeper.Library.Time.GetUtcNow(), CancellationToken.None));
        Assert.True(await keeper.IsShownAsync(Film));
        for (var i = 0; i < 3; i++)
            await keeper.SweepAsync(Month);
        Assert.True(await keeper.IsShownAsync(Film));
    }

    [Fact]
    public async Task A_hidden_file_that_is_opened_by_its_link_is_shown_again_and_its_time_begins_anew()
    {
        await using var keeper = await KeeperFixture.OpenAsync();
        var path = (await keeper.HideOneAsync(Week)).Target[LibraryFixture.MountPath.Length..];
        await ((IStoreFile)(await keeper.Library.FindAsync(path))!).OpenAsync(CancellationToken.None);
        Assert.True(await keeper.IsShownAsync(Film));
        await keeper.SweepAsync(keeper.Options.Value.HideAfter - TimeSpan.FromTicks(1));
        Assert.True(await keeper.IsShownAsync(Film));
        await keeper.SweepAsync(TimeSpan.FromTicks(1));
        Assert.False(await keeper.IsShownAsync(Film));
        await keeper.SweepAsync(keeper.Options.Value.DeleteAfter - TimeSpan.FromTicks(1));
        Assert.True(await keeper.IsThereAsync(Film));
        await keeper.SweepAsync(TimeSpan.FromTicks(1));
        Assert.False(await keeper.IsThereAsync(Film));
    }

    [Fact]
    public async Task During_the_trial_nothing_is_hidden_and_the_periods_start_afterwards()
    {
        await using var keeper = await KeeperFixture.OpenAsync();
        keeper.Options.Value = keeper.Options.Value with { Trial = TimeSpan.FromDays(14) };
        var link = (await keeper.LinkManyAsync(1))[0];
        var began = keeper.Library.Time.GetUtcNow();
        await keeper.SweepAsync();
        Assert.Equal(began.AddDays(14), keeper.Last.TrialEnds);
        File.Delete(link);
        await keeper.SweepAsync();
        await keeper.SweepAsync(TimeSpan.FromDays(13));
        Assert.True(await keeper.IsShownAsync(Film));

        // The trial is counted from the first reading, not from the start.
        await keeper.RestartAsync();
        await keeper.SweepAsync(TimeSpan.FromDays(1));
        Assert.False(await keeper.IsShownAsync(Film));
        Assert.True(await keeper.IsThereAsync(Film));
    }

    [Fact]
    public async Task A_restart_at_any_step_changes_nothing()
    {
        await using var keeper = await KeeperFixture.OpenAsync();
        var link = (await keeper.LinkManyAsync(1))[0];
        await keeper.SweepAsync();
        await keeper.RestartAsync();
        File.Delete(link);
        await keeper.SweepAsync();
        await keeper.RestartAsync();
        await keeper.SweepAsync(Week);
        Assert.False(await keeper.IsShownAsync(Film));
        await keeper.RestartAsync();
        Assert.False(await keeper.IsShownAsync(Film));
        Assert.False(await keeper.IsShownAsync("/content/movies/Film 0"));
        await keeper.SweepAsync(Month);
        Assert.False(await keeper.IsThereAsync(Film));
    }

    [Fact]
    public async Task The_name_of_a_hidden_job_is_still_taken()
    {
        await using var keeper = await KeeperFixture.OpenAsync();
        var links = await keeper.LinkManyAsync(2);
        await keeper.SweepAsync();
        File.Delete(links[0]);
        await keeper.SweepAsync();
        await keeper.SweepAsync(Week);
        Assert.Equal(StoreWriteStatus.NotFound, await keeper.Library.DeleteAsync("/content/movies/Film 0"));
        Assert.Equal(StoreWriteStatus.NotFound, await keeper.Library.MoveAsync("/content/movies/Film 0", "/content/movies/Other"));
        Assert.Equal(StoreWriteStatus.Conflict, await keeper.Library.MoveAsync("/content/movies/Film 1", "/content/movies/Film 0"));
        await keeper.Library.PublishAsync("movies", "Film 0", "new.mkv");
        Assert.Equal(["Film 0 (2)/", "Film 1/"], await keeper.Library.ListAsync("/content/movies"));
    }
}
