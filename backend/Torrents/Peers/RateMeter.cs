namespace NzbDav.Torrents.Peers;

/// <summary>
/// Bytes per second over the recent past. The owner passes the time (ticks of 100 ns), and may stop its clock while nothing is expected.
/// Constant time, no allocation; not thread-safe. Unlike <see cref="Content.Rates.RecentRate"/>, which samples a counter and so shows a
/// rate only a second later, this is given each arrival: a request queue must follow within tenths of a second.
/// </summary>
internal sealed class RateMeter
{
    private const long Slice = 100 * TimeSpan.TicksPerMillisecond;
    private const int Slices = 20;

    /// <summary>Slices of the short window, which follows changes quickly.</summary>
    private const int Recent = 4;

    private readonly long[] _bytes = new long[Slices];
    private long _slice = -1;
    private long _start;
    private bool _started;

    /// <summary>Bytes added so far.</summary>
    public long Total { get; private set; }

    /// <summary>Starts the measurement before the first byte, so that the first round trip counts.</summary>
    public void Start(long now)
    {
        if (_started)
            return;
        _started = true;
        _start = now;
        _slice = now / Slice;
    }

    public void Add(long now, int bytes)
    {
        Start(now);
        Advance(now);
        _bytes[_slice % Slices] += bytes;
        Total += bytes;
    }

    /// <summary>
    /// The larger of the rates over the last 0.4 and 2 seconds, so that a pause does not look like a slow peer. 0 before the first byte.
    /// </summary>
    public double Rate(long now)
    {
        if (!_started)
            return 0;
        Advance(now);
        return Math.Max(RateOver(now, Recent), RateOver(now, Slices));
    }

    private double RateOver(long now, int slices)
    {
        long sum = 0;
        for (var i = 0; i < slices && i <= _slice; i++)
            sum += _bytes[(_slice - i) % Slices];

        // The current slice is incomplete; less than 20 ms is not trusted.
        var from = Math.Max(_start, (_slice - slices + 1) * Slice);
        var elapsed = Math.Max(now - from, 20 * TimeSpan.TicksPerMillisecond);
        return sum * (double)TimeSpan.TicksPerSecond / elapsed;
    }

    private void Advance(long now)
    {
        var slice = now / Slice;
        if (slice <= _slice)
            return;
        if (slice - _slice >= Slices)
            Array.Clear(_bytes);
        else
            for (var i = _slice + 1; i <= slice; i++)
                _bytes[i % Slices] = 0;
        _slice = slice;
    }
}
