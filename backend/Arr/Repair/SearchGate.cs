namespace NzbDav.Arr.Repair;

/// <summary>
/// Lets one search a minute through to an instance: indexers count what is asked of them. Share one between all that searches on the same
/// instance. Thread-safe.
/// </summary>
public sealed class SearchGate
{
    /// <summary>Time between two searches.</summary>
    public static readonly TimeSpan Interval = TimeSpan.FromMinutes(1);

    private readonly Lock _gate = new();
    private readonly TimeProvider _time;
    private long? _last;

    /// <param name="time">Clock; the system's if null.</param>
    public SearchGate(TimeProvider? time = null) => _time = time ?? TimeProvider.System;

    /// <summary>Takes the turn if it is free.</summary>
    /// <param name="wait">How long until the next one, if not.</param>
    public bool TryEnter(out TimeSpan wait)
    {
        lock (_gate)
        {
            wait = _last is { } last ? Interval - _time.GetElapsedTime(last) : TimeSpan.Zero;
            if (wait > TimeSpan.Zero)
                return false;
            wait = TimeSpan.Zero;
            _last = _time.GetTimestamp();
            return true;
        }
    }

    /// <summary>Gives back a turn that was taken, when no search was sent.</summary>
    public void Return()
    {
        lock (_gate)
            _last = null;
    }
}
