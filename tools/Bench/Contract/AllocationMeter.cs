using System.Diagnostics;

namespace NzbDav.Bench.Contract;

/// <summary>Measures the allocations of a warmed-up call, on all threads.</summary>
internal static class AllocationMeter
{
    private const int Rounds = 5;
    private const int MostCalls = 1000;

    /// <summary>Long enough for the final compilation of the called code: the first tier takes 30 calls and 100 ms.</summary>
    private static readonly TimeSpan Warming = TimeSpan.FromMilliseconds(150);
    private static readonly TimeSpan Round = TimeSpan.FromMilliseconds(15);

    /// <summary>Bytes per call: the smallest value of several rounds, because other work of the process only adds to them.</summary>
    public static async Task<double> MeasureAsync(Func<Task> call)
    {
        var began = Stopwatch.GetTimestamp();
        var warm = 0;
        do
        {
            await call();
            warm++;
        }
        while (warm < 2 || (Stopwatch.GetElapsedTime(began) < Warming && warm < 100 * MostCalls));

        var one = Stopwatch.GetElapsedTime(began) / warm;
        var calls = (int)Math.Clamp(Round / one, 1, MostCalls);
        var least = double.MaxValue;
        for (var round = 0; round < Rounds; round++)
            least = Math.Min(least, await RoundAsync(call, calls));
        return least;
    }

    private static async Task<double> RoundAsync(Func<Task> call, int calls)
    {
        // Allocates this method's own state machine here, before counting.
        await Task.Yield();
        var before = GC.GetTotalAllocatedBytes(precise: true);
        for (var i = 0; i < calls; i++)
            await call();

        return (double)(GC.GetTotalAllocatedBytes(precise: true) - before) / calls;
    }
}
