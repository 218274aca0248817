namespace NzbDav.Torrents.Scheduling;

/// <summary>
/// Decides which torrent may request the next block when torrents compete: under a common limit of their download rate, and while a reader
/// waits in one of them, when requests that give way get only the rest of the line (<see cref="LineYield"/>). Refused torrents take turns,
/// those with readers first. No other torrent takes the share of one that waits. Thread-safe. Lock order: a torrent's, then this.
/// </summary>
internal sealed class SharedAllowance : IDisposable
{
    /// <summary>Shortest time between two rounds of turns.</summary>
    private static readonly TimeSpan LeastPause = TimeSpan.FromMilliseconds(50);

    private readonly TimeProvider _time;
    private readonly ITimer _timer;
    private readonly Lock _gate = new();
    private readonly List<RequestAllowance> _torrents = [];
    private readonly List<RequestAllowance> _waiting = [];
    private readonly LineYield _yield = new();
    private readonly RequestBucket _all = new();
    private readonly RequestBucket _room = new();
    private RequestAllowance? _current;
    private long _decided;
    private long _first;
    private long _others;
    private bool _isHeld;
    private bool _isShared;
    private bool _isArmed;

    /// <param name="time">Clock.</param>
    public SharedAllowance(TimeProvider time)
    {
        _time = time;
        _timer = time.CreateTimer(
            static state => ((SharedAllowance)state!).RunRound(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Bytes per second; 0: no limit.</summary>
    public long BytesPerSecond
    {
        get => (long)_all.Rate;
        set
        {
            lock (_gate)
            {
                if ((long)_all.Rate == value)
                    return;
                _all.Set(value);
                _isArmed = false;
                if (_waiting.Count > 0)
                    Arm(LeastPause);
            }
        }
    }

    /// <summary>
    /// True while a reader waits in some torrent, or may soon wait again: requests that give way are then not made far ahead, because their
    /// blocks would arrive before those that the reader requests later.
    /// </summary>
    public bool IsShared => Volatile.Read(ref _isShared);

    /// <summary>Adds a torrent.</summary>
    public void Join(RequestAllowance torrent)
    {
        lock (_gate)
            _torrents.Add(torrent);
    }

    /// <summary>
    /// Checks whether a torrent may request one more block now. After a refusal, its <see cref="RequestAllowance.Replenish"/> is called
    /// when it may.
    /// </summary>
    public bool MayRequest(RequestAllowance torrent, RequestRank rank, long now)
    {
        if (_all.Rate == 0 && (rank == RequestRank.Reader || !Volatile.Read(ref _isHeld)))
            return true;
        lock (_gate)
        {
            var wait = 0.0;
            Decide(now);
            var isMine = _current is null ? !IsBehindOthers(torrent, rank) : _current == torrent;
            if (_isHeld && rank != RequestRank.Reader)
                wait = _room.WaitFor(now, isMine);
            if (_all.Rate > 0)
                wait = Math.Max(wait, _all.WaitFor(now, isMine));
            if (wait == 0)
                return true;
            if (!_waiting.Contains(torrent))
                _waiting.Add(torrent);
            Arm(TimeSpan.FromSeconds(Math.Min(wait, 1)));
            return false;
        }
    }

    /// <summary>Counts a block that a torrent requested.</summary>
    public void CountRequest(RequestAllowance torrent, RequestRank rank, int bytes)
    {
        var isHeld = rank != RequestRank.Reader && Volatile.Read(ref _isHeld);
        if (_all.Rate == 0 && !isHeld)
            return;
        lock (_gate)
        {
            _all.Charge(bytes, _current == torrent);
            if (isHeld)
                _room.Charge(bytes, _current == torrent);
        }
    }

    /// <summary>Counts a block that arrived.</summary>
    /// <param name="bytes">Its size.</param>
    /// <param name="isFirst">True if it is for a reader that gives way to nobody.</param>
    /// <param name="now">Ticks.</param>
    public void Received(int bytes, bool isFirst, long now)
    {
        Interlocked.Add(ref isFirst ? ref _first : ref _others, bytes);
        if (now - Interlocked.Read(ref _decided) < LineYield.Slice)
            return;
        lock (_gate)
            Decide(now);
    }

    /// <summary>Call when a reader that gives way to nobody begins to wait.</summary>
    public void BeginWait(long now)
    {
        lock (_gate)
        {
            Decide(now);
            var isNew = _yield.Begin(now);
            Volatile.Write(ref _isHeld, true);
            Volatile.Write(ref _isShared, true);
            _room.Set(_yield.Room, RequestBucket.BurstSeconds / 2);

            // On another thread: the caller holds its torrent's lock.
            if (isNew)
                ThreadPool.UnsafeQueueUserWorkItem(static shared => shared.Yield(), this, preferLocal: false);
        }
    }

    /// <summary>Call when that reader no longer waits.</summary>
    public void EndWait(long now)
    {
        lock (_gate)
            _yield.End(now);
    }

    /// <summary>Removes a torrent that is being closed.</summary>
    public void Remove(RequestAllowance torrent)
    {
        lock (_gate)
        {
            _waiting.Remove(torrent);
            _torrents.Remove(torrent);
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _timer.Dispose();

    /// <summary>True if a waiting torrent comes before this one.</summary>
    private bool IsBehindOthers(RequestAllowance torrent, RequestRank rank)
    {
        foreach (var other in _waiting)
        {
            if (other != torrent && other.Urgency <= rank)
                return true;
        }

        return false;
    }

    private void Decide(long now)
    {
        if (now - _decided < LineYield.Slice)
            return;
        Interlocked.Exchange(ref _decided, now);
        _yield.Decide(now, Interlocked.Exchange(ref _first, 0), Interlocked.Exchange(ref _others, 0));
        Volatile.Write(ref _isHeld, _yield.IsYielding);
        Volatile.Write(ref _isShared, _yield.IsShared(now));
        if (_isHeld)
            _room.Set(_yield.Room, RequestBucket.BurstSeconds / 2);
    }

    private void Yield()
    {
        RequestAllowance[] torrents;
        lock (_gate)
            torrents = [.. _torrents];
        foreach (var torrent in torrents)
            torrent.Yield();
    }

    private void Arm(TimeSpan wait)
    {
        if (_isArmed)
            return;
        _isArmed = true;
        _timer.Change(wait > LeastPause ? wait : LeastPause, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Gives each torrent that waited when the round began one turn, while bytes are left.</summary>
    private void RunRound()
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
                var now = _time.GetElapsedTime(0).Ticks;
                Decide(now);
                if (_waiting.MinBy(static torrent => torrent.Urgency) is not { } first)
                    break;
                next = first;
                var isLimited = _all.Rate > 0;
                if (isLimited && _all.WaitFor(now) > 0)
                    break;
                if ((!isLimited || next.Urgency != RequestRank.Reader) && _isHeld && _room.WaitFor(now) > 0)
                    break;
                _waiting.Remove(next);
                _current = next;
                _all.Allot(turns);
                _room.Allot(turns);
            }

            next.Replenish();
            lock (_gate)
            {
                _current = null;
                _all.EndTurn();
                _room.EndTurn();
            }
        }

        lock (_gate)
        {
            if (_waiting.Count > 0)
                Arm(LeastPause);
        }
    }
}
