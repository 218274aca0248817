namespace NzbDav.Torrents.Scheduling;

/// <summary>Priority of requests, also among torrents. Smaller goes first.</summary>
internal enum RequestRank
{
    /// <summary>A reader that gives way to nobody, or has waited too long.</summary>
    Reader,

    /// <summary>A reader that gives way, an import or a check.</summary>
    Yielding,

    /// <summary>Blocks that no reader needs.</summary>
    Background,
}

/// <summary>
/// Limits a torrent's download rate by limiting the bytes requested. Because requests are counted, not received bytes, nothing queues on
/// the line, and a peer without requests does not look late. The engine's own limit applies in addition. Used under the torrent's lock
/// unless stated otherwise.
/// </summary>
internal sealed class RequestAllowance : IDisposable
{
    /// <summary>Shortest time after which a refused torrent is called back.</summary>
    private static readonly TimeSpan LeastPause = TimeSpan.FromMilliseconds(50);

    private readonly RequestBucket _bucket = new();
    private readonly ITimer _timer;
    private readonly SharedAllowance _shared;
    private readonly Action _replenished;
    private readonly Action _yield;
    private readonly Func<RequestRank> _urgency;
    private RequestRank _admitted;
    private bool _waits;

    /// <param name="time">Clock.</param>
    /// <param name="shared">The engine's limit.</param>
    /// <param name="urgency">The rank of the torrent's most urgent reader. Called under the engine's lock: must take no lock.</param>
    /// <param name="replenished">Called outside the lock when more may be requested after a refusal.</param>
    /// <param name="yield">Called outside the lock when a reader waits in some torrent: cancels the requests that give way.</param>
    public RequestAllowance(TimeProvider time, SharedAllowance shared, Func<RequestRank> urgency, Action replenished, Action yield)
    {
        _shared = shared;
        _urgency = urgency;
        _replenished = replenished;
        _yield = yield;
        _timer = time.CreateTimer(static state => ((Action)state!)(), replenished, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        shared.Join(this);
    }

    /// <summary>The rank of the torrent's most urgent reader. Thread-safe.</summary>
    public RequestRank Urgency => _urgency();

    /// <inheritdoc cref="SharedAllowance.IsShared"/>
    public bool IsShared => _shared.IsShared;

    /// <summary>Called by the engine's allowance, outside all locks, when more may be requested.</summary>
    public void Replenish() => _replenished();

    /// <summary>Called by the engine's allowance, outside all locks, when a reader waits in some torrent.</summary>
    public void Yield() => _yield();

    /// <summary>Bytes per second; 0: no limit.</summary>
    public long BytesPerSecond
    {
        get => (long)_bucket.Rate;
        set => _bucket.Set(value);
    }

    /// <summary>Checks whether one more block may be requested now. After a refusal, the torrent is called back when it may.</summary>
    /// <param name="rank">Priority of the block.</param>
    /// <param name="now">Ticks.</param>
    public bool MayRequest(RequestRank rank, long now)
    {
        _admitted = rank;
        var seconds = _bucket.Rate == 0 ? 0 : _bucket.WaitFor(now);
        if (seconds == 0)
            return _shared.MayRequest(this, rank, now);
        if (!_waits)
        {
            _waits = true;
            var wait = TimeSpan.FromSeconds(seconds);
            _timer.Change(wait > LeastPause ? wait : LeastPause, Timeout.InfiniteTimeSpan);
        }

        return false;
    }

    /// <summary>Counts the block that was just admitted as requested.</summary>
    public void CountRequest(int bytes)
    {
        _bucket.Charge(bytes);
        _shared.CountRequest(this, _admitted, bytes);
    }

    /// <summary>Call when the torrent has been called back after a refusal.</summary>
    public void OnWoken() => _waits = false;

    /// <inheritdoc/>
    public void Dispose()
    {
        _shared.Remove(this);
        _timer.Dispose();
    }
}
