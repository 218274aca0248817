using NzbDav.Fakes;
using NzbDav.Usenet.Providers;

namespace NzbDav.Usenet.Tests.Providers;

public sealed class ProviderBreakerTests
{
    private readonly ManualTimeProvider _clock = new();
    private readonly ProviderBreaker _breaker;
    private int _attempts;

    public ProviderBreakerTests() => _breaker = new ProviderBreaker(_clock);

    [Theory]
    [InlineData(0, 2)]
    [InlineData(1, 4)]
    [InlineData(2, 8)]
    [InlineData(7, 256)]
    [InlineData(8, 300)]
    [InlineData(30, 300)]
    [InlineData(int.MaxValue, 300)]
    public void The_break_doubles_up_to_five_minutes(int failed, int seconds) =>
        Assert.Equal(TimeSpan.FromSeconds(seconds), ProviderBreaker.BreakAfter(failed));

    [Fact]
    public void Two_failures_open_the_breaker_which_then_allows_one_attempt_per_break()
    {
        Assert.True(TryFail());
        Assert.True(TryFail());
        foreach (var seconds in new[] { 2, 4, 8, 16, 32, 64, 128, 256, 300, 300 })
        {
            var wait = _breaker.Left;
            Assert.Equal(TimeSpan.FromSeconds(seconds), wait);
            Assert.Equal(_clock.GetUtcNow() + wait, _breaker.NextAttempt);
            _clock.Advance(wait - TimeSpan.FromTicks(1));
            Assert.False(TryFail());
            _clock.Advance(TimeSpan.FromTicks(1));
            Assert.True(TryFail());
        }

        Assert.Equal(12, _attempts);
    }

    [Theory]
    [InlineData(-3)]
    [InlineData(-60 * 24)]
    [InlineData(3)]
    public void A_break_lasts_as_long_as_it_does_when_the_clock_is_set(int hours)
    {
        for (var i = 0; i < 2; i++)
            TryFail();
        _clock.Set(TimeSpan.FromHours(hours));
        Assert.Equal(ProviderBreaker.FirstBreak, _breaker.Left);
        _clock.Advance(ProviderBreaker.FirstBreak);
        Assert.True(TryWork());
    }

    [Fact]
    public void A_successful_attempt_closes_the_breaker_and_resets_the_breaks()
    {
        for (var i = 0; i < 2; i++)
            TryFail();
        for (var i = 0; i < 4; i++)
        {
            _clock.Advance(_breaker.Left);
            Assert.True(TryFail());
        }

        _clock.Advance(_breaker.Left);
        Assert.True(TryWork());
        Assert.True(TryWork());
        Assert.Null(_breaker.NextAttempt);
        _clock.Advance(TimeSpan.FromMinutes(1));
        for (var i = 0; i < 2; i++)
            Assert.True(TryFail());
        Assert.Equal(ProviderBreaker.FirstBreak, _breaker.Left);
    }

    [Fact]
    public void Only_consecutive_failures_open_the_breaker_however_many_attempts_worked_before()
    {
        for (var i = 0; i < 50; i++)
            TryWork();
        for (var i = 0; i < 5; i++)
        {
            Assert.True(TryFail());
            Assert.True(TryWork());
        }

        Assert.True(TryFail());
        Assert.True(TryFail());
        Assert.Equal(ProviderBreaker.FirstBreak, _breaker.Left);
        Assert.Equal(62, _attempts);
    }

    [Fact]
    public void Attempts_that_began_before_the_break_neither_end_nor_prolong_it()
    {
        for (var i = 0; i < 3; i++)
            _breaker.Failed();
        Assert.Equal(ProviderBreaker.FirstBreak, _breaker.Left);
        _breaker.Worked(isEarly: false);
        Assert.Equal(ProviderBreaker.FirstBreak, _breaker.Left);
    }

    [Fact]
    public void An_early_attempt_that_works_ends_the_break()
    {
        for (var i = 0; i < 2; i++)
            TryFail();
        _breaker.Worked(isEarly: true);
        Assert.Equal((TimeSpan.Zero, null), (_breaker.Left, _breaker.NextAttempt));
        Assert.False(_breaker.Failed());
    }

    [Fact]
    public void A_login_counts_as_no_success_until_something_is_served()
    {
        Assert.False(_breaker.ServedNothing());
        for (var failed = 0; failed < 3; failed++)
        {
            _breaker.Worked(isEarly: false);
            Assert.True(_breaker.ServedNothing());
            Assert.Equal(ProviderBreaker.BreakAfter(failed), _breaker.Left);
            _clock.Advance(_breaker.Left);
        }

        _breaker.Worked(isEarly: false);
        _breaker.Served();
        Assert.False(_breaker.ServedNothing());
    }

    [Fact]
    public void An_hour_of_refusals_costs_few_attempts()
    {
        var end = _clock.GetUtcNow() + TimeSpan.FromHours(1);
        while (_clock.GetUtcNow() < end)
        {
            if (!TryFail())
                _clock.Advance(_breaker.Left);
        }

        Assert.InRange(_attempts, 15, 25);
    }

    /// <summary>An attempt that fails, if the breaker lets it through.</summary>
    private bool TryFail()
    {
        if (!TryAttempt())
            return false;
        _breaker.Failed();
        return true;
    }

    /// <summary>An attempt that works, if the breaker lets it through.</summary>
    private bool TryWork()
    {
        if (!TryAttempt())
            return false;
        _breaker.Worked(isEarly: false);
        return true;
    }

    private bool TryAttempt()
    {
        if (_breaker.Left > TimeSpan.Zero)
            return false;
        _attempts++;
        return true;
    }
}
