using System.Net;

namespace NzbDav.Torrents.Peers;

/// <summary>What one peer was told of others (BEP 11), and how often it told us. Used under the torrent's lock.</summary>
internal sealed class ExchangeRecord
{
    /// <summary>BEP 11: once a minute at most. Timers of others are not ours, and some say something at the start and again with their next round: a few may come sooner.</summary>
    private const long HeardEvery = 50 * TimeSpan.TicksPerSecond;

    private const long Ahead = 3 * HeardEvery;

    private long _heard;

    /// <summary>The peers that it knows from us.</summary>
    public List<IPEndPoint> Named { get; } = [];

    /// <summary>Ticks before which it is told nothing more.</summary>
    public long NotBefore { get; set; }

    /// <summary>The change of the torrent's peers up to which it was told.</summary>
    public long Seen { get; set; } = -1;

    /// <summary>It tells of others. False if it does so too often.</summary>
    public bool TryHear(long now)
    {
        var next = Math.Max(_heard, now) + HeardEvery;
        if (next > now + HeardEvery + Ahead)
            return false;
        _heard = next;
        return true;
    }
}
