using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Peers;

/// <summary>
/// How many blocks one peer is asked for at once. Sized by time, not by rate × round trip, which collapses: the queue is worth a fixed time of the
/// measured rate, and grows by at most one per block. At first (slow start) it grows whatever was measured, until blocks come late enough to show that the
/// line is full: a rate over some time lags behind one that doubles each round trip. Measured only while something is expected of the peer. Not thread-safe.
/// </summary>
internal sealed class RequestPipeline
{
    /// <summary>However slow: so that one is on its way while another is asked for.</summary>
    public const int Floor = 4;

    /// <summary>However fast: 32 MB.</summary>
    public const int Cap = 2_000;

    /// <summary>At first: 256 KiB, little enough for a slow peer, and doubling from here fills a fast line in a few round trips.</summary>
    public const int Start = 16;

    /// <summary>Queue beyond the round trip of what somebody is going to read soon: short, so that a seek does not wait behind it.</summary>
    private const double ReadSeconds = 0.35;

    /// <summary>Queue of what nobody waits for: rides out peers that look at their queue only every half second.</summary>
    private const double BulkSeconds = 1.5;

    private const double MostSeconds = 3;

    /// <summary>Slow start ends when a block waited so much longer than a round trip.</summary>
    private static readonly long FullTicks = (long)(ReadSeconds / 2 * TimeSpan.TicksPerSecond);

    /// <summary>From this round trip on it begins with twice as much, which is under way in vain for no longer than with a near peer.</summary>
    private const long FarTicks = 50 * TimeSpan.TicksPerMillisecond;

    private readonly RateMeter _meter = new();
    private long _busy;
    private long _busySince = -1;
    private long _lastBlock = -1;
    private long _trip = -1;
    private bool _starting = true;
    private double _gapSeconds;
    private double _rate;
    private int _grown = Start;

    /// <summary>What the peer says it holds; 250 is what clients assume of one that does not say (BEP 10).</summary>
    public int PeerQueue { get; set; } = 250;

    /// <summary>Shortest time from asking to the whole block, in seconds; before the first block what connecting or greeting took.</summary>
    public double RoundTrip => _trip < 0 ? 0.05 : (double)_trip / TimeSpan.TicksPerSecond;

    /// <summary>Something was measured.</summary>
    public bool IsMeasured => _meter.Total > 0;

    /// <summary>In slow start: its line was not seen full yet.</summary>
    public bool IsStarting => _starting;

    /// <summary>The longest recent silence between blocks that were expected, in seconds.</summary>
    public double Gap => _gapSeconds;

    /// <summary>Bytes per second while something was expected, when a block came last; 0 before the first.</summary>
    public double Rate => _rate;

    /// <summary>How many blocks may be outstanding.</summary>
    /// <param name="bulk">Nobody waits for what is asked next.</param>
    public int Limit(bool bulk)
    {
        var most = Math.Min(Cap, Math.Max(1, PeerQueue));
        var limit = _starting ? _grown : Math.Min(_grown, _rate * Seconds(bulk) / PieceSlot.BlockSize);
        return (int)Math.Clamp(limit, Math.Min(Floor, most), most);
    }

    /// <summary>Connecting or greeting took so long: an estimate of the round trip until a block shows it.</summary>
    public void Trip(long ticks)
    {
        if (IsMeasured || ticks <= 0)
            return;
        _trip = ticks;
        _grown = ticks >= FarTicks ? 2 * Start : Start;
    }

    /// <summary>The peer was asked while nothing was expected of it.</summary>
    public void Began(long now)
    {
        if (_busySince >= 0)
            return;
        _busySince = now;
        _lastBlock = -1;
        _meter.Start(Busy(now));
    }

    /// <summary>Nothing more is expected.</summary>
    public void Ended(long now)
    {
        _busy = Busy(now);
        _busySince = -1;
    }

    /// <summary>A block came.</summary>
    /// <param name="now">Ticks.</param>
    /// <param name="bytes">Its bytes.</param>
    /// <param name="asked">When it was asked for.</param>
    public void Came(long now, int bytes, long asked)
    {
        var trip = now - asked;
        _trip = IsMeasured ? Math.Min(_trip, trip) : trip;
        _starting &= trip < _trip + FullTicks;
        var busy = Busy(now);
        _meter.Add(busy, bytes);
        _gapSeconds *= 0.999;
        if (_lastBlock >= 0)
            _gapSeconds = Math.Max(_gapSeconds, (double)(now - _lastBlock) / TimeSpan.TicksPerSecond);
        _lastBlock = now;
        _rate = _meter.Rate(busy);

        // Slow start, and again when a peer that had become slow recovers.
        _grown = (int)Math.Clamp(Math.Min(_grown + 1, 2 * _rate * Seconds(bulk: true) / PieceSlot.BlockSize), Start, Cap);
    }

    /// <summary>The peer let us down: begin again from the smallest queue.</summary>
    public void Snub()
    {
        _grown = Floor;
        _starting = false;
    }

    private double Seconds(bool bulk)
    {
        // A peer that serves in bursts must have more than a burst to serve.
        var burst = 2.5 * _gapSeconds;
        return Math.Clamp(RoundTrip + Math.Max(bulk ? BulkSeconds : ReadSeconds, burst), 0, MostSeconds + RoundTrip);
    }

    private long Busy(long now) => _busySince < 0 ? _busy : _busy + (now - _busySince);
}
