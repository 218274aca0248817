using System.Diagnostics;

namespace NzbDav.EndToEnd.Tests.Running;

/// <summary>How late this process is. It shares the processors with what it measures, so a delay may be its own.</summary>
internal static class Lateness
{
    /// <summary>Delays up to this long are not kept.</summary>
    public static readonly TimeSpan Least = TimeSpan.FromMilliseconds(300);

    private static readonly TimeSpan Every = TimeSpan.FromMilliseconds(100);

    /// <summary>Watches until the token fires.</summary>
    /// <returns>The delays, the longest first, and when they ended, from the call on.</returns>
    public static async Task<List<(TimeSpan Length, TimeSpan At)>> WatchAsync(CancellationToken end)
    {
        using var timer = new PeriodicTimer(Every);
        var late = new List<(TimeSpan Length, TimeSpan At)>();
        var began = Stopwatch.GetTimestamp();
        var last = began;
        while (!end.IsCancellationRequested)
        {
            await timer.WaitForNextTickAsync(CancellationToken.None);
            var delay = Stopwatch.GetElapsedTime(last) - Every;
            last = Stopwatch.GetTimestamp();
            if (delay > Least)
                late.Add((delay, Stopwatch.GetElapsedTime(began, last)));
        }

        late.Sort(static (one, other) => other.CompareTo(one));
        return late;
    }
}
