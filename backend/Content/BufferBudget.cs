using System.Diagnostics;

namespace NzbDav.Content;

/// <summary>
/// The one number that bounds all payload buffers. Whoever wants a buffer reserves first; a refusal slows read-ahead and
/// never fails a read: what a reader waits for is always granted, over the limit if need be. Thread-safe.
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
    private int _resting;
    private long _refusals;

    /// <param name="limit">Bytes; at least 8 MiB, or ten streams could not even hold the article they wait for.</param>
    public BufferBudget(long limit)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(limit, 8 << 20);
        _limit = limit;
    }

    /// <summary>
    /// The bound in bytes; at least 8 MiB. May be changed at any time: what is kept for later gives way to a lower one at once, what readers hold as they go on.
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

    /// <summary>Bytes reserved now; may exceed <see cref="Limit"/> by what readers wait for.</summary>
    public long Reserved => Interlocked.Read(ref _reserved);

    /// <summary>How often read-ahead was refused.</summary>
    public long Refusals => Interlocked.Read(ref _refusals);

    /// <summary>Open readers, resting ones included.</summary>
    public int Readers => Volatile.Read(ref _readers);

    /// <summary>Open readers from which nobody reads now: they hold nothing and have no share.</summary>
    public int Resting => Volatile.Read(ref _resting);

    /// <summary>What one reader may hold: an equal part of seven eighths of the limit (an eighth is left for what is waited for).</summary>
    public long Share => Limit / 8 * 7 / Math.Max(1, Readers - Resting);

    /// <summary>The cache that gives way when budget is short. Set once, at start.</summary>
    public void SetReclaimer(IBudgetReclaimer reclaimer) => _reclaimer = reclaimer;

    /// <summary>A reader counts from here on; see <see cref="Share"/>.</summary>
    public void AddReader() => Interlocked.Increment(ref _readers);

    /// <summary>A reader is gone; the others' shares grow.</summary>
    public void RemoveReader()
    {
        var left = Interlocked.Decrement(ref _readers);
        Debug.Assert(left >= 0, "more readers removed than added");
    }

    /// <summary>Nobody reads from an open reader any more, and it holds nothing; the others' shares grow. Once, until <see cref="WakeReader"/>.</summary>
    public void RestReader() => Interlocked.Increment(ref _resting);

    /// <summary>Somebody reads again from a reader that rested, or it is about to be removed.</summary>
    public void WakeReader()
    {
        var left = Interlocked.Decrement(ref _resting);
        Debug.Assert(left >= 0, "more readers woken than rested");
    }

    /// <summary>Reserves for bytes that somebody waits for: never refused.</summary>
    public void Reserve(long bytes)
    {
        if (!TryTake(bytes, Limit))
            Interlocked.Add(ref _reserved, bytes);
    }

    /// <summary>
    /// Reserves for bytes that nobody waits for yet. On refusal <paramref name="waiter"/> is called once when budget is freed.
    /// </summary>
    public bool TryReserve(long bytes, IBudgetWaiter waiter)
    {
        if (TryTake(bytes, Limit - (Limit / 8)))
            return true;
        lock (_gate)
        {
            _refusals++;
            if (_waiting.Add(waiter))
                _waiters.Enqueue(waiter);
        }

        // Whatever was freed between the refusal and the registration called nobody: look again.
        return TryTake(bytes, Limit - (Limit / 8));
    }

    /// <summary>Gives a reservation back and wakes those who were refused, oldest first.</summary>
    public void Release(long bytes)
    {
        var left = Interlocked.Add(ref _reserved, -bytes);
        Debug.Assert(left >= 0, "more budget released than reserved");
        WakeNext();
    }

    /// <summary>Passes a wake-up on: for a waiter that was called and did not need the budget any more.</summary>
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

    /// <summary>Calls everybody who was refused; who is refused again registers again, behind those that are called here.</summary>
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

    private bool TryTake(long bytes, long limit)
    {
        if (TakeUnder(bytes, limit))
            return true;
        _reclaimer?.Reclaim(bytes);
        return TakeUnder(bytes, limit);
    }

    private bool TakeUnder(long bytes, long limit)
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
