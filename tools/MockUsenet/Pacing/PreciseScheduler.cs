using System.Diagnostics;
using NzbDav.Mocks;

namespace NzbDav.MockUsenet.Pacing;

/// <summary>
/// Delays from one thread for the whole process, accurate to about a tenth of a millisecond. The runtime's timers follow a clock that moves
/// in steps of up to 4 ms, which would turn a latency of 10 ms into anything up to 15.
/// </summary>
internal sealed class PreciseScheduler : IDelayScheduler
{
    /// <summary>For shorter waits the thread sleeps on the kernel's high-resolution timer; longer ones are in whole milliseconds and can be
    /// interrupted.</summary>
    private const long Fine = 2 * TimeSpan.TicksPerMillisecond;

    /// <summary>The longest sleep that cannot be interrupted, and so the most that an earlier new wait can be late.</summary>
    private const long Nap = TimeSpan.TicksPerMillisecond;

    private readonly PriorityQueue<(DelayWaiter Waiter, short Version), long> _queue = new();
    private readonly List<(DelayWaiter Waiter, short Version)> _ready = [];
#pragma warning disable MA0158 // Monitor.Wait needs an object.
    private readonly object _gate = new();
#pragma warning restore MA0158
    private long _wake = long.MaxValue;

    private PreciseScheduler() =>
        new Thread(Run) { IsBackground = true, Name = "mock-usenet-clock", Priority = ThreadPriority.AboveNormal }.Start();

    /// <summary>The one instance; its thread starts when it is first needed.</summary>
    public static PreciseScheduler Shared => Holder.Instance;

    public long Now => Stopwatch.GetElapsedTime(0).Ticks;

    public void Schedule(DelayWaiter waiter, short version, long due)
    {
        lock (_gate)
        {
            _queue.Enqueue((waiter, version), due);
            if (due < _wake)
                Monitor.Pulse(_gate);
        }
    }

    private void Run()
    {
        while (true)
        {
            var nap = Collect();
            if (nap > 0)
                NativeSleep.For(nap);
            foreach (var (waiter, version) in _ready)
                waiter.Fire(version);
            _ready.Clear();
        }
    }

    /// <summary>Moves due waiters to the ready list, or waits until one may be due; returns the ticks left to sleep.</summary>
    private long Collect()
    {
        lock (_gate)
        {
            var now = Now;
            while (_queue.TryPeek(out var item, out var due) && due <= now)
            {
                _queue.Dequeue();
                _ready.Add(item);
            }

            if (_ready.Count > 0)
                return 0;
            if (!_queue.TryPeek(out _, out var next))
                next = long.MaxValue;
            if (next - now <= Fine)
                return Math.Min(next - now, Nap);
            _wake = next;
            Monitor.Wait(_gate,
                next == long.MaxValue ? Timeout.Infinite : (int)Math.Min(int.MaxValue, (next - now) / TimeSpan.TicksPerMillisecond - 1));
            _wake = 0;
            return 0;
        }
    }

    private static class Holder
    {
        public static readonly PreciseScheduler Instance = new();
    }
}

/// <summary>Delays from the timers of a <see cref="TimeProvider"/>, for tests with a manual clock.</summary>
internal sealed class TimerScheduler(TimeProvider time) : IDelayScheduler
{
    public long Now => time.GetElapsedTime(0).Ticks;

    public void Schedule(DelayWaiter waiter, short version, long due)
    {
        waiter.TimerVersion = version;
        waiter.Timer ??= time.CreateTimer(
            static state =>
                ((DelayWaiter)state!).Fire(((DelayWaiter)state).TimerVersion), waiter, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        waiter.Timer.Change(TimeSpan.FromTicks(Math.Max(0, due - Now)), Timeout.InfiniteTimeSpan);
    }
}
