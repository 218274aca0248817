using System.Net;

namespace NzbDav.Torrents.Peers;

/// <summary>
/// Peer exchange with one peer (BEP 11): the peers that we named to it, and how often it sends us such messages. Used under the torrent's
/// lock.
/// </summary>
internal sealed class ExchangeRecord
{
    /// <summary>
    /// BEP 11 allows one message a minute. Clocks differ, and some clients send one at the start and another in their next round, so up to
    /// three may come early.
    /// </summary>
    private const long MessageInterval = 50 * TimeSpan.TicksPerSecond;

    private const long Ahead = 3 * MessageInterval;

    private long _nextMessage;

    /// <summary>The peers that we have told it about.</summary>
    public List<IPEndPoint> Named { get; } = [];

    /// <summary>Time in ticks before which it is sent no further message.</summary>
    public long NotBefore { get; set; }

    /// <summary>Version of the torrent's list of peers that it was last told about; −1 = none.</summary>
    public long SentVersion { get; set; } = -1;

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
