using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Scheduling;

/// <summary>
/// Limits the download rate of all torrents together by limiting the bytes requested. Refused torrents take turns, those with readers first. No other torrent
/// takes the share of one that waits. Thread-safe. Lock order: a torrent's, then this.
/// </summary>
internal sealed class SharedAllowance : IDisposable
{
    /// <summary>Burst allowed after a pause: little enough that the rate holds within a second.</summary>
    private const double BurstSeconds = 0.25;

    /// <summary>Shortest time between two rounds of turns.</summary>
    private static readonly TimeSpan LeastPause = TimeSpan.FromMilliseconds(50);

    private readonly TimeProvider _time;
    private readonly ITimer _timer;
    private readonly Lock _gate = new();
    private readonly List<RequestAllowance> _waiting = [];
    private RequestAllowance? _turn;
    private double _quota;
    private double _left;
    private long _at;
    private long _rate;
    private bool _isArmed;

    /// <param name="time">Clock.</param>
    public SharedAllowance(TimeProvider time)
    {
        _time = time;
        _timer = time.CreateTimer(static state => ((SharedAllowance)state!).TakeTurns(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Bytes per second; 0: no limit.</summary>
    public long BytesPerSecond
    {
        get => Volatile.Read(ref _rate);
        set
        {
            lock (_gate)
            {
                if (_rate == value)
                    return;
                Volatile.Write(ref _rate, value);
                _left = Math.Min(_left, Burst);
                _isArmed = false;
                if (_waiting.Count > 0)
                    Arm(LeastPause);
            }
        }
    }

    private double Burst => Math.Max(2 * PieceSlot.BlockSize, _rate * BurstSeconds);

    /// <summary>True if a torrent may request one more block now. After a refusal, its <see cref="RequestAllowance.Replenish"/> is called when it
    /// may.</summary>
    public bool MayAsk(RequestAllowance torrent, long now)
    {
        if (Volatile.Read(ref _rate) == 0)
            return true;
        lock (_gate)
        {
            if (_rate == 0)
                return true;
            Earn(now);
            var isMine = _turn == torrent ? _quota > 0 : _turn is null && !IsBehindOthers(torrent);

            // Allows for rounding: a block's time is not a whole number of ticks.
            if (isMine && _left > PieceSlot.BlockSize - 1)
                return true;
            if (!_waiting.Contains(torrent))
                _waiting.Add(torrent);
            Arm(TimeSpan.FromSeconds(Math.Max(0, PieceSlot.BlockSize - _left) / _rate));
            return false;
        }
    }

    /// <summary>Counts a block that a torrent requested.</summary>
    public void Asked(RequestAllowance torrent, int bytes)
    {
        if (Volatile.Read(ref _rate) == 0)
            return;
        lock (_gate)
        {
            _left -= bytes;
            if (_turn == torrent)
                _quota -= bytes;
        }
    }

    /// <summary>Removes a torrent that is being closed.</summary>
    public void Leave(RequestAllowance torrent)
    {
        lock (_gate)
            _waiting.Remove(torrent);
    }

    /// <inheritdoc/>
    public void Dispose() => _timer.Dispose();

    /// <summary>True if a waiting torrent comes before this one.</summary>
    private bool IsBehindOthers(RequestAllowance torrent)
    {
        foreach (var other in _waiting)
        {
            if (other != torrent && (other.IsUrgent || !torrent.IsUrgent))
                return true;
        }

        return false;
    }

    private void Earn(long now)
    {
        _left = Math.Min(Burst, _left + ((now - _at) * (double)_rate / TimeSpan.TicksPerSecond));
        _at = now;
    }

    private void Arm(TimeSpan wait)
    {
        if (_isArmed)
            return;
        _isArmed = true;
        _timer.Change(wait > LeastPause ? wait : LeastPause, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Gives each torrent that waited when the round began one turn, as long as bytes are left.</summary>
    private void TakeTurns()
    {
        int turns;
        lock (_gate)
        {
            _isArmed = false;
            turns = _waiting.Count;
        }

        for (; turns > 0; turns--)
        {
            RequestAllowance next;
            lock (_gate)
            {
                Earn(_time.GetElapsedTime(0).Ticks);
                if (_waiting.Count == 0 || (_rate > 0 && _left <= PieceSlot.BlockSize - 1))
                    break;
                next = _waiting.Find(static torrent => torrent.IsUrgent) ?? _waiting[0];
                _waiting.Remove(next);
                _turn = next;
                _quota = Math.Max(PieceSlot.BlockSize, _left / turns);
            }

            next.Replenish();
            lock (_gate)
                _turn = null;
        }

        lock (_gate)
        {
            if (_waiting.Count > 0)
                Arm(LeastPause);
        }
    }
}
