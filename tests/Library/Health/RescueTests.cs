using NzbDav.Catalog.Health;
using NzbDav.Library.Health;

namespace NzbDav.Library.Tests.Health;

/// <summary>What happens to a post that is confirmed missing, and how it is undone.</summary>
public sealed class RescueTests
{
    [Fact]
    public async Task Recovery_data_is_tried_first()
    {
        await using var fixture = await HealthFixture.OpenAsync();
        fixture.Mendable.Add(1);
        await fixture.AddAsync(1);
        fixture.TakeDown(1);
        await fixture.PassAsync(TimeSpan.FromDays(4));
        Assert.Equal(HealthVerdict.Repaired, (await fixture.PostAsync(1)).Verdict);
        Assert.Equal([HealthEventKind.Suspected, HealthEventKind.Confirmed, HealthEventKind.Repaired], (await fixture.EventsAsync(1))[..3]);
        Assert.Empty(fixture.Searched);
    }

    [Fact]
    public async Task A_file_reads_from_another_post_of_the_same_release_and_can_be_put_back()
    {
        await using var fixture = await HealthFixture.OpenAsync();
        await fixture.AddAsync(1, name: "Film.2030");
        await fixture.AddAsync(2, name: "Film 2030");
        var before = (await fixture.Store.FilesAsync(fixture.ItemOf(1), CancellationToken.None))[0];
        var other = (await fixture.Store.FilesAsync(fixture.ItemOf(2), CancellationToken.None))[0];
        fixture.AreSame = true;
        fixture.TakeDown(1);
        await fixture.PassAsync(TimeSpan.FromDays(4));
        var swapped = (await fixture.Store.FilesAsync(fixture.ItemOf(1), CancellationToken.None))[0];
        Assert.Equal((HealthVerdict.Replaced, other.ExtentMap), ((await fixture.PostAsync(1)).Verdict, swapped.ExtentMap));
        Assert.Equal((before.Id, before.ETag), (swapped.Id, swapped.ETag));

        Assert.True(await fixture.Desk.UndoAsync(fixture.ItemOf(1), CancellationToken.None));
        var back = (await fixture.Store.FilesAsync(fixture.ItemOf(1), CancellationToken.None))[0];
        Assert.Equal(before.ExtentMap, back.ExtentMap);
        Assert.Equal(40, (await fixture.Library.Maps.ReadAsync(back.ExtentMap!.Value, CancellationToken.None)).Map.Segments.Count);
        Assert.NotNull((await fixture.PostAsync(1)).Kept);
        Assert.False(await fixture.Desk.UndoAsync(fixture.ItemOf(1), CancellationToken.None));
    }

    [Fact]
    public async Task A_repair_that_fails_for_a_temporary_reason_is_tried_again_for_a_week()
    {
        await using var fixture = await HealthFixture.OpenAsync();
        await fixture.AddAsync(1);
        await fixture.AddAsync(2);
        fixture.Delayed.UnionWith([1, 2]);
        fixture.TakeDown(1);
        fixture.TakeDown(2);
        await fixture.PassAsync(TimeSpan.FromDays(5));
        var waiting = await fixture.PostAsync(1);
        Assert.Equal((HealthVerdict.Missing, HealthStage.Repairing), (waiting.Verdict, waiting.Stage));
        Assert.Contains("Bravo does not answer.", waiting.Reason, StringComparison.Ordinal);
        Assert.Empty(fixture.Searched);
        fixture.Delayed.Remove(1);
        fixture.Mendable.Add(1);
        await fixture.PassAsync(TimeSpan.FromDays(6));
        Assert.Contains(HealthEventKind.Repaired, await fixture.EventsAsync(1));
        Assert.Contains(HealthEventKind.RepairFailed, await fixture.EventsAsync(2));
        Assert.Equal([2], fixture.Searched.Keys);
    }

    [Fact]
    public async Task Another_post_is_waited_for_while_the_provider_that_may_have_it_is_away()
    {
        await using var fixture = await HealthFixture.OpenAsync();
        await fixture.AddAsync(1, name: "Film.2030");
        await fixture.AddAsync(2, name: "Film 2030");
        fixture.News.Only[2] = "Bravo";
        fixture.AreSame = true;
        fixture.TakeDown(1);
        fixture.BeforeMend = () => fixture.News.Away.Add("Bravo");
        await fixture.PassAsync(TimeSpan.FromDays(4));
        Assert.Equal((HealthVerdict.Missing, HealthStage.Matching), ((await fixture.PostAsync(1)).Verdict, (await fixture.PostAsync(1)).Stage));
        Assert.Empty(fixture.Searched);
        fixture.News.Away.Clear();
        await fixture.PassAsync(TimeSpan.FromHours(6));
        Assert.Equal(HealthVerdict.Replaced, (await fixture.PostAsync(1)).Verdict);
        Assert.Empty(fixture.Searched);
    }

    [Fact]
    public async Task Another_post_that_cannot_be_judged_is_not_waited_for_longer_than_two_days()
    {
        await using var fixture = await HealthFixture.OpenAsync();
        await fixture.AddAsync(1, name: "Film.2030");
        await fixture.AddAsync(2, name: "Film 2030");
        fixture.News.Only[2] = "Bravo";
        fixture.AreSame = true;
        fixture.TakeDown(1);
        fixture.BeforeMend = () => fixture.News.Away.Add("Bravo");
        await fixture.PassAsync(TimeSpan.FromDays(7));
        Assert.Equal([1], fixture.Searched.Keys);
    }

    [Fact]
    public async Task A_post_whose_damaged_file_was_deleted_is_checked_anew()
    {
        await using var fixture = await HealthFixture.OpenAsync();
        await fixture.AddAsync(1, files: 2);
        await fixture.AddAsync(2);
        await fixture.PassAsync(TimeSpan.FromDays(2));
        var damaged = (await fixture.Store.FilesAsync(fixture.ItemOf(1), CancellationToken.None))[0];
        await fixture.Store.SaveAsync(
            new HealthChange(await fixture.PostAsync(1) with { Verdict = HealthVerdict.Missing, Stage = HealthStage.Asking, Due = fixture.Now })
            {
                Gone = [new GoneArticle("1.3@test", damaged.Id, fixture.Now, fixture.Now, 2, ["Alpha", "Bravo", "Charlie"])],
            },
            CancellationToken.None);
        Assert.True(await fixture.Library.Tree.DeleteAsync(damaged.Id, CancellationToken.None));
        await fixture.Runner.RunAsync(CancellationToken.None);
        var post = await fixture.PostAsync(1);
        Assert.Equal((HealthVerdict.Healthy, HealthStage.None, 0), (post.Verdict, post.Stage, post.Gone));
        Assert.Empty(fixture.Searched);
    }

    [Fact]
    public async Task Another_post_with_other_bytes_is_not_used()
    {
        await using var fixture = await HealthFixture.OpenAsync();
        await fixture.AddAsync(1, name: "Film.2030");
        await fixture.AddAsync(2, name: "Film 2030");
        fixture.AreSame = false;
        fixture.TakeDown(1);
        await fixture.PassAsync(TimeSpan.FromDays(4));
        Assert.DoesNotContain(HealthEventKind.Swapped, await fixture.EventsAsync(1));
        Assert.Contains(1, fixture.Searched.Keys);
    }

    [Fact]
    public async Task The_old_post_is_hidden_once_the_replacement_plays_and_deleted_a_month_later()
    {
        await using var fixture = await HealthFixture.OpenAsync();
        await fixture.AddAsync(1);
        fixture.Replacement[1] = 2;
        fixture.TakeDown(1);
        await fixture.PassAsync(TimeSpan.FromDays(4));
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
        Assert.DoesNotContain(fixture.ItemOf(1), fixture.Library.Holds.Hidden);
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
        await fixture.AddAsync(1);
        fixture.Replacement[1] = 2;
        fixture.TakeDown(1);
        await fixture.PassAsync(TimeSpan.FromDays(4));
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
        Assert.True(await fixture.Desk.HurryAsync(fixture.ItemOf(1), CancellationToken.None));
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
    public async Task Opening_a_hidden_post_by_its_link_restores_it()
    {
        await using var fixture = await HealthFixture.OpenAsync();
        await HideAsync(fixture);
        var file = (await fixture.Store.FilesAsync(fixture.ItemOf(1), CancellationToken.None))[0];
        Assert.True(await fixture.Library.Holds.KeepAsync(file.Id, fixture.Now, CancellationToken.None));
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
        Assert.Single(fixture.Library.Holds.Hidden);
        Assert.Equal(2, await fixture.Desk.CountWaitingAsync(CancellationToken.None));
        Assert.NotNull((await fixture.Store.StateAsync(CancellationToken.None)).Braked);
        Assert.True(await fixture.Desk.ReleaseAsync(CancellationToken.None));
        await fixture.Runner.RunAsync(CancellationToken.None);
        Assert.Equal(3, fixture.Library.Holds.Hidden.Count);
        Assert.False(await fixture.Desk.ReleaseAsync(CancellationToken.None));
    }

    [Fact]
    public async Task Replacement_needs_permission_and_a_post_given_up_is_retried_with_it()
    {
        await using var fixture = await HealthFixture.OpenAsync();
        fixture.Options.Value = fixture.Options.Value with { Action = HealthAction.Repair };
        await fixture.AddAsync(1);
        fixture.TakeDown(1);
        await fixture.PassAsync(TimeSpan.FromDays(4));
        Assert.Equal(HealthVerdict.GivenUp, (await fixture.PostAsync(1)).Verdict);
        Assert.Empty(fixture.Searched);
        fixture.Options.Value = fixture.Options.Value with { Action = HealthAction.Replace };
        await fixture.Desk.KeepAsync(fixture.ItemOf(1), keep: false, CancellationToken.None);
        await fixture.PassAsync(TimeSpan.FromDays(1));
        Assert.Contains(1, fixture.Searched.Keys);
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

    private static async Task<bool> IsShownAsync(HealthFixture fixture, int job) => (await fixture.Library.ListAsync("/content/tv")).Contains($"Job {job}/");
}
