using NzbDav.Catalog.Health;
using NzbDav.Library.Health;

namespace NzbDav.Library.Tests.Health;

/// <summary>What is tried for a post that is confirmed missing, and how it is undone.</summary>
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
    public async Task A_repair_that_does_not_end_in_a_week_counts_as_failed()
    {
        await using var fixture = await HealthFixture.OpenAsync();
        await fixture.AddAsync(1);
        fixture.Endless.Add(1);
        fixture.TakeDown(1);
        await fixture.PassAsync(TimeSpan.FromDays(5));
        Assert.Equal((HealthStage.Repairing, "It is being repaired from its recovery data."),
            ((await fixture.PostAsync(1)).Stage, (await fixture.PostAsync(1)).Reason));
        await fixture.PassAsync(TimeSpan.FromDays(6));
        Assert.Contains(HealthEventKind.RepairFailed, await fixture.EventsAsync(1));
        Assert.Equal([1], fixture.Searched.Keys);
    }

    [Fact]
    public async Task Another_post_is_waited_for_while_the_provider_that_may_have_it_is_away()
    {
        await using var fixture = await HealthFixture.OpenAsync();
        await LoseAsync(fixture);
        await fixture.PassAsync(TimeSpan.FromDays(4));
        Assert.Equal(
            (HealthVerdict.Missing, HealthStage.Matching), ((await fixture.PostAsync(1)).Verdict, (await fixture.PostAsync(1)).Stage));
        Assert.Empty(fixture.Searched);

        // One article that is not there for certain is enough to wait.
        var before = fixture.News.Stats.Values.Sum();
        await fixture.PassAsync(TimeSpan.FromHours(1), stepHours: 1);
        Assert.InRange(fixture.News.Stats.Values.Sum() - before, 1, 3);
        fixture.News.Away.Clear();
        await fixture.PassAsync(TimeSpan.FromHours(6));
        Assert.Equal(HealthVerdict.Replaced, (await fixture.PostAsync(1)).Verdict);
        Assert.Empty(fixture.Searched);
    }

    [Fact]
    public async Task Another_post_that_cannot_be_judged_is_not_waited_for_longer_than_two_days()
    {
        await using var fixture = await HealthFixture.OpenAsync();
        await LoseAsync(fixture);
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
            new HealthChange(
                await fixture.PostAsync(1) with { Verdict = HealthVerdict.Missing, Stage = HealthStage.Asking, Due = fixture.Now })
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
    public async Task A_post_that_was_given_up_is_whole_once_its_damaged_file_is_deleted()
    {
        await using var fixture = await HealthFixture.OpenAsync();
        await fixture.AddAsync(1, files: 2);
        await fixture.PassAsync(TimeSpan.FromDays(2));
        var damaged = (await fixture.Store.FilesAsync(fixture.ItemOf(1), CancellationToken.None))[0];
        await fixture.Store.SaveAsync(
            new HealthChange(await fixture.PostAsync(1) with { Verdict = HealthVerdict.GivenUp, Due = fixture.Now })
            {
                Gone = [new GoneArticle("1.3@test", damaged.Id, fixture.Now, fixture.Now, 2, ["Alpha", "Bravo", "Charlie"])],
            },
            CancellationToken.None);
        Assert.True(await fixture.Library.Tree.DeleteAsync(damaged.Id, CancellationToken.None));
        await fixture.Runner.RunAsync(CancellationToken.None);
        var post = await fixture.PostAsync(1);
        Assert.Equal((HealthVerdict.Healthy, 0), (post.Verdict, post.Gone));
        Assert.Empty(await fixture.Store.GoneAsync(post.ItemId, CancellationToken.None));
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

    /// <summary>A post that is gone. Another one of its release is only at Bravo, which stops answering before it is looked for.</summary>
    private static async Task LoseAsync(HealthFixture fixture)
    {
        await fixture.AddAsync(1, name: "Film.2030");
        await fixture.AddAsync(2, name: "Film 2030");
        fixture.News.Only[2] = "Bravo";
        fixture.AreSame = true;
        fixture.TakeDown(1);
        fixture.BeforeMend = () => fixture.News.Away.Add("Bravo");
    }
}
