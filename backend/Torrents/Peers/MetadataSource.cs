namespace NzbDav.Torrents.Peers;

/// <summary>Our requests to one peer for the info dictionary, and how many more may be sent to it. Used under the torrent's lock.</summary>
internal sealed class MetadataSource
{
    /// <summary>Initial number of requests: small, so that a dictionary of a few pieces comes from several peers.</summary>
    private const int FirstWindow = 4;

    /// <summary>
    /// Largest number of requests at once. Transmission queues 64 requests and rejects the others; libtorrent writes 160 KiB and queues the
    /// rest. A peer that answers all requests at once has 256 KiB to send.
    /// </summary>
    private const int MostWindow = 16;

    private static readonly long FirstPause = TimeSpan.TicksPerSecond;
    private static readonly long LongestPause = 30 * TimeSpan.TicksPerSecond;
    private readonly HashSet<int> _requested = [];
    private readonly HashSet<int> _late = [];
    private long _pause = FirstPause;

    /// <summary>Pieces that have been requested and are expected.</summary>
    public IReadOnlyCollection<int> Requested => _requested;

    /// <summary>How many pieces may be requested from it at once.</summary>
    public int Window { get; private set; } = FirstWindow;

    /// <summary>When the last piece arrived, or when the first request after an idle time was sent; in ticks.</summary>
    public long LastPieceAt { get; private set; }

    /// <summary>Time in ticks before which it is not asked again.</summary>
    public long NotBefore { get; private set; }

    /// <summary>How often the whole dictionary was requested from it.</summary>
    public int FullRequests { get; private set; }

    /// <summary>Call when the whole dictionary is about to be requested from it.</summary>
    public void CountFullRequest() => FullRequests++;

    /// <summary>True if this piece was requested and has not been answered, even if the request has been given up.</summary>
    public bool Expects(int piece) => _requested.Contains(piece) || _late.Contains(piece);

    public void AddRequest(int piece, long now)
    {
        if (_requested.Count == 0)
            LastPieceAt = now;
        _requested.Add(piece);
        _late.Remove(piece);
    }

    /// <summary>Call when a piece has arrived. True if it was still expected.</summary>
    public bool OnPieceReceived(int piece, long now)
    {
        LastPieceAt = now;
        Window = Math.Min(MostWindow, Window + 1);
        _pause = FirstPause;
        _late.Remove(piece);
        return _requested.Remove(piece);
    }

    /// <summary>Call when the peer has rejected a request. True if the piece was expected.</summary>
    public bool OnRejected(int piece, long now)
    {
        BackOff(now);
        _late.Remove(piece);
        return _requested.Remove(piece);
    }

    /// <summary>Call when the peer is silent: its pieces are requested from others, but still accepted from it.</summary>
    public void GiveUp(long now)
    {
        BackOff(now);
        _late.UnionWith(_requested);
        _requested.Clear();
    }

    /// <summary>Stops asking it for good.</summary>
    public void Ban() => NotBefore = long.MaxValue;

    /// <summary>Forgets all requests: everything is requested again.</summary>
    public void Restart()
    {
        _requested.Clear();
        _late.Clear();
    }

    /// <summary>Reduces and delays further requests. Several rejects in a row count once.</summary>
    private void BackOff(long now)
    {
        if (now < NotBefore)
            return;
        NotBefore = now + _pause;
        _pause = Math.Min(LongestPause, _pause * 2);
        Window = Math.Max(1, Window / 2);
    }
}
