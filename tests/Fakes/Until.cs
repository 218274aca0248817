using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace NzbDav.Fakes;

/// <summary>
/// Waits for what other threads bring about, where there is no event to await. What has not come after a minute of the real clock does not
/// come: far longer than anything takes here, however busy the machine is.
/// </summary>
public static class Until
{
    private static readonly TimeSpan Most = TimeSpan.FromSeconds(60);
    private static readonly TimeSpan Spin = TimeSpan.FromMilliseconds(2);

    /// <summary>Lets others run until the condition holds.</summary>
    /// <param name="condition">Looked at again and again.</param>
    /// <param name="what">What is waited for; the compiler gives the condition's text.</param>
    /// <exception cref="TimeoutException">It never held; says what was waited for.</exception>
    public static async Task TrueAsync(Func<bool> condition, [CallerArgumentExpression(nameof(condition))] string what = "")
    {
        ArgumentNullException.ThrowIfNull(condition);
        for (var began = Stopwatch.GetTimestamp(); !condition();)
            await YieldAsync(began, what);
    }

    /// <inheritdoc cref="TrueAsync(Func{bool}, string)"/>
    public static async Task TrueAsync(Func<Task<bool>> condition, [CallerArgumentExpression(nameof(condition))] string what = "")
    {
        ArgumentNullException.ThrowIfNull(condition);
        for (var began = Stopwatch.GetTimestamp(); !await condition();)
            await YieldAsync(began, what);
    }

    private static async Task YieldAsync(long began, string what)
    {
        if (Stopwatch.GetElapsedTime(began) > Most)
            throw new TimeoutException($"Waited {Most.TotalSeconds} seconds in vain for: {what}");

        // What takes longer leaves the processor to those that it waits for.
        if (Stopwatch.GetElapsedTime(began) < Spin)
            await Task.Yield();
        else
            await Task.Delay(TimeSpan.FromMilliseconds(1));
    }
}
