using System.Net;

namespace NzbDav.Torrents.Peers;

/// <summary>
/// Peer exchange with one peer (BEP 11): the peers that we named to it, and how often it sends us messages. Used under the torrent's lock.
/// </summary>
internal sealed class ExchangeRecord
{
    /// <summary>
    /// BEP 11 allows one message per minute. Clocks differ, and some clients send one at the start and another in their next round, so up
    /// to three may come early.
    /// </summary>
    private const long MessageInterval = 50 * TimeSpan.TicksPerSecond;

    private const long Ahead = 3 * MessageInterval;

    /// <summary>Shortest time between messages to a peer (BEP 11).</summary>
    private const long Pause = TimeSpan.TicksPerMinute;

    private readonly List<IPEndPoint> _named = [];
    private long _nextMessage;
    private long _notBefore;
    private long _sentVersion = -1;

    /// <summary>The peers that we have named to it.</summary>
    public IReadOnlyList<IPEndPoint> Named => _named;

    /// <summary>True if it can be sent a message about this version of the torrent's list of peers.</summary>
    public bool IsDue(long version, long now) => _sentVersion != version && now >= _notBefore;

    /// <summary>Call when it knows this version of the torrent's list of peers.</summary>
    public void MarkCurrent(long version) => _sentVersion = version;

    /// <summary>Call when a message naming these peers was sent to it.</summary>
    public void OnSent(IEnumerable<IPEndPoint> added, List<IPEndPoint> dropped, long now)
    {
        _named.RemoveAll(dropped.Contains);
        _named.AddRange(added);
        _notBefore = now + Pause;
    }

    /// <summary>Counts a message that it sent. False if it sends too many.</summary>
    public bool TryCountMessage(long now)
    {
        var next = Math.Max(_nextMessage, now) + MessageInterval;
        if (next > now + MessageInterval + Ahead)
            return false;
        _nextMessage = next;
        return true;
    }
}
