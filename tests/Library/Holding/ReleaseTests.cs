using NzbDav.Catalog;
using NzbDav.Library.Holding;
using NzbDav.WebDav;

namespace NzbDav.Library.Tests.Holding;

/// <summary>Jobs that an *arr gave up.</summary>
public class ReleaseTests
{
    private const string Job = "/content/movies/Job";

    [Fact]
    public async Task A_job_that_its_arr_never_imported_goes()
    {
        await using var keeper = await OpenAsync(ImportAnswer.Never);
        await ReleaseAsync(keeper);
        await keeper.SettleAsync();
        Assert.False(await keeper.IsThereAsync(Job));
        Assert.Null(await keeper.Library.FindAsync("/completed-symlinks/movies/Job"));
        Assert.Empty(await keeper.Library.Holds.ListReleasedAsync(CancellationToken.None));
    }

    [Theory]
    [InlineData(ImportAnswer.Imported, true)]
    [InlineData(ImportAnswer.NotAsked, true)]
    [InlineData(ImportAnswer.Unknown, false)]
    public async Task A_job_stays_that_was_imported_that_nobody_knows_or_of_which_nobody_answers(ImportAnswer answer, bool settled)
    {
        await using var keeper = await OpenAsync(answer);
        await ReleaseAsync(keeper);
        await keeper.SettleAsync();
        Assert.True(await keeper.IsShownAsync(Job));
        Assert.Equal(settled, (await keeper.Library.Holds.ListReleasedAsync(CancellationToken.None)).Count == 0);

        // Who did not answer is asked again, also after a restart; what is settled is so for good.
        keeper.Arrs[0].Answer = ImportAnswer.Never;
        await keeper.RestartAsync();
        await keeper.SweepAsync();
        Assert.Equal(settled, await keeper.IsThereAsync(Job));
    }

    [Fact]
    public async Task A_job_of_which_a_folder_has_a_link_stays_whatever_the_arr_says()
    {
        await using var keeper = await OpenAsync(ImportAnswer.Never);
        await keeper.Library.PublishAsync("movies", "Pack", "a.mkv", "b.mkv");
        await keeper.LinkAsync("/content/movies/Pack/b.mkv", "by hand.mkv");
        Assert.Equal(StoreWriteStatus.Deleted, await keeper.Library.DeleteAsync("/completed-symlinks/movies/Pack"));
        await keeper.SettleAsync();
        Assert.True(await keeper.IsShownAsync("/content/movies/Pack/a.mkv"));
        Assert.Empty(await keeper.Library.Holds.ListReleasedAsync(CancellationToken.None));
    }

    [Fact]
    public async Task A_job_stays_while_a_folder_cannot_be_read_and_goes_then()
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
    public async Task An_arr_whose_files_cannot_be_seen_from_here_decides_by_its_history()
    {
        await using var keeper = await OpenAsync(ImportAnswer.Never);
        keeper.Arrs[0].Problem = "none of its files can be seen from here";
        await ReleaseAsync(keeper);
        await keeper.SweepAsync();
        Assert.False(await keeper.IsThereAsync(Job));
    }

    [Fact]
    public async Task Without_an_arr_a_folder_decides_about_categories_of_which_it_had_links()
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

    [Fact]
    public async Task Without_libraries_a_job_stays()
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
    public async Task A_person_may_keep_a_job_before_it_is_decided()
    {
        await using var keeper = await OpenAsync(ImportAnswer.Unknown);
        await ReleaseAsync(keeper);
        await keeper.SettleAsync();
        var job = (await keeper.Library.Tree.ResolveAsync(["content", "movies", "Job"], CancellationToken.None))!;
        Assert.True(await keeper.Library.Holds.KeepAsync(job.Id, keeper.Library.Time.GetUtcNow(), CancellationToken.None));
        keeper.Arrs[0].Answer = ImportAnswer.Never;
        await keeper.SweepAsync();
        Assert.True(await keeper.IsShownAsync(Job));
    }

    [Fact]
    public async Task Links_that_go_one_by_one_release_nothing()
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

    /// <summary>The link is read, as a mount does for a list, and the folder is deleted.</summary>
    private static async Task ReleaseAsync(KeeperFixture keeper)
    {
        await keeper.Library.TextAsync("/completed-symlinks/movies/Job/a.mkv.rclonelink");
        Assert.Equal(StoreWriteStatus.Deleted, await keeper.Library.DeleteAsync("/completed-symlinks/movies/Job"));
    }
}
