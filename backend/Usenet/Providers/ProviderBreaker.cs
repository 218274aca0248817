namespace NzbDav.Usenet.Providers;

/// <summary>
/// Limits attempts at a failing provider. Two failures in a row open it; then one attempt is allowed after 2 s, 4 s, … 5 minutes, until one
/// works. After a connection that served nothing, a successful login is no proof. Setting the clock does not change a break. Not
/// thread-safe: used under the pool's lock, which allows one attempt at a time (<see cref="ProviderHealth.MayDial"/>).
/// </summary>
internal sealed class ProviderBreaker(TimeProvider time)
{
    public static readonly TimeSpan FirstBreak = TimeSpan.FromSeconds(2);
    public static readonly TimeSpan LongestBreak = TimeSpan.FromMinutes(5);

    private int _failedInRow;
    private bool _isOnTrial;
    private long _openedAt;

    /// <summary>Length of the break, from <see cref="_openedAt"/>; zero: the breaker is closed.</summary>
    private TimeSpan _break;

    /// <summary>Time left of the break; zero: an attempt is allowed.</summary>
    public TimeSpan Left => _break - time.GetElapsedTime(_openedAt) is { Ticks: > 0 } left ? left : TimeSpan.Zero;

    /// <summary>When the break ends, or ended if no attempt has worked since, for display; null: the breaker is closed.</summary>
    public DateTimeOffset? NextAttempt { get; private set; }

    /// <summary>Length of the break after this many failures beyond the two that open the breaker.</summary>
    public static TimeSpan BreakAfter(int failures) =>
        TimeSpan.FromSeconds(Math.Min(LongestBreak.TotalSeconds, FirstBreak.TotalSeconds * Math.Pow(2, Math.Min(failures, 20))));

    /// <summary>Records a successful attempt. One that began before the break says nothing about it.</summary>
    /// <param name="isEarly">True if it was made during the break: it ends the break.</param>
    public void Worked(bool isEarly)
    {
        if (isEarly || Left == TimeSpan.Zero)
            (_break, NextAttempt) = (TimeSpan.Zero, null);
        if (!_isOnTrial)
            _failedInRow = 0;
    }

    /// <summary>Records a failed attempt. Do not call for an early one, which leaves the break unchanged.</summary>
    /// <returns>True if a break begins.</returns>
    public bool Failed()
    {
        if (++_failedInRow < 2 || Left > TimeSpan.Zero)
            return false;
        (_openedAt, _break) = (time.GetTimestamp(), BreakAfter(_failedInRow - 2));
        NextAttempt = time.GetUtcNow() + _break;
        return true;
    }

    /// <summary>Records that a connection was opened and ended without serving anything. Counts as a failed attempt.</summary>
    /// <returns>True if a break begins.</returns>
    public bool ServedNothing()
    {
        _isOnTrial = true;
        return Failed();
    }

    /// <summary>Records that a connection has served something, which ends the row of failures.</summary>
    public void Served() => (_isOnTrial, _failedInRow) = (false, 0);
}
