namespace NzbDav.Torrents.Peers;

/// <summary>What one peer was asked for of the info dictionary, and how much more it may be asked for. Used under its torrent's lock.</summary>
internal sealed class MetadataSource
{
    /// <summary>At first: a dictionary of a few pieces comes from several peers.</summary>
    private const int FirstWindow = 4;

    /// <summary>Transmission queues 64 requests and rejects the others; libtorrent writes 160 KiB and queues the rest. A peer that sends what it is asked for at once has 256 KiB to send.</summary>
    private const int MostWindow = 16;

    private static readonly long FirstPause = TimeSpan.TicksPerSecond;
    private static readonly long LongestPause = 30 * TimeSpan.TicksPerSecond;
    private readonly HashSet<int> _asked = [];
    private readonly HashSet<int> _late = [];
    private long _pause = FirstPause;

    /// <summary>Pieces that are expected.</summary>
    public IReadOnlyCollection<int> Asked => _asked;

    /// <summary>How many pieces it may be asked for at once.</summary>
    public int Window { get; private set; } = FirstWindow;

    /// <summary>Ticks when a piece came last, or when it was asked while none was expected.</summary>
    public long LastHeard { get; set; }

    /// <summary>Ticks before which it is not asked again.</summary>
    public long NotBefore { get; private set; }

    /// <summary>How often it was asked for the whole dictionary.</summary>
    public int Turns { get; set; }

    /// <summary>It was asked for this piece and has not answered: perhaps late.</summary>
    public bool Owes(int piece) => _asked.Contains(piece) || _late.Contains(piece);

    public void Ask(int piece, long now)
    {
        if (_asked.Count == 0)
            LastHeard = now;
        _asked.Add(piece);
        _late.Remove(piece);
    }

    /// <summary>The piece came. True if it was still expected.</summary>
    public bool Came(int piece, long now)
    {
        LastHeard = now;
        Window = Math.Min(MostWindow, Window + 1);
        _pause = FirstPause;
        _late.Remove(piece);
        return _asked.Remove(piece);
    }

    /// <summary>The peer does not send the piece now. True if it was expected.</summary>
    public bool Refused(int piece, long now)
    {
        Rest(now);
        _late.Remove(piece);
        return _asked.Remove(piece);
    }

    /// <summary>The peer is silent: what it was asked for is asked of others, and is still welcome.</summary>
    public void GiveUp(long now)
    {
        Rest(now);
        _late.UnionWith(_asked);
        _asked.Clear();
    }

    /// <summary>Never asked again.</summary>
    public void Ban() => NotBefore = long.MaxValue;

    /// <summary>All is asked for anew.</summary>
    public void Restart()
    {
        _asked.Clear();
        _late.Clear();
    }

    /// <summary>Asked for less, and later. What a peer refuses in one go counts once.</summary>
    private void Rest(long now)
    {
        if (now < NotBefore)
            return;
        NotBefore = now + _pause;
        _pause = Math.Min(LongestPause, _pause * 2);
        Window = Math.Max(1, Window / 2);
    }
}
