namespace NzbDav.Arr.Repair;

/// <summary>
/// Limits an instance to one search a minute, because indexers limit the number of requests. Everything that searches on the same
/// instance shares one. Thread-safe.
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

    /// <summary>Takes the turn to search. False if another search began less than a minute ago.</summary>
    /// <param name="wait">Time until the next turn, if it was not granted.</param>
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

    /// <summary>Returns the turn if no search was sent after all.</summary>
    public void Return()
    {
        lock (_gate)
            _last = null;
    }
}
