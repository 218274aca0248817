using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Peers;

/// <summary>
/// Decides how many blocks are requested from one peer at once. The queue holds a fixed time's worth of blocks at the measured rate, and
/// grows by at most one per block. (The usual formula, rate × round trip, collapses.) At first (slow start) it grows regardless of the
/// rate, until blocks arrive late enough to show that the line is full: an averaged rate lags behind one that doubles each round trip. The
/// rate is measured only while blocks are expected from the peer. Not thread-safe.
/// </summary>
internal sealed class RequestPipeline
{
    /// <summary>Fewest blocks, however slow the peer: one is on its way while another is being requested.</summary>
    public const int Floor = 4;

    /// <summary>Most blocks, however fast the peer: 32 MB.</summary>
    public const int Cap = 2_000;

    /// <summary>
    /// Initial number of blocks: 256 KiB. Little enough for a slow peer, and doubling from here fills a fast line in a few round trips.
    /// </summary>
    public const int Start = 16;

    /// <summary>
    /// Length of the queue, beyond the round trip, for blocks needed soon: short, so that a seek does not wait behind it.
    /// </summary>
    private const double ReadSeconds = 0.35;

    /// <summary>Length of the queue for background blocks: long enough for peers that process their queue only every half second.</summary>
    private const double BulkSeconds = 1.5;

    private const double MostSeconds = 3;

    /// <summary>Slow start ends when a block took longer than a round trip by this much.</summary>
    private static readonly long FullTicks = (long)(ReadSeconds / 2 * TimeSpan.TicksPerSecond);

    /// <summary>
    /// From this round trip on, the queue starts twice as long. Blocks that turn out to be unneeded then arrive for no longer than from a
    /// near peer.
    /// </summary>
    private const long FarTicks = 50 * TimeSpan.TicksPerMillisecond;

    private readonly RateMeter _meter = new();
    private long _busy;
    private long _busySince = -1;
    private long _lastBlock = -1;
    private long _roundTrip = -1;
    private bool _starting = true;
    private double _gapSeconds;
    private double _rate;
    private int _grown = Start;
    private int _first = Start;

    /// <summary>Requests that the peer says it queues; clients assume 250 if it does not say (BEP 10).</summary>
    public int PeerQueue { get; set; } = 250;

    /// <summary>
    /// Shortest time from a request to the complete block, in seconds. Before the first block: the time that connecting or the handshake
    /// took, or 0.05.
    /// </summary>
    public double RoundTrip => _roundTrip < 0 ? 0.05 : (double)_roundTrip / TimeSpan.TicksPerSecond;

    /// <summary>True once a block has arrived.</summary>
    public bool IsMeasured => _meter.Total > 0;

    /// <summary>True during slow start: the line has not been seen full yet.</summary>
    public bool IsStarting => _starting;

    /// <summary>The longest recent silence while blocks were expected, in seconds.</summary>
    public double Gap => _gapSeconds;

    /// <summary>Bytes per second while blocks were expected, as of the last block; 0 before the first.</summary>
    public double Rate => _rate;

    /// <summary>How many blocks may be outstanding.</summary>
    /// <param name="bulk">True if no reader needs the next blocks soon.</param>
    public int Limit(bool bulk)
    {
        var most = Math.Min(Cap, Math.Max(1, PeerQueue));
        var limit = _starting ? _grown : Math.Min(_grown, _rate * Seconds(bulk) / PieceSlot.BlockSize);
        return (int)Math.Clamp(limit, Math.Min(Floor, most), most);
    }

    /// <summary>Sets the time that connecting or the handshake took. It serves as the round trip until the first block.</summary>
    public void SeedRtt(long ticks)
    {
        if (IsMeasured || ticks <= 0)
            return;
        _roundTrip = ticks;
        _grown = ticks >= FarTicks ? Math.Max(_first, 2 * Start) : _first;
    }

    /// <summary>Starts with a longer queue. For web servers, which have a line of their own, and whose answers are long.</summary>
    public void Widen(int blocks, int queue)
    {
        PeerQueue = queue;
        _grown = _first = blocks;
    }

    /// <summary>Call when a request is sent. Starts the clock if nothing was outstanding.</summary>
    public void OnRequestSent(long now)
    {
        if (_busySince >= 0)
            return;
        _busySince = now;
        _lastBlock = -1;
        _meter.Start(Busy(now));
    }

    /// <summary>Call when no request is outstanding any more. Stops the clock.</summary>
    public void OnIdle(long now)
    {
        _busy = Busy(now);
        _busySince = -1;
    }

    /// <summary>Call when a block has arrived.</summary>
    /// <param name="now">Ticks.</param>
    /// <param name="bytes">Its bytes.</param>
    /// <param name="requestedAt">When it was requested, in ticks.</param>
    public void OnBlockReceived(long now, int bytes, long requestedAt)
    {
        var trip = now - requestedAt;
        _roundTrip = IsMeasured ? Math.Min(_roundTrip, trip) : trip;
        _starting &= trip < _roundTrip + FullTicks;
        var busy = Busy(now);
        _meter.Add(busy, bytes);
        _gapSeconds *= 0.999;
        if (_lastBlock >= 0)
            _gapSeconds = Math.Max(_gapSeconds, (double)(now - _lastBlock) / TimeSpan.TicksPerSecond);
        _lastBlock = now;
        _rate = _meter.Rate(busy);

        // Grows during slow start, and again when a peer that had become slow recovers.
        _grown = (int)Math.Clamp(Math.Min(_grown + 1, 2 * _rate * Seconds(bulk: true) / PieceSlot.BlockSize), Start, Cap);
    }

    /// <summary>Starts over from the smallest queue. Call when the peer was too slow.</summary>
    public void Snub()
    {
        _grown = Floor;
        _starting = false;
    }

    private double Seconds(bool bulk)
    {
        // A peer that serves in bursts needs more than one burst in its queue.
        var burst = 2.5 * _gapSeconds;
        return Math.Clamp(RoundTrip + Math.Max(bulk ? BulkSeconds : ReadSeconds, burst), 0, MostSeconds + RoundTrip);
    }

    private long Busy(long now) => _busySince < 0 ? _busy : _busy + (now - _busySince);
}
