namespace NzbDav.Torrents.Utp;

/// <summary>
/// How many bytes may be under way: LEDBAT (BEP 29, RFC 6817), which yields to other traffic as soon as a queue builds up. Times are in
/// microseconds. Not thread-safe.
/// </summary>
/// <param name="packet">Bytes of a full packet.</param>
internal sealed class CongestionWindow(int packet)
{
    /// <summary>Target queueing delay: 100 ms (BEP 29; RFC 6817 allows no more).</summary>
    public const int Target = 100_000;

    /// <summary>Growth in bytes per round trip without any queue: 3,000, as in libutp and libtorrent.</summary>
    private const double Gain = 3_000;

    /// <summary>Packets at the start. (RFC 6928 allows TCP ten; libtorrent begins with two.)</summary>
    private const int FirstPackets = 4;

    private readonly QueueDelay _delays = new();
    private double _bytes = FirstPackets * packet;
    private double _threshold = double.MaxValue;
    private long _halved = long.MinValue;

    /// <summary>Bytes that may be under way; at least one packet.</summary>
    public int Bytes => (int)_bytes;

    /// <summary>
    /// True in slow start, when the window doubles each round trip. Slow start lasts until the first loss or queue, and after a time-out
    /// until half of the previous window.
    /// </summary>
    public bool IsStarting => _bytes < _threshold;

    /// <summary>Call when bytes were acknowledged.</summary>
    /// <param name="bytes">Number of acknowledged bytes.</param>
    /// <param name="delay">The delay measured by the peer; 0 = it sent none.</param>
    /// <param name="now">The time.</param>
    /// <param name="isLimiting">True if more would have been sent with a larger window. Otherwise the window does not grow, because nothing
    /// shows that the path carries more (RFC 6817, 2.4.2).</param>
    /// <param name="most">Bytes up to which the window may grow.</param>
    public void Acknowledged(int bytes, uint delay, long now, bool isLimiting, int most)
    {
        var queue = delay == 0 ? 0 : _delays.Add(delay, now);
        if (IsStarting && queue > Target * 9 / 10)
            _threshold = _bytes / 2;
        var grown = IsStarting
            ? _bytes + bytes
            : _bytes + (Gain * Math.Max(-1, (double)(Target - queue) / Target) * Math.Min(bytes, _bytes) / Math.Max(bytes, _bytes));
        if (grown <= _bytes || isLimiting)
            _bytes = Math.Clamp(grown, packet, Math.Max(packet, most));
    }

    /// <summary>Call when a packet was lost. Halves the window, at most once per round trip.</summary>
    public void OnLoss(long now, long roundTrip)
    {
        if (_halved != long.MinValue && now - _halved < roundTrip)
            return;
        _halved = now;
        _bytes = _threshold = Math.Max(packet, _bytes / 2);
    }

    /// <summary>Call when nothing was acknowledged in time. Reduces the window to one packet (BEP 29).</summary>
    public void TimedOut(long now)
    {
        _halved = now;
        _threshold = Math.Max(2 * packet, _bytes / 2);
        _bytes = packet;
    }

    /// <summary>
    /// The queueing delay: the delay minus the shortest one of the last ten minutes, which is that of the path alone. The clocks of the two
    /// ends differ, so only differences count; they may wrap around.
    /// </summary>
    private sealed class QueueDelay
    {
        /// <summary>RFC 6817, 4.2: BASE_HISTORY, ten minutes.</summary>
        private const int Minutes = 10;

        private const long Minute = 60_000_000;

        /// <summary>
        /// Number of latest samples of which the minimum is used, so that a single late packet does not count as a queue.
        /// </summary>
        private const int Samples = 4;

        private readonly uint[] _base = new uint[Minutes];
        private readonly uint[] _latest = new uint[Samples];
        private long _minute = -1;
        private long _count;

        /// <summary>Adds a sample. Returns the queueing delay.</summary>
        public int Add(uint delay, long now)
        {
            var minute = now / Minute;
            if (_minute < 0)
                _base.AsSpan().Fill(delay);
            for (var passed = Math.Min(Minutes, minute - _minute); _minute >= 0 && passed > 0; passed--)
                _base[(minute - passed + 1) % Minutes] = delay;
            _minute = minute;
            ref var here = ref _base[minute % Minutes];
            here = Least(here, delay);
            if (_count == 0)
                _latest.AsSpan().Fill(delay);
            _latest[_count++ % Samples] = delay;
            return Math.Max(0, (int)(Least(_latest) - Least(_base)));
        }

        private static uint Least(uint[] values)
        {
            var least = values[0];
            foreach (var value in values)
                least = Least(least, value);
            return least;
        }

        private static uint Least(uint one, uint other) => (int)(one - other) < 0 ? one : other;
    }
}
