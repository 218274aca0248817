namespace NzbDav.Torrents.Discovery.Dht;

/// <summary>Time limits for nodes' answers, learned from round trips as in TCP (RFC 6298). Used under the DHT's lock.</summary>
internal sealed class DhtClock
{
    private static readonly long Least = 200 * TimeSpan.TicksPerMillisecond;
    private static readonly long Most = 1_500 * TimeSpan.TicksPerMillisecond;
    private long _trip;
    private long _spread;

    /// <summary>Ticks after which another node is asked as well; a second before anything was measured.</summary>
    public long Slow => _trip == 0 ? TimeSpan.TicksPerSecond : Math.Clamp(_trip + (4 * _spread), Least, Most);

    /// <summary>Ticks after which an answer is no longer expected.</summary>
    public long Lost => Math.Max(3 * TimeSpan.TicksPerSecond, 4 * Slow);

    /// <summary>Counts the round trip of an answer.</summary>
    public void Took(long ticks)
    {
        if (_trip == 0)
        {
            (_trip, _spread) = (Math.Max(1, ticks), ticks / 2);
            return;
        }

        _spread += (Math.Abs(_trip - ticks) - _spread) / 4;
        _trip += (ticks - _trip) / 8;
    }
}
