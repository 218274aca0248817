using System.Diagnostics;
using NzbDav.Mocks;

namespace NzbDav.MockSwarm.Pacing;

/// <summary>
/// Wakes <see cref="Alarm"/>s accurately to about a tenth of a millisecond, from one thread for the whole process. The runtime's timers
/// follow a clock that moves in steps of up to 4 ms, which would blur a round trip of 10 ms.
/// </summary>
internal static class PreciseClock
{
    /// <summary>For shorter waits the thread sleeps on the kernel's high-resolution timer; longer ones are in whole milliseconds and can be
    /// interrupted.</summary>
    private const long Fine = 2 * TimeSpan.TicksPerMillisecond;

    /// <summary>The longest sleep that cannot be interrupted, and so the most that an earlier new wait can be late.</summary>
    private const long Nap = TimeSpan.TicksPerMillisecond;

    private static readonly PriorityQueue<(Alarm Alarm, short Version), long> Queue = new();
    private static readonly List<(Alarm Alarm, short Version)> Ready = [];
#pragma warning disable MA0158 // Monitor.Wait needs an object.
    private static readonly object Gate = new();
#pragma warning restore MA0158
    private static long _wake = long.MaxValue;
    private static bool _started;

    /// <summary>Ticks of 100 ns on a monotonic clock.</summary>
    public static long Now => Stopwatch.GetElapsedTime(0).Ticks;

    public static void Schedule(Alarm alarm, short version, long due)
    {
        lock (Gate)
        {
            if (!_started)
            {
                _started = true;
                new Thread(Run) { IsBackground = true, Name = "mock-swarm-clock", Priority = ThreadPriority.AboveNormal }.Start();
            }

            Queue.Enqueue((alarm, version), due);
            if (due < _wake)
                Monitor.Pulse(Gate);
        }
    }

    private static void Run()
    {
        while (true)
        {
            var nap = Collect();
            if (nap > 0)
                NativeSleep.For(nap);
            foreach (var (alarm, version) in Ready)
                alarm.Fire(version);
            Ready.Clear();
        }
    }

    /// <summary>Moves due alarms to the ready list, or waits until one may be due; returns the ticks left to sleep.</summary>
    private static long Collect()
    {
        lock (Gate)
        {
            var now = Now;
            while (Queue.TryPeek(out var item, out var due) && due <= now)
            {
                Queue.Dequeue();
                Ready.Add(item);
            }

            if (Ready.Count > 0)
                return 0;
            if (!Queue.TryPeek(out _, out var next))
                next = long.MaxValue;
            if (next - now <= Fine)
                return Math.Min(next - now, Nap);
            _wake = next;
            Monitor.Wait(Gate,
                next == long.MaxValue ? Timeout.Infinite : (int)Math.Min(int.MaxValue, ((next - now) / TimeSpan.TicksPerMillisecond) - 1));
            _wake = 0;
            return 0;
        }
    }
}
