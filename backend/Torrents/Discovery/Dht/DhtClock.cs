namespace NzbDav.Torrents.Discovery.Dht;

/// <summary>How long nodes are waited for: learned from round trips as TCP does (RFC 6298). Used under the DHT's lock.</summary>
internal sealed class DhtClock
{
    private static readonly long Least = 200 * TimeSpan.TicksPerMillisecond;
    private static readonly long Most = 1_500 * TimeSpan.TicksPerMillisecond;
    private long _trip;
    private long _spread;

    /// <summary>Ticks after which another node is asked beside; a second while nothing is known.</summary>
    public long Slow => _trip == 0 ? TimeSpan.TicksPerSecond : Math.Clamp(_trip + (4 * _spread), Least, Most);

    /// <summary>Ticks after which an answer is not expected any more.</summary>
    public long Lost => Math.Max(3 * TimeSpan.TicksPerSecond, 4 * Slow);

    /// <summary>An answer came.</summary>
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
