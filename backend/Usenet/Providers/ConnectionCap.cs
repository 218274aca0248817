namespace NzbDav.Usenet.Providers;

/// <summary>
/// How many connections the account really allows. Learned when the provider refuses one more; tried again, one at a time, after a minute and then
/// after twice as long each time: plans change, and other programs share an account. A server still counts connections that were just lost: while there are
/// such ghosts a refusal teaches no cap, and one more is tried within seconds. Not thread-safe: used under the pool's lock.
/// </summary>
internal sealed class ConnectionCap(int configured, TimeProvider time)
{
    /// <summary>Before a cap that was learned is tried again for the first time.</summary>
    public static readonly TimeSpan FirstRetry = TimeSpan.FromMinutes(1);

    /// <summary>A refused connection costs five round trips and, at some providers, a strike: so not often where it never works.</summary>
    public static readonly TimeSpan LongestRetry = TimeSpan.FromMinutes(30);

    /// <summary>So long a server may count a connection that was lost: most notice within seconds, some by a time limit of a minute.</summary>
    public static readonly TimeSpan GhostLife = TimeSpan.FromMinutes(1);

    /// <summary>Before one more is tried beside ghosts for the first time.</summary>
    public static readonly TimeSpan FirstGhostRetry = TimeSpan.FromSeconds(1);

    /// <summary>In <see cref="GhostLife"/> that is ten refusals.</summary>
    public static readonly TimeSpan LongestGhostRetry = TimeSpan.FromSeconds(8);

    private readonly int _configured = configured;

    /// <summary>When connections were lost, oldest first; at most as many as can be open.</summary>
    private readonly Queue<long> _lost = new();

    private int _learned = configured;
    private int _granted;
    private long _refusedAt;
    private TimeSpan _retryAfter = FirstRetry;
    private bool _grew = true;

    /// <summary>Open when one more was refused beside ghosts, or since; null when ghosts are in nobody's way.</summary>
    private int? _besideGhosts;

    /// <summary>Connections to have at most now.</summary>
    public int Limit => _besideGhosts is { } open ? Math.Min(_learned, MayRetry ? open + 1 : open) : Known;

    /// <summary>What the account is believed to allow.</summary>
    public int Known => _besideGhosts is null && _learned < _configured && MayRetry ? _learned + 1 : _learned;

    /// <summary>What the account was seen to allow, where that is fewer than configured; else null.</summary>
    public int? Learned => _learned < _configured ? _learned : null;

    /// <summary>True when connections were lost that the server may still count.</summary>
    public bool HasGhosts
    {
        get
        {
            while (_lost.TryPeek(out var at) && time.GetElapsedTime(at) >= GhostLife)
                _lost.Dequeue();
            return _lost.Count > 0;
        }
    }

    /// <summary>Places that ghosts hold: what the account is believed to allow, and cannot be had now.</summary>
    /// <param name="open">Connections that are open.</param>
    public int HeldByGhosts(int open) => _besideGhosts is null ? 0 : Math.Max(0, _learned - open);

    private bool MayRetry => time.GetElapsedTime(_refusedAt) >= _retryAfter;

    /// <summary>A connection was lost, or closed without a word: the server may count it for a while.</summary>
    public void Lost()
    {
        if (_lost.Count == _configured)
            _lost.Dequeue();
        _lost.Enqueue(time.GetTimestamp());
    }

    /// <summary>The provider refused a connection while this many were open.</summary>
    public void Refused(int open)
    {
        var ghosts = HasGhosts ? _lost.Count : 0;
        var (first, longest) = ghosts > 0 ? (FirstGhostRetry, LongestGhostRetry) : (FirstRetry, LongestRetry);

        // Those that were under way together are refused together: only a retry that failed makes the next one later.
        if (_grew || (_besideGhosts is null) != (ghosts == 0))
            _retryAfter = first;
        else if (MayRetry)
            _retryAfter = _retryAfter < longest / 2 ? _retryAfter * 2 : longest;
        _grew = false;
        _refusedAt = time.GetTimestamp();
        if (ghosts > 0)
        {
            _besideGhosts = open;
            _learned = Math.Clamp(Math.Max(open + ghosts, _granted), 1, _learned);
        }
        else
        {
            _besideGhosts = null;
            _learned = _granted = Math.Clamp(open, 1, _configured);
        }
    }

    /// <summary>The provider allowed one more while this many, it included, are open.</summary>
    public void Allowed(int open)
    {
        _granted = Math.Max(_granted, open);
        if (open > _besideGhosts)
        {
            _besideGhosts = open < _learned ? open : null;
            _grew = true;
        }

        if (open <= _learned)
            return;

        // Without a new date: once a retry worked the next one follows, or each connection of an account that was short of them for a moment
        // would need as long to come back.
        _learned = Math.Min(open, _configured);
        _grew = true;
    }
}
