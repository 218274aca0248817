using System.Diagnostics;

namespace NzbDav.Content;

/// <summary>
/// Memory limit for the buffers of one pool. For Usenet: articles arriving or cached, and the bytes decrypted from them. For torrents:
/// pieces. Buffers of sockets, connections and the web server are not included. A caller reserves before it rents. A refusal slows
/// read-ahead but never fails a read: bytes that a reader waits for are always granted, over the limit if need be. Thread-safe.
/// </summary>
public sealed class BufferBudget
{
    private readonly Lock _gate = new();
    private readonly Queue<IBudgetWaiter> _waiters = new();
    private readonly HashSet<IBudgetWaiter> _waiting = [];
    private IBudgetReclaimer? _reclaimer;
    private long _limit;
    private long _reserved;
    private int _readers;
    private int _idleReaders;
    private long _refusals;

    /// <param name="limit">Bytes; at least 8 MiB: the article that each of ten streams waits for must fit.</param>
    public BufferBudget(long limit)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(limit, 8 << 20);
        _limit = limit;
    }

    /// <summary>
    /// The limit in bytes; at least 8 MiB. May be changed at any time. After a decrease, cached buffers are freed at once, and those that
    /// readers hold are freed as they read on.
    /// </summary>
    public long Limit
    {
        get => Interlocked.Read(ref _limit);
        set
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, 8 << 20);
            var before = Interlocked.Exchange(ref _limit, value);
            if (before < value)
                WakeAll();
            else if (Reserved - value is > 0 and var over)
                _reclaimer?.Reclaim(over);
        }
    }

    /// <summary>Bytes reserved now. May exceed <see cref="Limit"/> by the bytes that readers wait for.</summary>
    public long Reserved => Interlocked.Read(ref _reserved);

    /// <summary>How often read-ahead was refused.</summary>
    public long Refusals => Interlocked.Read(ref _refusals);

    /// <summary>Open readers, including idle ones.</summary>
    public int Readers => Volatile.Read(ref _readers);

    /// <summary>Open readers that are idle: nobody reads from them, so they hold nothing and get no part of the budget.</summary>
    public int IdleReaders => Volatile.Read(ref _idleReaders);

    /// <summary>
    /// Bytes one reader may hold: an equal part of seven eighths of the limit (one eighth is kept for bytes that readers wait for).
    /// </summary>
    public long BudgetPerReader => Limit / 8 * 7 / Math.Max(1, Readers - IdleReaders);

    /// <summary>Sets the cache that frees memory when the budget runs short. Called once, at start.</summary>
    public void SetReclaimer(IBudgetReclaimer reclaimer) => _reclaimer = reclaimer;

    /// <summary>Counts a new reader; see <see cref="BudgetPerReader"/>.</summary>
    public void AddReader() => Interlocked.Increment(ref _readers);

    /// <summary>Removes a reader; the budget of the others grows.</summary>
    public void RemoveReader()
    {
        var left = Interlocked.Decrement(ref _readers);
        Debug.Assert(left >= 0, "more readers removed than added");
    }

    /// <summary>
    /// Marks an open reader as idle: it holds nothing, and the budget of the others grows. Call once, until <see cref="MarkReaderActive"/>.
    /// </summary>
    public void MarkReaderIdle() => Interlocked.Increment(ref _idleReaders);

    /// <summary>Marks an idle reader as active, because it is read from again or about to be removed.</summary>
    public void MarkReaderActive()
    {
        var left = Interlocked.Decrement(ref _idleReaders);
        Debug.Assert(left >= 0, "more readers marked active than idle");
    }

    /// <summary>Reserves for bytes that a reader waits for: never refused.</summary>
    public void Reserve(long bytes)
    {
        if (!ReclaimAndReserve(bytes, Limit))
            Interlocked.Add(ref _reserved, bytes);
    }

    /// <summary>Reserves for read-ahead. False when refused: <paramref name="waiter"/> is then called once, when budget is freed.</summary>
    public bool TryReserve(long bytes, IBudgetWaiter waiter)
    {
        if (ReclaimAndReserve(bytes, Limit - (Limit / 8)))
            return true;
        lock (_gate)
        {
            _refusals++;
            if (_waiting.Add(waiter))
                _waiters.Enqueue(waiter);
        }

        // Budget freed between the refusal and the registration woke nobody: try again.
        return ReclaimAndReserve(bytes, Limit - (Limit / 8));
    }

    /// <summary>Gives a reservation back and wakes refused waiters, oldest first.</summary>
    public void Release(long bytes)
    {
        var left = Interlocked.Add(ref _reserved, -bytes);
        Debug.Assert(left >= 0, "more budget released than reserved");
        WakeNext();
    }

    /// <summary>Passes a wake-up on. For a waiter that was called and no longer needs the budget.</summary>
    public void WakeNext()
    {
        IBudgetWaiter? next;
        lock (_gate)
        {
            if (!_waiters.TryDequeue(out next))
                return;
            _waiting.Remove(next);
        }

        next.BudgetFreed();
    }

    /// <summary>Calls every refused waiter. One that is refused again is queued behind those called here.</summary>
    private void WakeAll()
    {
        IBudgetWaiter[] all;
        lock (_gate)
        {
            all = [.. _waiters];
            _waiters.Clear();
            _waiting.Clear();
        }

        foreach (var waiter in all)
            waiter.BudgetFreed();
    }

    private bool ReclaimAndReserve(long bytes, long limit)
    {
        if (TryReserveUnder(bytes, limit))
            return true;
        _reclaimer?.Reclaim(bytes);
        return TryReserveUnder(bytes, limit);
    }

    private bool TryReserveUnder(long bytes, long limit)
    {
        var seen = Interlocked.Read(ref _reserved);
        while (seen + bytes <= limit)
        {
            var before = Interlocked.CompareExchange(ref _reserved, seen + bytes, seen);
            if (before == seen)
                return true;
            seen = before;
        }

        return false;
    }
}

/// <summary>Holds budget that it can free, such as a cache.</summary>
public interface IBudgetReclaimer
{
    /// <summary>Frees at least <paramref name="bytes"/> if it can, by calling <see cref="BufferBudget.Release"/>.</summary>
    void Reclaim(long bytes);
}

/// <summary>
/// Notified when budget is freed after a refused reservation. Called on any thread, perhaps under the lock of another caller: must only
/// schedule work.
/// </summary>
public interface IBudgetWaiter
{
    /// <summary>Some budget is free again: the reservation may be tried again.</summary>
    void BudgetFreed();
}
