namespace NzbDav.Usenet.Providers;

/// <summary>
/// Tracks the number of connections that the account really allows. Learned when the provider refuses one more. Retried one connection at a
/// time, first after a minute and then after twice as long each time, because plans change and other programs share an account. A server
/// still counts connections that were just lost: while there are such ghosts, a refusal sets no cap, and one more is tried within seconds.
/// Not thread-safe: used under the pool's lock.
/// </summary>
internal sealed class ConnectionCap(int configured, TimeProvider time)
{
    /// <summary>Time until the first retry above a learned cap.</summary>
    public static readonly TimeSpan FirstRetry = TimeSpan.FromMinutes(1);

    /// <summary>Longest time between retries: a refused connection costs five round trips and, at some providers, a strike.</summary>
    public static readonly TimeSpan LongestRetry = TimeSpan.FromMinutes(30);

    /// <summary>How long a server may count a lost connection: most notice within seconds, some only by a time limit of a minute.</summary>
    public static readonly TimeSpan GhostLife = TimeSpan.FromMinutes(1);

    /// <summary>Time until the first retry beside ghosts.</summary>
    public static readonly TimeSpan FirstGhostRetry = TimeSpan.FromSeconds(1);

    /// <summary>Longest time between retries beside ghosts: ten refusals within <see cref="GhostLife"/>.</summary>
    public static readonly TimeSpan LongestGhostRetry = TimeSpan.FromSeconds(8);

    private readonly int _configured = configured;

    /// <summary>When connections were lost, oldest first; at most as many as are configured.</summary>
    private readonly Queue<long> _lost = new();

    private int _observedLimit = configured;
    private int _granted;
    private long _refusedAt;
    private TimeSpan _retryAfter = FirstRetry;
    private bool _grew = true;

    /// <summary>Connections open when one more was refused beside ghosts, or since then; null if no ghosts interfere.</summary>
    private int? _besideGhosts;

    /// <summary>Most connections to have now.</summary>
    public int Limit => _besideGhosts is { } open ? Math.Min(_observedLimit, MayRetry ? open + 1 : open) : Known;

    /// <summary>What the account is believed to allow.</summary>
    public int Known => _besideGhosts is null && _observedLimit < _configured && MayRetry ? _observedLimit + 1 : _observedLimit;

    /// <summary>The observed limit, if lower than configured; otherwise null. May be read from any thread.</summary>
    public int? ObservedLimit => _observedLimit < _configured ? _observedLimit : null;

    /// <summary>True if connections were lost that the server may still count.</summary>
    public bool HasGhosts
    {
        get
        {
            while (_lost.TryPeek(out var at) && time.GetElapsedTime(at) >= GhostLife)
                _lost.Dequeue();
            return _lost.Count > 0;
        }
    }

    /// <summary>Connections that ghosts occupy: believed to be allowed, but not available now.</summary>
    /// <param name="open">Connections that are open.</param>
    public int HeldByGhosts(int open) => _besideGhosts is null ? 0 : Math.Max(0, _observedLimit - open);

    private bool MayRetry => time.GetElapsedTime(_refusedAt) >= _retryAfter;

    /// <summary>Records a connection that was lost, or closed without QUIT: the server may count it for a while.</summary>
    public void ConnectionLost()
    {
        if (_lost.Count == _configured)
            _lost.Dequeue();
        _lost.Enqueue(time.GetTimestamp());
    }

    /// <summary>Records that the provider refused a connection while this many were open.</summary>
    public void Refused(int open)
    {
        var ghosts = HasGhosts ? _lost.Count : 0;
        var (first, longest) = ghosts > 0 ? (FirstGhostRetry, LongestGhostRetry) : (FirstRetry, LongestRetry);

        // Connections opened together are refused together: only a failed retry delays the next one.
        if (_grew || (_besideGhosts is null) != (ghosts == 0))
            _retryAfter = first;
        else if (MayRetry)
            _retryAfter = _retryAfter < longest / 2 ? _retryAfter * 2 : longest;
        _grew = false;
        _refusedAt = time.GetTimestamp();
        if (ghosts > 0)
        {
            _besideGhosts = open;
            _observedLimit = Math.Clamp(Math.Max(open + ghosts, _granted), 1, _observedLimit);
        }
        else
        {
            _besideGhosts = null;
            _observedLimit = _granted = Math.Clamp(open, 1, _configured);
        }
    }

    /// <summary>Records that the provider allowed one more connection, so that this many are open.</summary>
    public void Allowed(int open)
    {
        _granted = Math.Max(_granted, open);
        if (open > _besideGhosts)
        {
            _besideGhosts = open < _observedLimit ? open : null;
            _grew = true;
        }

        if (open <= _observedLimit)
            return;

        // Keep the time of the refusal, so that the next retry follows a successful one at once. Otherwise an account that was short of
        // connections for a moment would wait again for each of them.
        _observedLimit = Math.Min(open, _configured);
        _grew = true;
    }
}
