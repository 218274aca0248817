using NzbDav.Fakes;
using NzbDav.MockUsenet.Pacing;

namespace NzbDav.MockUsenet.Tests;

public sealed class PreciseSchedulerTests
{
    [Fact]
    public async Task No_waiter_is_woken_early()
    {
        var scheduler = PreciseScheduler.Shared;
        var waits = Enumerable.Range(0, 50).Select(async i =>
        {
            using var waiter = new DelayWaiter(scheduler);
            var due = scheduler.Now + (i % 10 * TimeSpan.TicksPerMillisecond) + (i * 1_111);
            Assert.True(await waiter.UntilAsync(due));
            Assert.True(scheduler.Now >= due);
        });
        await Task.WhenAll(waits);
    }

    [Fact]
    public async Task A_later_wait_does_not_delay_an_earlier_one()
    {
        var scheduler = PreciseScheduler.Shared;
        using var late = new DelayWaiter(scheduler);
        using var early = new DelayWaiter(scheduler);
        var hour = late.UntilAsync(scheduler.Now + TimeSpan.TicksPerHour).AsTask();
        Assert.True(await early.UntilAsync(scheduler.Now + TimeSpan.TicksPerMillisecond));
        Assert.False(hour.IsCompleted);
        late.Cancel();
        Assert.False(await hour);
        Assert.False(await late.UntilAsync(long.MaxValue));
    }

    [Fact]
    public async Task Impatience_ends_only_endless_waits()
    {
        var time = new ManualTimeProvider();
        var scheduler = new TimerScheduler(time);
        using var endless = new DelayWaiter(scheduler);
        using var finite = new DelayWaiter(scheduler);
        var forever = endless.UntilAsync(long.MaxValue).AsTask();
        var second = finite.UntilAsync(scheduler.Now + TimeSpan.TicksPerSecond).AsTask();
        endless.CancelForever();
        finite.CancelForever();
        Assert.False(await forever);
        Assert.False(second.IsCompleted);
        time.Advance(TimeSpan.FromSeconds(1));
        Assert.True(await second);
        Assert.False(await finite.UntilAsync(long.MaxValue));
    }

    [Fact]
    public async Task An_old_timer_does_not_end_a_new_wait()
    {
        var time = new ManualTimeProvider();
        var scheduler = new TimerScheduler(time);
        using var waiter = new DelayWaiter(scheduler);
        var first = waiter.UntilAsync(scheduler.Now + 10).AsTask();
        time.Advance(TimeSpan.FromTicks(10));
        Assert.True(await first);
        var second = waiter.UntilAsync(scheduler.Now + 10).AsTask();
        waiter.Fire(-1);
        Assert.False(second.IsCompleted);
        time.Advance(TimeSpan.FromTicks(10));
        Assert.True(await second);
    }
}
