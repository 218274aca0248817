using NzbDav.Fakes;
using NzbDav.Usenet.Providers.Quotas;

namespace NzbDav.Usenet.Tests.Providers;

/// <summary>Quotas counted by a clock that was wrong for a while.</summary>
public sealed class QuotaClockTests
{
    private static readonly DateTimeOffset Start = new(2030, 1, 1, 0, 0, 0, TimeSpan.Zero);
    private static readonly TimeSpan FourYears = TimeSpan.FromDays(1_461);

    private readonly ManualTimeProvider _time = new(Start.AddDays(20));
    private readonly ProviderUsage _usage;

    public QuotaClockTests() => _usage = new ProviderUsage("account", _time);

    [Fact]
    public void A_period_begun_while_the_clock_was_ahead_ends_with_the_present_one()
    {
        Apply();
        _usage.Add(300);
        Assert.Equal(Counted(Start, 300), _usage.DrainUnstored());
        _time.Set(FourYears);
        Assert.False(_usage.BeginPeriodIfDue());
        _usage.Add(1_200);
        Assert.Equal(Counted(Start + FourYears, 1_200), _usage.DrainUnstored());
        _time.Set(-FourYears);
        Assert.False(_usage.BeginPeriodIfDue());
        Assert.True(_usage.IsUsedUp);
        Assert.Equal(Counted(Start, 1_200), _usage.DrainUnstored());
        Assert.Null(_usage.DrainUnstored());
        _time.Advance(TimeSpan.FromDays(11));
        Assert.True(_usage.BeginPeriodIfDue());
        Assert.False(_usage.IsUsedUp);
    }

    [Fact]
    public void What_an_earlier_run_counted_in_the_future_starts_over_at_the_next_period()
    {
        Apply();
        _usage.Restore(Counted(Start + FourYears, 1_000));
        Assert.False(_usage.BeginPeriodIfDue());
        Assert.True(_usage.IsUsedUp);
        _usage.Add(5);
        Assert.Equal(Counted(Start + FourYears, 5), _usage.DrainUnstored());
        _time.Advance(TimeSpan.FromDays(11));
        Assert.True(_usage.BeginPeriodIfDue());
        Assert.Equal(0, _usage.Status!.Used);

        // Stored although nothing came: it replaces what would count again after a restart.
        var anew = _usage.DrainUnstored()!;
        Assert.Equal(Counted(Start.AddMonths(1), 0), anew);
        _usage.PutBack(anew);
        Assert.Equal(anew, _usage.DrainUnstored());
        Assert.Null(_usage.DrainUnstored());
    }

    [Fact]
    public void What_was_counted_still_counts_when_the_clock_is_behind_for_a_while_after_a_restart()
    {
        _time.Set(-FourYears);
        Apply();
        _usage.Restore(Counted(Start, 600));
        Assert.False(_usage.BeginPeriodIfDue());
        _usage.Add(10);
        Assert.Equal(Counted(Start, 10), _usage.DrainUnstored());
        _time.Set(FourYears);
        Assert.False(_usage.BeginPeriodIfDue());
        Assert.Equal(610, _usage.Status!.Used);
        Assert.Null(_usage.DrainUnstored());
    }

    [Fact]
    public void A_clock_that_is_seconds_behind_begins_no_period_again()
    {
        Apply();
        _time.Advance(TimeSpan.FromDays(11));
        Assert.False(_usage.BeginPeriodIfDue());
        _usage.Add(7);
        _time.Set(TimeSpan.FromSeconds(-5));
        Assert.False(_usage.BeginPeriodIfDue());
        Assert.Equal(Counted(Start.AddMonths(1), 7), _usage.DrainUnstored());
    }

    private static AccountUsage Counted(DateTimeOffset since, long bytes) => new("account", since, bytes);

    private void Apply() => _usage.Apply(new ProviderQuota(1_000, QuotaPeriod.Month, 1));
}
