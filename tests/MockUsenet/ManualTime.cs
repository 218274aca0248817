using System.Threading.Channels;

namespace NzbDav.MockUsenet.Tests;

/// <summary>A clock that a test moves, and that reports which timers were set.</summary>
internal sealed class ManualTime : TimeProvider
{
    private readonly Lock _gate = new();
    private readonly List<ManualTimer> _timers = [];
    private readonly Channel<long> _armed = Channel.CreateUnbounded<long>();
    private long _now = TimeSpan.TicksPerHour;

    /// <summary>When each timer that was set is due, in the order of setting.</summary>
    public ChannelReader<long> Armed => _armed.Reader;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public long Ticks => Volatile.Read(ref _now);

    public override long GetTimestamp() => Ticks;

    public override DateTimeOffset GetUtcNow() => new DateTimeOffset(2025, 3, 4, 0, 0, 0, TimeSpan.Zero).AddTicks(Ticks);

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        var timer = new ManualTimer(this, callback, state);
        lock (_gate)
            _timers.Add(timer);
        timer.Change(dueTime, period);
        return timer;
    }

    public void Advance(TimeSpan by) => AdvanceTo(Ticks + by.Ticks);

    public void AdvanceTo(long ticks)
    {
        ManualTimer[] due;
        lock (_gate)
        {
            _now = Math.Max(_now, ticks);
            due = [.. _timers.Where(timer => timer.Due <= _now)];
            foreach (var timer in due)
                timer.Due = long.MaxValue;
        }

        foreach (var timer in due)
            timer.Fire();
    }

    /// <summary>Advances to each timer as it is set, until cancelled; returns at once.</summary>
    public async Task RunAsync(CancellationToken cancellationToken)
    {
        try
        {
            await foreach (var due in _armed.Reader.ReadAllAsync(cancellationToken))
                AdvanceTo(due);
        }
        catch (OperationCanceledException)
        {
            // The test is over.
        }
    }

    private sealed class ManualTimer(ManualTime time, TimerCallback callback, object? state) : ITimer
    {
        public long Due { get; set; } = long.MaxValue;

        public void Fire() => callback(state);

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            lock (time._gate)
                Due = dueTime == Timeout.InfiniteTimeSpan ? long.MaxValue : time._now + dueTime.Ticks;
            if (Due != long.MaxValue)
                time._armed.Writer.TryWrite(Due);
            return true;
        }

        public void Dispose()
        {
            lock (time._gate)
                time._timers.Remove(this);
        }

        public ValueTask DisposeAsync()
        {
            Dispose();
            return ValueTask.CompletedTask;
        }
    }
}
