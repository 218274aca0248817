namespace NzbDav.Usenet.Providers;

/// <summary>
/// How many connections the account really allows. Learned when the provider refuses one more; tried again, one at a time, after
/// a long while, because plans change and other programs share an account. Not thread-safe: used under the pool's lock.
/// </summary>
internal sealed class ConnectionCap(int configured, TimeProvider time)
{
    /// <summary>A refused connection costs five round trips and, at some providers, a strike: so not often.</summary>
    public static readonly TimeSpan RetryAfter = TimeSpan.FromMinutes(30);

    private readonly int _configured = configured;
    private int _learned = configured;
    private long _learnedAt;

    /// <summary>Connections to have at most.</summary>
    public int Limit => _learned < _configured && time.GetElapsedTime(_learnedAt) >= RetryAfter ? _learned + 1 : _learned;

    /// <summary>The provider refused a connection while this many were open.</summary>
    public void Refused(int open)
    {
        _learned = Math.Clamp(open, 1, _configured);
        _learnedAt = time.GetTimestamp();
    }

    /// <summary>The provider allowed one more while this many, it included, are open.</summary>
    public void Allowed(int open)
    {
        // Without a new date: once a retry worked, the next one follows, or an account that was short of connections for a moment
        // (the server still counted those that had just been lost) would need half an hour for each to come back.
        if (open > _learned)
            _learned = Math.Min(open, _configured);
    }
}
