using NzbDav.Fakes;

namespace NzbDav.Content.Tests;

public sealed class ManualTimeProviderTests
{
    private readonly ManualTimeProvider _time = new();
    private readonly List<string> _fired = [];

    [Fact]
    public void Time_moves_only_by_advancing()
    {
        var (now, stamp) = (_time.GetUtcNow(), _time.GetTimestamp());
        _time.Advance(TimeSpan.FromSeconds(1.5));
        Assert.Equal(TimeSpan.FromSeconds(1.5), _time.GetUtcNow() - now);
        Assert.Equal(TimeSpan.FromSeconds(1.5), _time.GetElapsedTime(stamp));
        Assert.Throws<ArgumentOutOfRangeException>(() => _time.Advance(TimeSpan.FromTicks(-1)));
    }

    [Fact]
    public void Setting_the_time_of_day_passes_no_time()
    {
        var (now, stamp) = (_time.GetUtcNow(), _time.GetTimestamp());
        Timer("t", 10);
        _time.Set(TimeSpan.FromDays(-60));
        Assert.Equal((now.AddDays(-60), stamp, TimeSpan.FromSeconds(10)), (_time.GetUtcNow(), _time.GetTimestamp(), _time.NextDue));
        _time.Advance(TimeSpan.FromSeconds(10));
        Assert.Equal((now.AddDays(-60).AddSeconds(10), "t@10"), (_time.GetUtcNow(), Assert.Single(_fired)));
    }

    [Fact]
    public void Timers_fire_in_due_order_and_see_their_due_time()
    {
        Timer("c", 30);
        Timer("a", 10);
        Timer("b", 20);
        Timer("b2", 20);
        Timer("late", 31);
        Assert.Equal((5, TimeSpan.FromSeconds(10)), (_time.ArmedTimers, _time.NextDue));

        _time.Advance(TimeSpan.FromSeconds(30));

        Assert.Equal(["a@10", "b@20", "b2@20", "c@30"], _fired);
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal("late@31", _fired[^1]);
        Assert.Null(_time.NextDue);
    }

    [Fact]
    public void A_periodic_timer_fires_at_each_period_and_others_in_between()
    {
        using var periodic = _time.CreateTimer(_ => Note("p"), null, TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(2));
        Timer("x", 4);
        _time.Advance(TimeSpan.FromSeconds(6));
        Assert.Equal(["p@1", "p@3", "x@4", "p@5"], _fired);
    }

    [Fact]
    public void A_timer_can_be_changed_stopped_and_disposed()
    {
        var timer = Timer("t", 5);
        Assert.True(timer.Change(TimeSpan.FromSeconds(8), Timeout.InfiniteTimeSpan));
        _time.Advance(TimeSpan.FromSeconds(7));
        Assert.Empty(_fired);
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(["t@8"], _fired);

        timer.Change(TimeSpan.FromSeconds(1), Timeout.InfiniteTimeSpan);
        timer.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        timer.Change(TimeSpan.Zero, Timeout.InfiniteTimeSpan);
        _time.Advance(TimeSpan.Zero);
        Assert.Equal(["t@8", "t@8"], _fired);

        timer.Change(TimeSpan.FromSeconds(1), Timeout.InfiniteTimeSpan);
        timer.Dispose();
        Assert.False(timer.Change(TimeSpan.FromSeconds(1), Timeout.InfiniteTimeSpan));
        _time.Advance(TimeSpan.FromDays(1));
        Assert.Equal(2, _fired.Count);
        Assert.Throws<ArgumentOutOfRangeException>(() => Timer("x", -2));
    }

    [Fact]
    public void A_callback_can_arm_stop_and_advance()
    {
        var victim = Timer("never", 3);
        _time.CreateTimer(
            _ =>
            {
                Note("first");
                victim.Dispose();
                Timer("second", 1);
                _time.Advance(TimeSpan.FromSeconds(10));
            },
            null,
            TimeSpan.FromSeconds(2),
            Timeout.InfiniteTimeSpan);
        _time.Advance(TimeSpan.FromSeconds(5));
        Assert.Equal(["first@2", "second@3"], _fired);
        Assert.Equal(15, Seconds());
    }

    [Fact]
    public async Task Delays_and_timeouts_of_the_runtime_follow_the_manual_clock()
    {
        var delay = Task.Delay(TimeSpan.FromSeconds(10), _time);
        using var timeout = new CancellationTokenSource(TimeSpan.FromSeconds(20), _time);
        await _time.WhenArmedAsync(2);
        _time.Advance(TimeSpan.FromSeconds(10));
        await delay;
        Assert.False(timeout.IsCancellationRequested);
        _time.Advance(TimeSpan.FromSeconds(10));
        Assert.True(timeout.IsCancellationRequested);
    }

    [Fact]
    public async Task A_test_can_wait_until_timers_are_armed()
    {
        var armed = _time.WhenArmedAsync(2);
        Timer("a", 1);
        Assert.False(armed.IsCompleted);
        Timer("b", 1);
        await armed;
    }

    [Fact]
    public async Task Advances_from_many_threads_add_up()
    {
        var count = 0;
        using var timer = _time.CreateTimer(_ => Interlocked.Increment(ref count), null, TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(1));
        await Task.WhenAll(Enumerable.Range(0, 4).Select(_ => Task.Run(() =>
        {
            for (var i = 0; i < 250; i++)
                _time.Advance(TimeSpan.FromSeconds(1));
        })));
        Assert.Equal((1000, 1000), (Seconds(), count));
    }

    private int Seconds() => (int)TimeSpan.FromTicks(_time.GetTimestamp()).TotalSeconds;

    private void Note(string name) => _fired.Add($"{name}@{Seconds()}");

    private ITimer Timer(string name, int seconds) =>
        _time.CreateTimer(_ => Note(name), null, TimeSpan.FromSeconds(seconds), Timeout.InfiniteTimeSpan);
}
