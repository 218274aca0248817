using System.Numerics;
using NzbDav.Content.Rates;

namespace NzbDav.Content;

/// <summary>
/// Payload buffers in a few size classes, kept for reuse so that steady streaming allocates nothing. Rented and idle buffers together stay
/// within the budget's limit, or within the recent peak of rented bytes if that is higher: idle buffers of other sizes are dropped.
/// Thread-safe.
/// </summary>
public class BufferPool
{
    /// <summary>
    /// Smallest class, in bytes. Articles are 250 KB to 1 MB decoded. Eight classes per doubling waste at most a ninth, and next to nothing
    /// for the usual 700 KiB.
    /// </summary>
    private const int SmallestClass = 64 << 10;

    /// <summary>
    /// Number of rents after which a peak above the limit is forgotten: one or two seconds on a fast line. Dropping buffers between two
    /// peaks would turn them into garbage each time.
    /// </summary>
    private const int PeakSpan = 1024;

    private readonly Lock _gate = new();
    private readonly Dictionary<int, Stack<byte[]>> _idle = [];
    private readonly BufferBudget _budget;
    private long _idleBytes;
    private long _rentedBytes;
    private RecentPeak _peak = new(PeakSpan);
    private int _rented;

    public BufferPool(BufferBudget budget)
    {
        ArgumentNullException.ThrowIfNull(budget);
        _budget = budget;
    }

    /// <summary>The budget whose reservations cover what is rented here.</summary>
    public BufferBudget Budget => _budget;

    /// <summary>Buffers in use now. 0 when nothing streams and the caches are empty; otherwise something leaked.</summary>
    public int Rented => Volatile.Read(ref _rented);

    /// <summary>Bytes kept for reuse.</summary>
    public long IdleBytes => Interlocked.Read(ref _idleBytes);

    /// <summary>Capacity of the buffer that a request for <paramref name="size"/> bytes gets: the number of bytes to reserve.</summary>
    /// <param name="size">1 … 1 GiB.</param>
    public static int ClassOf(int size)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(size);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(size, 1 << 30);
        if (size <= SmallestClass)
            return SmallestClass;
        var step = 1 << (BitOperations.Log2((uint)size - 1) - 3);
        return (size + step - 1) / step * step;
    }

    /// <summary>Rents a buffer for which the caller holds a reservation of <see cref="ClassOf"/> bytes. Contents are undefined.</summary>
    public PooledBuffer Rent(int size)
    {
        var capacity = ClassOf(size);
        byte[]? array = null;
        lock (_gate)
        {
            _rentedBytes += capacity;
            _peak.Add(_rentedBytes);
            if (_idle.TryGetValue(capacity, out var stack) && stack.TryPop(out array))
                _idleBytes -= capacity;
            TrimLocked();
        }

        array ??= GC.AllocateUninitializedArray<byte>(capacity);
        Interlocked.Increment(ref _rented);
        var buffer = new PooledBuffer(this, array);
        OnRented(buffer);
        return buffer;
    }

    internal void Return(PooledBuffer buffer)
    {
        OnReturned(buffer);
        Interlocked.Decrement(ref _rented);
        lock (_gate)
        {
            // Reservations without a buffer do not count: they will rent arrays of these sizes.
            _rentedBytes -= buffer.Capacity;
            if (!_idle.TryGetValue(buffer.Capacity, out var stack))
                _idle[buffer.Capacity] = stack = new Stack<byte[]>();
            stack.Push(buffer.Array);
            _idleBytes += buffer.Capacity;
            TrimLocked(except: buffer.Capacity);
        }

        _budget.Release(buffer.Capacity);
    }

    /// <summary>Hook for a pool that tracks leaks.</summary>
    protected virtual void OnRented(PooledBuffer buffer)
    {
    }

    /// <summary>Hook for a pool that tracks leaks and late use. The buffer no longer has an owner.</summary>
    protected virtual void OnReturned(PooledBuffer buffer)
    {
    }

    /// <summary>Drops idle buffers until the limit holds. Those of the size just returned are dropped last: that size is in use.</summary>
    private void TrimLocked(int except = 0)
    {
        var allowed = Math.Max(_budget.Limit, _peak.Value) - _rentedBytes;
        if (_idleBytes > allowed)
            DropLocked(allowed, except);
    }

    // A method of its own: otherwise its closure would be allocated on each rent and return.
    private void DropLocked(long allowed, int except)
    {
        foreach (var (capacity, stack) in _idle.OrderBy(entry => entry.Key == except))
        {
            while (_idleBytes > allowed && stack.TryPop(out _))
                _idleBytes -= capacity;
        }
    }
}
