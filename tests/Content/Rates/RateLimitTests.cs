using NzbDav.Content.Rates;
using NzbDav.Fakes;

namespace NzbDav.Content.Tests.Rates;

/// <summary>Bytes per second, by a clock that is moved by hand.</summary>
public sealed class RateLimitTests
{
    private readonly ManualTimeProvider _time = new();

    [Fact]
    public async Task A_caller_waits_for_the_bytes_granted_before()
    {
        var limit = new RateLimit(_time) { BytesPerSecond = 1_000 };
        Assert.True(limit.WaitAsync(2_000, default).AsTask().IsCompletedSuccessfully);
        var second = limit.WaitAsync(1_000, default).AsTask();
        var third = limit.WaitAsync(1_000, default).AsTask();
        _time.Advance(TimeSpan.FromSeconds(1.9));
        Assert.False(second.IsCompleted);
        _time.Advance(TimeSpan.FromSeconds(0.1));
        await second;
        Assert.False(third.IsCompleted);
        _time.Advance(TimeSpan.FromSeconds(1));
        await third;
    }

    [Fact]
    public async Task A_changed_limit_applies_to_callers_that_already_wait()
    {
        var limit = new RateLimit(_time) { BytesPerSecond = 10 };
        Assert.True(limit.WaitAsync(1_000, default).AsTask().IsCompletedSuccessfully);
        var second = limit.WaitAsync(1_000, default).AsTask();
        var third = limit.WaitAsync(1_000, default).AsTask();
        await _time.WhenArmedAsync(2);

        // By the former bound the second would wait for 100 seconds.
        limit.BytesPerSecond = 1_000;
        await Task.WhenAny(second, third);
        Assert.Equal(1, new[] { second, third }.Count(task => task.IsCompletedSuccessfully));
        await _time.WhenArmedAsync(1);
        _time.Advance(TimeSpan.FromSeconds(1));
        await Task.WhenAll(second, third);

        limit.BytesPerSecond = 1;
        Assert.True(limit.WaitAsync(1_000, default).AsTask().IsCompletedSuccessfully);
        var fourth = limit.WaitAsync(1_000, default).AsTask();
        limit.BytesPerSecond = 0;
        await fourth;
        Assert.True(limit.WaitAsync(int.MaxValue, default).AsTask().IsCompletedSuccessfully);
    }

    [Fact]
    public async Task A_cancelled_wait_throws()
    {
        var limit = new RateLimit(_time) { BytesPerSecond = 1 };
        Assert.True(limit.WaitAsync(1_000, default).AsTask().IsCompletedSuccessfully);
        using var cancel = new CancellationTokenSource();
        var waiting = limit.WaitAsync(1, cancel.Token).AsTask();
        await cancel.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);
    }

    [Fact]
    public void Without_a_limit_nobody_waits()
    {
        var limit = new RateLimit(_time);
        Assert.Equal(0, limit.BytesPerSecond);
        Assert.True(limit.Charge(100 << 20).IsNone);
        limit.BytesPerSecond = 5;
        limit.BytesPerSecond = -1;
        Assert.Equal(0, limit.BytesPerSecond);
        Assert.True(limit.Charge(100 << 20).IsNone);
    }

    [Fact]
    public void Lifting_the_limit_takes_effect_at_once()
    {
        var limit = new RateLimit(_time) { BytesPerSecond = 1000 };
        var hold = limit.Charge(100_000);
        Assert.True(hold.Wait > TimeSpan.FromSeconds(90));
        limit.BytesPerSecond = 0;
        Assert.True(hold.Changed.IsCancellationRequested);
        Assert.Equal(TimeSpan.Zero, limit.Charge(100_000).Wait);
    }

    [Fact]
    public void Raising_the_limit_forgives_what_was_transferred_under_the_old_one()
    {
        var limit = new RateLimit(_time, burst: 0.1) { BytesPerSecond = 1000 };
        Assert.True(limit.Charge(1_000_000).Wait > TimeSpan.FromMinutes(15));
        limit.BytesPerSecond = 1_000_000;
        Assert.Equal(TimeSpan.FromMilliseconds(200), limit.Charge(200_000).Wait);

        // Setting it to what it is changes nothing.
        limit.BytesPerSecond = 1_000_000;
        Assert.Equal(TimeSpan.FromMilliseconds(400), limit.Charge(200_000).Wait);
    }

    [Fact]
    public void A_quiet_time_allows_a_burst_of_what_the_limit_says()
    {
        var limit = new RateLimit(_time, burst: 0.1) { BytesPerSecond = 1_000_000 };
        _time.Advance(TimeSpan.FromMinutes(1));
        Assert.True(limit.Charge(100_000).IsNone);
        Assert.Equal(TimeSpan.FromMilliseconds(50), limit.Charge(50_000).Wait);
    }

    [Fact]
    public void What_is_too_short_for_a_timer_is_waited_for_later()
    {
        var limit = new RateLimit(_time) { BytesPerSecond = 1_000_000 };
        Assert.True(limit.Charge(900).IsNone);
        Assert.Equal(TimeSpan.FromMilliseconds(1.8), limit.Charge(900).Wait);
    }
}
