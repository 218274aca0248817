using NzbDav.Catalog.Health;

namespace NzbDav.Library.Tests.Health;

/// <summary>A post whose replacement plays is hidden, and deleted a month later, unless something speaks against it.</summary>
public sealed class RetirementTests
{
    [Fact]
    public async Task The_old_post_is_hidden_once_the_replacement_plays_and_deleted_a_month_later()
    {
        await using var fixture = await HealthFixture.OpenAsync();
        await SearchAsync(fixture);
        Assert.Equal((HealthStage.Searching, true), ((await fixture.PostAsync(1)).Stage, await IsShownAsync(fixture, 1)));

        // The replacement is imported but missing as well: the old post stays.
        await fixture.AddAsync(2);
        fixture.TakeDown(2);
        await fixture.PassAsync(TimeSpan.FromDays(1));
        Assert.True(await IsShownAsync(fixture, 1));
        fixture.News.Restore(2);
        await fixture.PassAsync(TimeSpan.FromDays(1));
        var hidden = await fixture.PostAsync(1);
        Assert.Equal((HealthVerdict.Replaced, HealthStage.Hidden, false), (hidden.Verdict, hidden.Stage, await IsShownAsync(fixture, 1)));
        await fixture.PassAsync(TimeSpan.FromDays(29));
        Assert.NotNull(await fixture.Library.Tree.GetAsync(fixture.ItemOf(1), CancellationToken.None));
        await fixture.PassAsync(TimeSpan.FromDays(3));
        Assert.Null(await fixture.Library.Tree.GetAsync(fixture.ItemOf(1), CancellationToken.None));
        Assert.Equal(HealthEventKind.Deleted, (await fixture.EventsAsync(1))[^1]);
    }

    [Fact]
    public async Task A_pack_with_only_one_file_replaced_stays()
    {
        await using var fixture = await HealthFixture.OpenAsync();
        await fixture.AddAsync(1, articles: 4, files: 3);
        await fixture.PassAsync(TimeSpan.FromDays(40));
        fixture.TakeDown(1);
        await fixture.AddAsync(2);
        fixture.Replacement[1] = 2;
        await fixture.PassAsync(TimeSpan.FromDays(90));
        Assert.Contains(HealthEventKind.ReplacementPlays, await fixture.EventsAsync(1));
        var post = await fixture.PostAsync(1);
        Assert.Null(post.Hidden);
        Assert.Contains("3 large files", post.Reason, StringComparison.Ordinal);
        Assert.DoesNotContain(fixture.ItemOf(1), fixture.Library.Unwanted.Hidden);
    }

    [Fact]
    public async Task A_hidden_post_that_answers_is_shown_again()
    {
        await using var fixture = await HealthFixture.OpenAsync();
        await HideAsync(fixture);
        fixture.News.Restore(1);
        await fixture.PassAsync(TimeSpan.FromDays(32));
        Assert.True(await IsShownAsync(fixture, 1));
        Assert.NotNull(await fixture.Library.Tree.GetAsync(fixture.ItemOf(1), CancellationToken.None));
        Assert.Contains(HealthEventKind.Recovered, await fixture.EventsAsync(1));
    }

    [Fact]
    public async Task A_post_that_answers_when_its_replacement_plays_is_not_hidden()
    {
        await using var fixture = await HealthFixture.OpenAsync();
        await SearchAsync(fixture);
        fixture.News.Restore(1);
        await fixture.AddAsync(2);
        await fixture.PassAsync(TimeSpan.FromDays(40));
        Assert.True(await IsShownAsync(fixture, 1));
        Assert.DoesNotContain(HealthEventKind.Hidden, await fixture.EventsAsync(1));
        Assert.Equal(HealthVerdict.Healthy, (await fixture.PostAsync(1)).Verdict);
    }

    [Fact]
    public async Task A_hidden_post_that_the_user_restores_is_left_alone()
    {
        await using var fixture = await HealthFixture.OpenAsync();
        await HideAsync(fixture);
        Assert.True(await fixture.Desk.UndoAsync(fixture.ItemOf(1), CancellationToken.None));
        Assert.True(await IsShownAsync(fixture, 1));
        await fixture.PassAsync(TimeSpan.FromDays(60));
        var post = await fixture.PostAsync(1);
        Assert.Equal((HealthVerdict.Missing, HealthStage.None, null), (post.Verdict, post.Stage, post.Hidden));
    }

    [Fact]
    public async Task A_hidden_post_that_is_checked_early_is_deleted_no_earlier()
    {
        await using var fixture = await HealthFixture.OpenAsync();
        await HideAsync(fixture);
        Assert.NotNull(await fixture.Runner.CheckAsync(fixture.ItemOf(1), CancellationToken.None));
        Assert.True(await fixture.Desk.CheckNextAsync(fixture.ItemOf(1), CancellationToken.None));
        await fixture.PassAsync(TimeSpan.FromDays(20));
        Assert.Equal(HealthStage.Hidden, (await fixture.PostAsync(1)).Stage);
        await fixture.PassAsync(TimeSpan.FromDays(13));
        Assert.Null(await fixture.Library.Tree.GetAsync(fixture.ItemOf(1), CancellationToken.None));
    }

    [Fact]
    public async Task A_hidden_post_that_a_person_leaves_alone_is_not_deleted()
    {
        await using var fixture = await HealthFixture.OpenAsync();
        await HideAsync(fixture);
        Assert.True(await fixture.Desk.KeepAsync(fixture.ItemOf(1), keep: true, CancellationToken.None));
        await fixture.PassAsync(TimeSpan.FromDays(70));
        Assert.Equal(HealthStage.Hidden, (await fixture.PostAsync(1)).Stage);
        Assert.NotNull(await fixture.Library.Tree.GetAsync(fixture.ItemOf(1), CancellationToken.None));
    }

    [Fact]
    public async Task A_link_that_is_found_just_before_a_hidden_post_is_deleted_keeps_it()
    {
        await using var fixture = await HealthFixture.OpenAsync();
        await HideAsync(fixture);
        var id = fixture.ItemOf(1);
        var since = (await fixture.PostAsync(1)).Hidden!.Value;
        var happened = new HealthEvent(id, "Job 1", fixture.Now, HealthEventKind.Deleted, "Its time was over.");
        Assert.False(await fixture.Store.DeleteHiddenAsync(happened, since.AddTicks(-1), CancellationToken.None));
        var file = (await fixture.Store.FilesAsync(id, CancellationToken.None))[0];
        await fixture.Library.Holds.AddAsync(new Dictionary<long, string> { [file.Id] = "/tv/a.mkv" }, fixture.Now, CancellationToken.None);
        Assert.False(await fixture.Store.DeleteHiddenAsync(happened, since, CancellationToken.None));
        await fixture.Library.Holds.RecordAsync([file.Id], [], fixture.Now, CancellationToken.None);
        await fixture.Desk.KeepAsync(id, keep: true, CancellationToken.None);
        Assert.False(await fixture.Store.DeleteHiddenAsync(happened, since, CancellationToken.None));
        Assert.DoesNotContain(HealthEventKind.Deleted, await fixture.EventsAsync(1));
        await fixture.Desk.KeepAsync(id, keep: false, CancellationToken.None);
        fixture.TakeRemovals();
        Assert.True(await fixture.Store.DeleteHiddenAsync(happened, since, CancellationToken.None));
        Assert.Equal((true, null), (fixture.TakeRemovals(), await fixture.Library.Tree.GetAsync(id, CancellationToken.None)));
        Assert.Equal(HealthEventKind.Deleted, (await fixture.EventsAsync(1))[^1]);
    }

    [Fact]
    public async Task A_hidden_post_with_a_file_that_a_person_kept_is_asked_about_once_a_month_and_stays()
    {
        await using var fixture = await HealthFixture.OpenAsync();
        await fixture.AddAsync(1);
        var file = (await fixture.Store.FilesAsync(fixture.ItemOf(1), CancellationToken.None))[0];
        await fixture.Library.Holds.AddAsync(new Dictionary<long, string> { [file.Id] = "/tv/a.mkv" }, fixture.Now, CancellationToken.None);
        await fixture.Library.Holds.RecordAsync([file.Id], [], fixture.Now, CancellationToken.None);
        Assert.True(await fixture.Library.Unwanted.KeepAsync(file.Id, fixture.Now, CancellationToken.None));
        await fixture.AddAsync(2);
        fixture.Replacement[1] = 2;
        fixture.TakeDown(1);
        await fixture.PassAsync(TimeSpan.FromDays(40));
        var post = await fixture.PostAsync(1);
        Assert.Equal(HealthStage.Hidden, post.Stage);
        Assert.StartsWith("It stays hidden:", post.Reason, StringComparison.Ordinal);
        Assert.True(post.Due > fixture.Now + TimeSpan.FromDays(10), $"{post.Due}");
    }

    [Fact]
    public async Task Opening_a_hidden_post_by_its_link_restores_it()
    {
        await using var fixture = await HealthFixture.OpenAsync();
        await HideAsync(fixture);
        var file = (await fixture.Store.FilesAsync(fixture.ItemOf(1), CancellationToken.None))[0];
        Assert.True(await fixture.Library.Unwanted.KeepAsync(file.Id, fixture.Now, CancellationToken.None));
        Assert.True(await IsShownAsync(fixture, 1));
        Assert.NotNull((await fixture.PostAsync(1)).Kept);
    }

    [Fact]
    public async Task Past_the_daily_limit_nothing_is_hidden_until_the_user_confirms()
    {
        await using var fixture = await HealthFixture.OpenAsync();
        fixture.Options.Value = fixture.Options.Value with { RemovalsPerDay = 1 };
        for (var job = 1; job <= 3; job++)
        {
            await fixture.AddAsync(job);
            await fixture.AddAsync(10 + job);
            fixture.Replacement[job] = 10 + job;
            fixture.TakeDown(job);
        }

        await fixture.PassAsync(TimeSpan.FromDays(10));
        Assert.Single(fixture.Library.Unwanted.Hidden);
        Assert.Equal(2, await fixture.Desk.CountWaitingAsync(CancellationToken.None));
        Assert.NotNull((await fixture.Store.StateAsync(CancellationToken.None)).Braked);
        Assert.True(await fixture.Desk.AllowRemovalsAsync(CancellationToken.None));
        await fixture.Runner.RunAsync(CancellationToken.None);
        Assert.Equal(3, fixture.Library.Unwanted.Hidden.Count);
        Assert.False(await fixture.Desk.AllowRemovalsAsync(CancellationToken.None));
    }

    /// <summary>A post that is gone, and for which another one is searched.</summary>
    private static async Task SearchAsync(HealthFixture fixture)
    {
        await fixture.AddAsync(1);
        fixture.Replacement[1] = 2;
        fixture.TakeDown(1);
        await fixture.PassAsync(TimeSpan.FromDays(4));
    }

    private static async Task HideAsync(HealthFixture fixture)
    {
        await fixture.AddAsync(1);
        await fixture.AddAsync(2);
        fixture.Replacement[1] = 2;
        fixture.TakeDown(1);
        await fixture.PassAsync(TimeSpan.FromDays(5));
        Assert.False(await IsShownAsync(fixture, 1));
    }

    private static async Task<bool> IsShownAsync(HealthFixture fixture, int job) =>
        (await fixture.Library.ListAsync("/content/tv")).Contains($"Job {job}/");
}
