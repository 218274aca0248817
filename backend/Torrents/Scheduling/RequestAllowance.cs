using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Scheduling;

/// <summary>
/// Bytes that a torrent's peers may be asked for: holds its download to a rate. Requests are counted, not what comes: nothing lies in the line that must wait, and a peer that is asked for
/// nothing is not late. The engine's own limit counts beside the torrent's. Used under the torrent's lock, but where it says otherwise.
/// </summary>
internal sealed class RequestAllowance : IDisposable
{
    /// <summary>What may be asked for at once after a pause: little enough that the rate holds within a second.</summary>
    private const double BurstSeconds = 0.25;

    /// <summary>Between two looks at a torrent that is held back.</summary>
    private static readonly TimeSpan LeastPause = TimeSpan.FromMilliseconds(50);

    private readonly ITimer _timer;
    private readonly SharedAllowance _shared;
    private readonly Action _replenished;
    private readonly Func<bool> _isUrgent;
    private double _left;
    private long _at;
    private long _rate;
    private bool _waits;

    /// <param name="time">Clock.</param>
    /// <param name="shared">The engine's.</param>
    /// <param name="isUrgent">Somebody reads the torrent. Called under the engine's lock: must take none.</param>
    /// <param name="replenished">Called outside of the lock when more may be asked for after a refusal.</param>
    public RequestAllowance(TimeProvider time, SharedAllowance shared, Func<bool> isUrgent, Action replenished)
    {
        _shared = shared;
        _isUrgent = isUrgent;
        _replenished = replenished;
        _timer = time.CreateTimer(static state => ((Action)state!)(), replenished, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Somebody reads the torrent. Thread-safe.</summary>
    public bool IsUrgent => _isUrgent();

    /// <summary>More may be asked for. Called by the engine's allowance, outside of all locks.</summary>
    public void Replenish() => _replenished();

    /// <summary>Bytes per second; 0: no limit.</summary>
    public long BytesPerSecond
    {
        get => _rate;
        set
        {
            _rate = value;
            _left = Math.Min(_left, Burst);
        }
    }

    private double Burst => Math.Max(2 * PieceSlot.BlockSize, _rate * BurstSeconds);

    /// <summary>Whether one more block may be asked for now. After a no it is told when one may.</summary>
    /// <param name="now">Ticks.</param>
    public bool MayAsk(long now)
    {
        if (_rate == 0)
            return _shared.MayAsk(this, now);
        _left = Math.Min(Burst, _left + ((now - _at) * (double)_rate / TimeSpan.TicksPerSecond));
        _at = now;

        // Ticks do not divide a second into blocks.
        if (_left > PieceSlot.BlockSize - 1)
            return _shared.MayAsk(this, now);
        if (!_waits)
        {
            _waits = true;
            var wait = TimeSpan.FromSeconds((PieceSlot.BlockSize - _left) / _rate);
            _timer.Change(wait > LeastPause ? wait : LeastPause, Timeout.InfiniteTimeSpan);
        }

        return false;
    }

    /// <summary>A block was asked for.</summary>
    public void Asked(int bytes)
    {
        if (_rate > 0)
            _left -= bytes;
        _shared.Asked(this, bytes);
    }

    /// <summary>It was told that more may be asked for.</summary>
    public void Woke() => _waits = false;

    /// <inheritdoc/>
    public void Dispose()
    {
        _shared.Leave(this);
        _timer.Dispose();
    }
}
