namespace NzbDav.Usenet.Providers;

/// <summary>
/// How many connections the account really allows. Learned when the provider refuses one more; tried again, one at a time, after a minute and then
/// after twice as long each time: the server may still count connections that were just lost, plans change, and other programs share an account.
/// Not thread-safe: used under the pool's lock.
/// </summary>
internal sealed class ConnectionCap(int configured, TimeProvider time)
{
    /// <summary>Servers forget a lost connection within minutes.</summary>
    public static readonly TimeSpan FirstRetry = TimeSpan.FromMinutes(1);

    /// <summary>A refused connection costs five round trips and, at some providers, a strike: so not often where it never works.</summary>
    public static readonly TimeSpan LongestRetry = TimeSpan.FromMinutes(30);

    private readonly int _configured = configured;
    private int _learned = configured;
    private long _learnedAt;
    private TimeSpan _retryAfter = FirstRetry;
    private bool _grew = true;

    /// <summary>Connections to have at most.</summary>
    public int Limit => MayRetry ? _learned + 1 : _learned;

    private bool MayRetry => _learned < _configured && time.GetElapsedTime(_learnedAt) >= _retryAfter;

    /// <summary>The provider refused a connection while this many were open.</summary>
    public void Refused(int open)
    {
        // Those that were under way together are refused together: only a retry that failed makes the next one later.
        if (_grew)
            _retryAfter = FirstRetry;
        else if (MayRetry)
            _retryAfter = _retryAfter < LongestRetry / 2 ? _retryAfter * 2 : LongestRetry;
        _grew = false;
        _learned = Math.Clamp(open, 1, _configured);
        _learnedAt = time.GetTimestamp();
    }

    /// <summary>The provider allowed one more while this many, it included, are open.</summary>
    public void Allowed(int open)
    {
        if (open <= _learned)
            return;

        // Without a new date: once a retry worked the next one follows, or each connection of an account that was short of them for a moment
        // would need as long to come back.
        _learned = Math.Min(open, _configured);
        _grew = true;
    }
}
