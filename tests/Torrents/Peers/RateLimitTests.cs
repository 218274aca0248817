using NzbDav.Fakes;
using NzbDav.Torrents.Peers;

namespace NzbDav.Torrents.Tests.Peers;

/// <summary>Bytes per second, by a clock that is moved by hand.</summary>
public sealed class RateLimitTests
{
    private readonly ManualTimeProvider _time = new();

    [Fact]
    public async Task A_caller_waits_for_the_bytes_granted_before()
    {
        var limit = new RateLimit(1_000, _time);
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
        var limit = new RateLimit(10, _time);
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
        var limit = new RateLimit(1, _time);
        Assert.True(limit.WaitAsync(1_000, default).AsTask().IsCompletedSuccessfully);
        using var cancel = new CancellationTokenSource();
        var waiting = limit.WaitAsync(1, cancel.Token).AsTask();
        await cancel.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);
    }
}
