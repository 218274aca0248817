namespace NzbDav.Usenet.Providers.Shares;

/// <summary>
/// How long the shares of this process last. The longer of two clocks counts: the monotonic one stands still while a machine sleeps, the clock of the day can be set back. Thread-safe.
/// </summary>
/// <param name="time">Both clocks.</param>
internal sealed class ShareLease(TimeProvider time)
{
    private readonly Lock _gate = new();
    private long _began;
    private DateTimeOffset _beganAt;
    private TimeSpan _lasts;

    /// <summary>Time left; zero when it is over, or never began.</summary>
    public TimeSpan Left
    {
        get
        {
            lock (_gate)
            {
                if (_lasts == TimeSpan.Zero)
                    return TimeSpan.Zero;
                var (monotonic, ofDay) = (time.GetElapsedTime(_began), time.GetUtcNow() - _beganAt);
                var left = _lasts - (monotonic > ofDay ? monotonic : ofDay);
                return left > TimeSpan.Zero ? left : TimeSpan.Zero;
            }
        }
    }

    /// <summary>True while nothing may be open.</summary>
    public bool IsOver => Left == TimeSpan.Zero;

    /// <summary>Both clocks now, for <see cref="Begin"/>.</summary>
    public (long Monotonic, DateTimeOffset OfDay) Now => (time.GetTimestamp(), time.GetUtcNow());

    /// <summary>Begins anew.</summary>
    /// <param name="at">A moment before the renewal was sent.</param>
    /// <param name="lasts">How long it lasts from then on; zero ends it.</param>
    public void Begin((long Monotonic, DateTimeOffset OfDay) at, TimeSpan lasts)
    {
        lock (_gate)
            (_began, _beganAt, _lasts) = (at.Monotonic, at.OfDay, lasts);
    }
}
