using NzbDav.Catalog.Health;
using NzbDav.Library.Health;

namespace NzbDav.Library.Tests.Health;

/// <summary>When a post counts as missing.</summary>
public sealed class VerdictTests
{
    [Fact]
    public async Task A_post_is_missing_when_every_account_denied_it_twice_two_days_apart()
    {
        await using var fixture = await HealthFixture.OpenAsync();
        fixture.Options.Value = fixture.Options.Value with { Action = HealthAction.Check };
        await fixture.AddAsync(1);
        await fixture.PassAsync(TimeSpan.FromDays(2));
        Assert.Equal(HealthVerdict.Healthy, (await fixture.PostAsync(1)).Verdict);
        fixture.TakeDown(1);
        await fixture.Desk.CheckNextAsync(fixture.ItemOf(1), CancellationToken.None);
        await fixture.Runner.RunAsync(CancellationToken.None);
        var suspected = await fixture.PostAsync(1);
        Assert.Equal(HealthVerdict.Suspect, suspected.Verdict);
        Assert.Contains("Alpha, Bravo, Charlie", suspected.Reason, StringComparison.Ordinal);

        // A denial too soon after the first proves nothing.
        fixture.Library.Time.Advance(TimeSpan.FromDays(2) - TimeSpan.FromHours(1));
        await fixture.Runner.CheckAsync(fixture.ItemOf(1), CancellationToken.None);
        Assert.Equal(HealthVerdict.Suspect, (await fixture.PostAsync(1)).Verdict);
        await fixture.PassAsync(TimeSpan.FromHours(24));
        Assert.Equal(HealthVerdict.Missing, (await fixture.PostAsync(1)).Verdict);
        Assert.Equal([HealthEventKind.Suspected, HealthEventKind.Confirmed], await fixture.EventsAsync(1));
        Assert.Contains(await fixture.Store.GoneAsync(fixture.ItemOf(1), CancellationToken.None), article => article.Times == 2);
    }

    [Fact]
    public async Task A_post_that_is_available_again_is_no_longer_suspected()
    {
        await using var fixture = await HealthFixture.OpenAsync();
        await fixture.AddAsync(1);
        fixture.TakeDown(1);
        await fixture.PassAsync(TimeSpan.FromDays(1.5));
        Assert.Equal(HealthVerdict.Suspect, (await fixture.PostAsync(1)).Verdict);
        fixture.News.Restore(1);
        await fixture.PassAsync(TimeSpan.FromDays(3));
        var post = await fixture.PostAsync(1);
        Assert.Equal((HealthVerdict.Healthy, 0), (post.Verdict, post.Gone));
        Assert.Equal([HealthEventKind.Suspected, HealthEventKind.Recovered], await fixture.EventsAsync(1));
    }

    [Fact]
    public async Task An_account_that_does_not_answer_proves_nothing()
    {
        await using var fixture = await HealthFixture.OpenAsync();
        await fixture.AddAsync(1);
        fixture.TakeDown(1);
        fixture.News.Away.Add("Bravo");
        await fixture.PassAsync(TimeSpan.FromDays(20));
        var post = await fixture.PostAsync(1);
        Assert.Equal((HealthVerdict.New, 0), (post.Verdict, post.Gone));
        Assert.Equal("No answer that counts from Bravo.", post.Reason);
        fixture.News.Away.Clear();
        await fixture.PassAsync(TimeSpan.FromDays(5));
        Assert.Contains(HealthEventKind.Confirmed, await fixture.EventsAsync(1));
    }

    [Fact]
    public async Task An_account_that_suddenly_denies_much_does_not_count_until_it_is_proven()
    {
        await using var fixture = await HealthFixture.OpenAsync();
        for (var job = 0; job < 40; job++)
        {
            fixture.News.Only[job] = "Bravo";
            await fixture.AddAsync(job);
        }

        await fixture.PassAsync(TimeSpan.FromDays(6));
        fixture.News.Denying.Add("Bravo");
        await fixture.PassAsync(TimeSpan.FromDays(1));
        Assert.NotNull(
            Assert.Single(await fixture.Store.AccountsAsync(CancellationToken.None), account =>
            account.Account == "Bravo").DistrustedSince);
        await fixture.PassAsync(TimeSpan.FromDays(6));
        Assert.Equal(0, (await fixture.Store.CountAsync(CancellationToken.None)).GetValueOrDefault(HealthVerdict.Missing));
        fixture.News.Denying.Clear();
        await fixture.PassAsync(TimeSpan.FromDays(30));
        Assert.Equal(40, (await fixture.Store.CountAsync(CancellationToken.None))[HealthVerdict.Healthy]);
        Assert.Null(
            Assert.Single(await fixture.Store.AccountsAsync(CancellationToken.None), account =>
            account.Account == "Bravo").DistrustedSince);
    }

    [Fact]
    public async Task A_small_library_of_which_an_account_denies_a_post_a_day_confirms_none()
    {
        await using var fixture = await HealthFixture.OpenAsync();
        for (var job = 0; job < 4; job++)
        {
            fixture.News.Only[job] = "Bravo";
            await fixture.AddAsync(job);
        }

        await fixture.PassAsync(TimeSpan.FromDays(60));
        fixture.Options.Value = fixture.Options.Value with { Action = HealthAction.Check };
        fixture.News.Denying.Add("Bravo");
        for (var job = 0; job < 4; job++)
        {
            await fixture.Runner.CheckAsync(fixture.ItemOf(job), CancellationToken.None);
            fixture.Library.Time.Advance(TimeSpan.FromHours(23));
            await fixture.Runner.CheckAsync(fixture.ItemOf(0), CancellationToken.None);
        }

        Assert.Equal(0, (await fixture.Store.CountAsync(CancellationToken.None)).GetValueOrDefault(HealthVerdict.Missing));
        Assert.NotNull(Assert.Single(await fixture.Store.AccountsAsync(CancellationToken.None), account => account.Account == "Bravo")
            .DistrustedSince);
    }

    [Fact]
    public void An_account_that_denies_nearly_all_after_one_good_answer_is_not_believed()
    {
        var account = new HealthAccount("Bravo").AfterPost(denied: false, DateTimeOffset.UnixEpoch);
        for (var denied = 1; denied <= 4; denied++)
        {
            account = account.AfterPost(denied: true, DateTimeOffset.UnixEpoch);
            Assert.Null(account.DistrustedSince);
        }

        Assert.NotNull(account.AfterPost(denied: true, DateTimeOffset.UnixEpoch).DistrustedSince);
    }

    [Fact]
    public async Task The_check_that_makes_an_account_distrusted_does_not_count_its_denials()
    {
        await using var fixture = await HealthFixture.OpenAsync();
        fixture.Options.Value = fixture.Options.Value with { Action = HealthAction.Check };
        fixture.News.Only[1] = "Bravo";
        await fixture.AddAsync(1);
        await fixture.PassAsync(TimeSpan.FromDays(60));
        fixture.News.Denying.Add("Bravo");
        var day = fixture.Now.UtcTicks / TimeSpan.TicksPerDay;
        await fixture.Store.NoteAsync(
            [new HealthAccount("Bravo") { Day = day, PostsAsked = AccountTrust.LeastOfNearlyAll - 1, Denied = AccountTrust.LeastOfNearlyAll - 1 }],
            [], CancellationToken.None);

        await fixture.Runner.CheckAsync(fixture.ItemOf(1), CancellationToken.None);
        Assert.Empty(await fixture.Store.GoneAsync(fixture.ItemOf(1), CancellationToken.None));
        Assert.Contains("Bravo", (await fixture.PostAsync(1)).Reason, StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_account_whose_STAT_lies_is_asked_for_the_article_itself()
    {
        await using var fixture = await HealthFixture.OpenAsync();
        fixture.Options.Value = fixture.Options.Value with { Action = HealthAction.Check };
        fixture.News.YesMen.Add("Alpha");
        for (var job = 0; job < 12; job++)
            await fixture.AddAsync(job);
        fixture.TakeDown(3);
        await fixture.PassAsync(TimeSpan.FromDays(40));
        Assert.True(
            Assert.Single(await fixture.Store.AccountsAsync(CancellationToken.None), account => account.Account == "Alpha").HasFalseStat());
        Assert.Equal(HealthVerdict.Missing, (await fixture.PostAsync(3)).Verdict);
        Assert.Equal(11, (await fixture.Store.CountAsync(CancellationToken.None))[HealthVerdict.Healthy]);
    }

    [Fact]
    public async Task A_failed_read_moves_the_post_to_the_front_and_the_accounts_confirm_it()
    {
        await using var fixture = await HealthFixture.OpenAsync();
        await fixture.AddAsync(1);
        await fixture.AddAsync(2);
        await fixture.PassAsync(TimeSpan.FromDays(40));
        fixture.TakeDown(2);
        var failures = new FailureRecordingRepairer(fixture, fixture.Store, fixture.Library.Time);
        var noted = 0;
        failures.FailureRecorded += () => noted++;
        var file = (await fixture.Store.FilesAsync(fixture.ItemOf(2), CancellationToken.None))[0];
        await failures.RepairAsync(file, "2.7@test", CancellationToken.None);
        await failures.StoreAsync(CancellationToken.None);
        Assert.Equal(1, noted);
        Assert.Equal(fixture.ItemOf(2), (await fixture.Store.ListDueAsync(fixture.Now, 10, CancellationToken.None))[0].ItemId);
        await fixture.Runner.RunAsync(CancellationToken.None);
        var evidence = Assert.Single(
            await fixture.Store.GoneAsync(fixture.ItemOf(2), CancellationToken.None), article => article.Article == "2.7@test");
        Assert.Equal((1, 3), (evidence.Times, evidence.Accounts.Count));
        await fixture.PassAsync(TimeSpan.FromDays(3));
        Assert.Equal([HealthEventKind.ReadFailed, HealthEventKind.Confirmed], (await fixture.EventsAsync(2))[..2]);
    }

    [Fact]
    public async Task An_interrupted_check_is_repeated_within_the_quota()
    {
        await using var fixture = await HealthFixture.OpenAsync();
        fixture.Options.Value = fixture.Options.Value with { StatsPerDay = 100 };
        await fixture.AddAsync(1);
        await fixture.Runner.RunAsync(CancellationToken.None);
        fixture.Library.Time.Advance(TimeSpan.FromDays(1));
        var asked = 0;
        fixture.News.BeforeStat = () =>
        {
            if (++asked == 10)
                throw new OperationCanceledException("the process ends");
        };
        await Assert.ThrowsAsync<OperationCanceledException>(() => fixture.Runner.RunAsync(CancellationToken.None));
        Assert.Equal(HealthVerdict.New, (await fixture.PostAsync(1)).Verdict);
        await fixture.NewRunner().RunAsync(CancellationToken.None);
        Assert.Equal(HealthVerdict.Healthy, (await fixture.PostAsync(1)).Verdict);
        Assert.InRange(fixture.News.Stats.Values.Single(), 10, 100);
    }

    [Fact]
    public async Task A_post_that_cannot_be_checked_does_not_keep_the_others_from_it()
    {
        await using var fixture = await HealthFixture.OpenAsync();
        await fixture.AddAsync(1);
        await fixture.AddAsync(2);
        fixture.News.BeforeStat = () =>
        {
            fixture.News.BeforeStat = null;
            throw new InvalidOperationException("A fault.");
        };
        await fixture.PassAsync(TimeSpan.FromDays(1));
        var posts = await Task.WhenAll(fixture.PostAsync(1), fixture.PostAsync(2));
        Assert.Equal(HealthVerdict.Healthy, Assert.Single(posts, post => post.Reason is null).Verdict);
        var failed = Assert.Single(posts, post => post.Reason is not null);
        Assert.Equal((HealthVerdict.New, "It cannot be checked: A fault."), (failed.Verdict, failed.Reason));
        await fixture.PassAsync(TimeSpan.FromDays(2));
        Assert.Equal(HealthVerdict.Healthy, (await fixture.Store.GetAsync(failed.ItemId, CancellationToken.None))!.Verdict);
    }

    [Fact]
    public async Task A_check_asks_for_no_more_than_a_day_s_quota_carries_for_all_accounts()
    {
        await using var fixture = await HealthFixture.OpenAsync();
        fixture.Options.Value = fixture.Options.Value with { Action = HealthAction.Check, StatsPerDay = 60 };
        await fixture.AddAsync(1);
        await fixture.PassAsync(TimeSpan.FromDays(30));
        fixture.TakeDown(1);
        await fixture.PassAsync(CheckSchedule.Promise(1, 60));
        Assert.Equal(HealthVerdict.Missing, (await fixture.PostAsync(1)).Verdict);
        Assert.InRange(fixture.News.Stats.Values.Max(), 1, 60);
    }

    [Fact]
    public async Task A_check_fetches_four_articles_at_most_though_one_account_lies_and_another_is_doubted()
    {
        await using var fixture = await HealthFixture.OpenAsync();
        await fixture.AddAsync(1);
        await fixture.PassAsync(TimeSpan.FromHours(6));
        fixture.News.YesMen.Add("Alpha");
        fixture.TakeDown(1);
        HealthAccount[] known =
            [new("Alpha") { FalseStats = 16 }, new("Bravo") { DistrustedSince = fixture.Now - (2 * AccountTrust.LeastDoubt) }];
        await fixture.Store.NoteAsync(known, [], CancellationToken.None);

        await fixture.Runner.CheckAsync(fixture.ItemOf(1), CancellationToken.None);
        Assert.InRange(fixture.News.Bodies, 2, 4);
    }

    [Fact]
    public async Task What_another_gateway_used_and_learned_counts()
    {
        await using var fixture = await HealthFixture.OpenAsync();
        fixture.Options.Value = fixture.Options.Value with { StatsPerDay = 100 };
        await fixture.AddAsync(1);
        await fixture.AddAsync(2);
        await fixture.PassAsync(TimeSpan.FromDays(1));
        await fixture.Store.NoteAsync(
            [.. SimulatedNews.Names.Select(name => new HealthAccount(name) { Bodies = 10 })], [], CancellationToken.None);
        await fixture.AddAsync(3);
        await fixture.PassAsync(TimeSpan.FromDays(1));
        Assert.All(await fixture.Store.AccountsAsync(CancellationToken.None), account => Assert.InRange(account.Bodies, 10, 12));

        // The other one took all that today had left.
        await fixture.Store.UseAsync(fixture.Now.UtcTicks / TimeSpan.TicksPerDay, 100, 0, CancellationToken.None);
        var before = fixture.News.Stats.Values.Sum();
        await fixture.Runner.CheckAsync(fixture.ItemOf(1), CancellationToken.None);
        Assert.Equal(before, fixture.News.Stats.Values.Sum());
    }

    [Fact]
    public async Task Nothing_is_checked_while_a_reader_waits_or_checks_are_paused_or_off()
    {
        await using var fixture = await HealthFixture.OpenAsync();
        await fixture.AddAsync(1);
        fixture.News.IsBusy = true;
        await fixture.PassAsync(TimeSpan.FromDays(2));
        fixture.News.IsBusy = false;
        await fixture.Desk.PauseAsync(true, CancellationToken.None);
        await fixture.PassAsync(TimeSpan.FromDays(2));
        await fixture.Desk.PauseAsync(false, CancellationToken.None);
        fixture.Options.Value = fixture.Options.Value with { StatsPerDay = 0 };
        await fixture.PassAsync(TimeSpan.FromDays(2));
        Assert.Empty(fixture.News.Stats);
        fixture.Options.Value = fixture.Options.Value with { StatsPerDay = 1_000 };
        await fixture.Runner.RunAsync(CancellationToken.None);
        Assert.NotEmpty(fixture.News.Stats);
    }
}
