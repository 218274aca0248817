using NzbDav.Library.Holding;
using NzbDav.WebDav.Store;

namespace NzbDav.Library.Tests.Holding;

/// <summary>Jobs that an *arr has given up.</summary>
public class ReleaseTests
{
    private const string Job = "/content/movies/Job";

    [Fact]
    public async Task A_released_job_that_its_arr_never_imported_is_deleted()
    {
        await using var keeper = await OpenAsync(ImportAnswer.Never);
        await ReleaseAsync(keeper);
        await keeper.SettleAsync();
        Assert.False(await keeper.IsThereAsync(Job));
        Assert.Null(await keeper.Library.FindAsync("/completed-symlinks/movies/Job"));
        Assert.Empty(await keeper.Library.Unwanted.ListAbandonedAsync(CancellationToken.None));
    }

    [Theory]
    [InlineData(ImportAnswer.Imported, true)]
    [InlineData(ImportAnswer.NotApplicable, true)]
    [InlineData(ImportAnswer.Unknown, false)]
    public async Task A_released_job_stays_if_it_was_imported_is_unknown_or_gets_no_answer(ImportAnswer answer, bool settled)
    {
        await using var keeper = await OpenAsync(answer);
        await ReleaseAsync(keeper);
        await keeper.SettleAsync();
        Assert.True(await keeper.IsShownAsync(Job));
        Assert.Equal(settled, (await keeper.Library.Unwanted.ListAbandonedAsync(CancellationToken.None)).Count == 0);

        // An *arr that did not answer is asked again, also after a restart. A settled case stays settled.
        keeper.Arrs[0].Answer = ImportAnswer.Never;
        await keeper.RestartAsync();
        await keeper.SweepAsync();
        Assert.Equal(settled, await keeper.IsThereAsync(Job));
    }

    [Fact]
    public async Task A_released_job_with_a_link_in_a_folder_stays_whatever_the_arr_says()
    {
        await using var keeper = await OpenAsync(ImportAnswer.Never);
        await keeper.Library.PublishAsync("movies", "Pack", "a.mkv", "b.mkv");
        await keeper.LinkAsync("/content/movies/Pack/b.mkv", "by hand.mkv");
        Assert.Equal(StoreWriteStatus.Deleted, await keeper.Library.DeleteAsync("/completed-symlinks/movies/Pack"));
        await keeper.SettleAsync();
        Assert.True(await keeper.IsShownAsync("/content/movies/Pack/a.mkv"));
        Assert.Empty(await keeper.Library.Unwanted.ListAbandonedAsync(CancellationToken.None));
    }

    [Fact]
    public async Task A_released_job_stays_until_every_folder_can_be_read()
    {
        await using var keeper = await OpenAsync(ImportAnswer.Never);
        await ReleaseAsync(keeper);
        Directory.Move(keeper.Folder, keeper.Folder + ".away");
        await keeper.SettleAsync();
        await keeper.SweepAsync();
        Assert.True(await keeper.IsShownAsync(Job));
        Directory.Move(keeper.Folder + ".away", keeper.Folder);
        await keeper.SweepAsync();
        Assert.False(await keeper.IsThereAsync(Job));
    }

    [Fact]
    public async Task An_arr_whose_files_are_not_visible_decides_by_its_history()
    {
        await using var keeper = await OpenAsync(ImportAnswer.Never);
        keeper.Arrs[0].Problem = "none of its files can be seen from here";
        await ReleaseAsync(keeper);
        await keeper.SweepAsync();
        Assert.False(await keeper.IsThereAsync(Job));
    }

    [Fact]
    public async Task Without_an_arr_a_folder_decides_for_categories_it_had_links_of()
    {
        await using var keeper = await KeeperFixture.OpenAsync();
        foreach (var category in (string[])["movies", "tv"])
        {
            await keeper.Library.PublishAsync(category, "Job", "a.mkv");
            await keeper.Library.TextAsync($"/completed-symlinks/{category}/Job/a.mkv.rclonelink");
            Assert.Equal(StoreWriteStatus.Deleted, await keeper.Library.DeleteAsync($"/completed-symlinks/{category}/Job"));
        }

        await keeper.LinkManyAsync(1);
        await keeper.SettleAsync();
        Assert.False(await keeper.IsThereAsync("/content/movies/Job"));
        Assert.True(await keeper.IsShownAsync("/content/tv/Job"));
    }

    /// <summary>Only folders are read when a job is released: that they lack a link says nothing where the links are an *arr's.</summary>
    [Fact]
    public async Task A_folder_does_not_decide_for_a_category_whose_links_only_an_arr_has()
    {
        await using var keeper = await KeeperFixture.OpenAsync();
        keeper.Arrs.Add(new StubArr("tv"));
        await keeper.Library.PublishAsync("tv-sonarr", "Old", "a.mkv");
        keeper.Arrs[0].Links.Add(
            new FoundLink("Arr: /tv/Old/a.mkv", await keeper.Library.TextAsync("/completed-symlinks/tv-sonarr/Old/a.mkv.rclonelink")));
        await keeper.SweepAsync();
        await keeper.Library.PublishAsync("tv-sonarr", "New", "a.mkv");
        await keeper.Library.TextAsync("/completed-symlinks/tv-sonarr/New/a.mkv.rclonelink");
        Assert.Equal(StoreWriteStatus.Deleted, await keeper.Library.DeleteAsync("/completed-symlinks/tv-sonarr/New"));
        await keeper.SettleAsync();
        Assert.True(await keeper.IsShownAsync("/content/tv-sonarr/New/a.mkv"));
    }

    [Fact]
    public async Task Without_libraries_a_released_job_stays()
    {
        await using var keeper = await OpenAsync(ImportAnswer.Never);
        keeper.Arrs.Clear();
        keeper.Options.Value = keeper.Options.Value with { Folders = [] };
        await ReleaseAsync(keeper);
        await keeper.SettleAsync();
        await keeper.SweepAsync();
        Assert.True(await keeper.IsShownAsync(Job));
    }

    [Fact]
    public async Task A_user_can_keep_a_released_job_before_it_is_decided()
    {
        await using var keeper = await OpenAsync(ImportAnswer.Unknown);
        await ReleaseAsync(keeper);
        await keeper.SettleAsync();
        var job = (await keeper.Library.Tree.ResolveAsync(["content", "movies", "Job"], CancellationToken.None))!;
        Assert.True(await keeper.Library.Unwanted.KeepAsync(job.Id, keeper.Library.Time.GetUtcNow(), CancellationToken.None));
        keeper.Arrs[0].Answer = ImportAnswer.Never;
        await keeper.SweepAsync();
        Assert.True(await keeper.IsShownAsync(Job));
    }

    [Fact]
    public async Task Deleting_single_links_does_not_release_the_job()
    {
        await using var keeper = await OpenAsync(ImportAnswer.Never);
        Assert.Equal(StoreWriteStatus.Deleted, await keeper.Library.DeleteAsync("/completed-symlinks/movies/Job/a.mkv.rclonelink"));
        await keeper.SettleAsync();
        Assert.True(await keeper.IsShownAsync(Job));
    }

    private static async Task<KeeperFixture> OpenAsync(ImportAnswer answer)
    {
        var keeper = await KeeperFixture.OpenAsync();
        keeper.Arrs.Add(new StubArr("movies") { Answer = answer });
        await keeper.Library.PublishAsync("movies", "Job", "a.mkv", "b.nfo");
        return keeper;
    }

    /// <summary>Reads the link, as a mount does for a listing, and deletes the folder.</summary>
    private static async Task ReleaseAsync(KeeperFixture keeper)
    {
        await keeper.Library.TextAsync("/completed-symlinks/movies/Job/a.mkv.rclonelink");
        Assert.Equal(StoreWriteStatus.Deleted, await keeper.Library.DeleteAsync("/completed-symlinks/movies/Job"));
    }
}
