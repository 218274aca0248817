using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Faults;
using NzbDav.MockUsenet.Providers;
using NzbDav.Usenet.Accounts;
using NzbDav.Usenet.Providers;
using NzbDav.Usenet.Providers.Quotas;
using NzbDav.Usenet.Tests.Articles;

namespace NzbDav.Usenet.Tests.Providers;

/// <summary>Accounts that may bring so much in a time, and accounts that may bring so much at all.</summary>
public sealed class ProviderQuotaTests
{
    private const long Quota = 1_000_000_000;

    /// <summary>Ten seconds before midnight: connections time out when days pass in a moment.</summary>
    private readonly ManualTimeProvider _time = new(new DateTimeOffset(2030, 1, 4, 23, 59, 50, TimeSpan.Zero));
    private readonly UsageBook _book;

    public ProviderQuotaTests() => _book = new UsageBook(_time);

    [Theory]
    [InlineData(QuotaPeriod.Day, 1, "2030-03-10T23:30:00Z", "2030-03-11T00:00+01:00", "2030-03-12T00:00+01:00")]
    [InlineData(QuotaPeriod.Week, 1, "2030-03-10T12:00:00Z", "2030-03-04T00:00+01:00", "2030-03-11T00:00+01:00")]
    [InlineData(QuotaPeriod.Week, 7, "2030-03-10T12:00:00Z", "2030-03-10T00:00+01:00", "2030-03-17T00:00+01:00")]
    [InlineData(QuotaPeriod.Week, 3, "2030-03-12T12:00:00Z", "2030-03-06T00:00+01:00", "2030-03-13T00:00+01:00")]
    [InlineData(QuotaPeriod.Month, 1, "2030-03-31T22:30:00Z", "2030-04-01T00:00+02:00", "2030-05-01T00:00+02:00")]
    [InlineData(QuotaPeriod.Month, 31, "2030-02-28T22:59:59Z", "2030-01-31T00:00+01:00", "2030-02-28T00:00+01:00")]
    [InlineData(QuotaPeriod.Month, 31, "2030-03-01T12:00:00Z", "2030-02-28T00:00+01:00", "2030-03-31T00:00+01:00")]
    [InlineData(QuotaPeriod.Month, 15, "2030-01-14T12:00:00Z", "2029-12-15T00:00+01:00", "2030-01-15T00:00+01:00")]
    public void Quota_periods_begin_at_local_midnight(QuotaPeriod period, int day, string now, string start, string end)
    {
        var zone = TimeZoneInfo.FindSystemTimeZoneById("Europe/Berlin");
        var quota = new ProviderQuota(Quota, period, day);
        var at = Parse(now);
        if (period == QuotaPeriod.Month && day == 31 && at.Month == 2)
            at = at.AddDays(-1);
        Assert.Equal((Parse(start), Parse(end)), (quota.StartOf(at, zone), quota.EndOf(at, zone)!.Value));
    }

    [Fact]
    public async Task A_provider_with_a_used_up_quota_is_not_asked_until_the_next_period()
    {
        await using var usenet = Start([options => options with { QuotaGigabytes = 1, QuotaPeriod = QuotaPeriod.Month, QuotaResetDay = 5 },
            static options => options], used: [Quota - 3_000_000, 0]);
        var file = usenet.Post(20_000_000);
        await ReadAsync(usenet, file);
        var (first, second) = (usenet.Mocks[0].Stats.ArticlesAsked, usenet.Mocks[1].Stats.ArticlesAsked);
        Assert.InRange(first, 4, 4 + 16);
        Assert.True(second > 0, "the other was not asked");
        var status = usenet.Client.Providers[0].Status;
        Assert.Equal((ProviderState.Failing, ProviderPhase.UsedUp, "Its quota of 1 GB is used up; it begins anew on 2030-01-05."),
            (status.State, status.Phase, status.Reason));
        Assert.InRange(status.Quota!.Used, Quota, Quota + 20_000_000);

        await ReadAsync(usenet, file);
        Assert.Equal(first, usenet.Mocks[0].Stats.ArticlesAsked);

        _time.Advance(TimeSpan.FromSeconds(9));
        await ReadAsync(usenet, file);
        Assert.Equal(first, usenet.Mocks[0].Stats.ArticlesAsked);
        _time.Advance(TimeSpan.FromSeconds(2));
        await Until.TrueAsync(
            () => usenet.Client.Providers[0].Status is { State: ProviderState.Ready, Quota.Used: < 1_000_000, OpenConnections: > 0 });
        await ReadAsync(usenet, file);
        Assert.True(usenet.Mocks[0].Stats.ArticlesAsked > first, "it is not asked again");
    }

    [Fact]
    public async Task The_other_of_two_providers_continues_when_a_quota_is_used_up()
    {
        await using var usenet = Start(
            [options => options with { QuotaGigabytes = 1, QuotaPeriod = QuotaPeriod.Day, Priority = 0 },
                options => options with { Priority = 0, MaxConnections = 1 }], used: [Quota - 2_000_000, 0]);
        var file = usenet.Post(30_000_000);
        for (var read = 0; read < 20 && usenet.Client.Providers[0].Status.Phase != ProviderPhase.UsedUp; read++)
            await ReadAsync(usenet, file);
        Assert.Equal(ProviderPhase.UsedUp, usenet.Client.Providers[0].Status.Phase);
        var asked = usenet.Mocks[0].Stats.ArticlesAsked;
        await ReadAsync(usenet, file);
        Assert.Equal(asked, usenet.Mocks[0].Stats.ArticlesAsked);
    }

    [Fact]
    public async Task A_block_account_is_asked_after_all_others_whatever_its_priority()
    {
        await using var usenet = Start(
            [options => options with { QuotaGigabytes = 1, Priority = 0 }, options => options with { Priority = 9 }], used: [0, 0]);
        var file = usenet.Post(5_000_000);
        usenet.Mocks[1].Faults.Add(Fault.Missing, FaultTarget.Indexes(file, 3));
        await ReadAsync(usenet, file);
        Assert.Equal((1, file.Segments.Count), (usenet.Mocks[0].Stats.ArticlesAsked, usenet.Mocks[1].Stats.ArticlesAsked));
    }

    [Fact]
    public async Task A_used_up_block_does_not_decide_what_is_missing_and_when_alone_says_why()
    {
        await using var usenet = Start(
            [options => options with { QuotaGigabytes = 1, Priority = 0 }, options => options with { Priority = 1 }], used: [Quota, 0]);
        var file = usenet.Post(5_000_000);
        usenet.Mocks[1].Faults.Add(Fault.Missing, FaultTarget.Indexes(file, 3));
        var missing = await Assert.ThrowsAsync<ContentException>(() => ReadAsync(usenet, file));
        Assert.Equal(ContentFault.Missing, missing.Fault);

        usenet.Client.SetProviders([usenet.Client.Providers[0].Options]);
        var another = usenet.Post(5_000_000);
        var unavailable = await Assert.ThrowsAsync<ContentException>(() => ReadAsync(usenet, another));
        Assert.Equal(ContentFault.Unavailable, unavailable.Fault);
        Assert.EndsWith("0: Its block of 1 GB is used up.", unavailable.Message, StringComparison.Ordinal);

        // Another one is bought: what was used counts.
        usenet.Client.SetProviders([usenet.Client.Providers[0].Options with { QuotaGigabytes = 2 }]);
        await ReadAsync(usenet, another);
        Assert.InRange(usenet.Client.Providers[0].Status.Quota!.Used, Quota + another.Length, Quota + (2 * another.Length));
    }

    [Fact]
    public async Task An_article_is_unavailable_not_missing_while_a_renewing_quota_is_used_up()
    {
        await using var usenet = Start([options => options with { QuotaGigabytes = 1, QuotaPeriod = QuotaPeriod.Month },
            options => options with { Priority = 1 }], used: [Quota, 0]);
        var file = usenet.Post(5_000_000);
        usenet.Mocks[1].Faults.Add(Fault.Missing, FaultTarget.Indexes(file, 3));
        var error = await Assert.ThrowsAsync<ContentException>(() => ReadAsync(usenet, file));
        Assert.Equal(ContentFault.Unavailable, error.Fault);
        Assert.EndsWith("0: Its quota of 1 GB is used up; it begins anew on 2030-02-01.", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Bytes_of_other_gateways_count_and_own_ones_are_stored_once()
    {
        var usage = new ProviderUsage("account", _time);
        usage.Apply(new ProviderQuota(1_000, QuotaPeriod.Month, 1));
        usage.Add(100);
        var first = usage.DrainUnstored()!;
        Assert.Equal(100, first.Bytes);

        // It could not be stored.
        usage.PutBack(first);
        usage.Add(20);
        Assert.Equal(120, usage.DrainUnstored()!.Bytes);

        // Others used 500 meanwhile, and more came here after this was stored.
        usage.Add(7);
        usage.Adopt(first with { Bytes = 620 });
        Assert.Equal(627, usage.Status!.Used);
        Assert.Equal(7, usage.DrainUnstored()!.Bytes);
        Assert.Null(usage.DrainUnstored());

        // Others used it up.
        Assert.False(usage.ConsumeUsedUpByOthers());
        usage.Adopt(first with { Bytes = 1_000 });
        Assert.True(usage.IsUsedUp);
        Assert.True(usage.ConsumeUsedUpByOthers());
        Assert.False(usage.ConsumeUsedUpByOthers());

        // What is stored of an earlier period does not count.
        usage.Adopt(first with { Since = first.Since.AddMonths(-1), Bytes = 5 });
        Assert.Equal(1_000, usage.Status!.Used);
    }

    [Fact]
    public void Usage_is_stored_and_counts_on_after_the_period_changed()
    {
        var usage = new ProviderUsage("account", _time);
        usage.Apply(new ProviderQuota(1_000, QuotaPeriod.Day, 1));
        usage.Add(100);
        var day = usage.DrainUnstored()!;
        usage.Apply(new ProviderQuota(1_000, QuotaPeriod.Month, 1));
        Assert.Equal(100, usage.Status!.Used);

        // The store adds what is of the period that it knows.
        usage.Add(20);
        Assert.Equal(day with { Bytes = 20 }, usage.DrainUnstored());
        usage.Adopt(day with { Bytes = 150 });
        Assert.Equal(150, usage.Status!.Used);

        // What is counted from an earlier day on is not of this day alone.
        _time.Advance(TimeSpan.FromDays(2));
        usage.Apply(new ProviderQuota(1_000, QuotaPeriod.Day, 1));
        Assert.Equal(0, usage.Status!.Used);
    }

    [Fact]
    public async Task Usage_is_stored_and_counts_after_a_restart_only_in_the_same_period()
    {
        AccountUsage kept;
        await using (var usenet = Start([options => options with { QuotaGigabytes = 1, QuotaPeriod = QuotaPeriod.Week }], used: [0]))
        {
            var file = usenet.Post(5_000_000);
            Assert.Empty(_book.DrainUnstored());
            await ReadAsync(usenet, file);
            kept = Assert.Single(_book.DrainUnstored());
            Assert.InRange(kept.Bytes, file.Length, file.Length * 11 / 10);
            Assert.Empty(_book.DrainUnstored());
        }

        foreach (var (later, expected) in new[] { (TimeSpan.FromDays(1), kept.Bytes), (TimeSpan.FromDays(7), 0L) })
        {
            var time = new ManualTimeProvider(_time.GetUtcNow() + later);
            var usage = new ProviderUsage(kept.Account, time);
            usage.Apply(new ProviderQuota(Quota, QuotaPeriod.Week, 1));
            usage.Restore(kept);
            Assert.Equal(expected, usage.Status!.Used);
        }
    }

    private static DateTimeOffset Parse(string text) => DateTimeOffset.Parse(text, System.Globalization.CultureInfo.InvariantCulture);

    private static Task ReadAsync(UsenetFixture usenet, PostedFile file)
    {
        usenet.Client.Cache.Reclaim(long.MaxValue);
        return UsenetFixture.AssertReadsAsync(usenet.Client.Open(UsenetFixture.TrueMap(file)), file, 0, file.Length);
    }

    /// <summary>
    /// Providers called by their numbers, asked in this order unless configured otherwise, of whose quota so much is used.
    /// </summary>
    private UsenetFixture Start(Func<ProviderOptions, ProviderOptions>[] configure, long[] used) => new(
        [.. configure.Select((_, provider) => new MockProviderOptions { Name = $"{provider}" })],
        (options, provider) =>
        {
            var account = configure[provider](options with { Priority = provider });
            if (used[provider] > 0)
                _book.Restore(new AccountUsage(
                    $"127.0.0.1:{account.Port}:", account.Quota!.StartOf(_time.GetUtcNow(), _time.LocalTimeZone), used[provider]));
            return account;
        },
        time: _time,
        usage: _book);
}
