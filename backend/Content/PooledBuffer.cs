using System.Diagnostics;

namespace NzbDav.Content;

/// <summary>
/// A reference-counted array from a <see cref="BufferPool"/>. Created with one reference, owned by its creator; returns to the pool when
/// the last reference is released. The count is thread-safe, the bytes are not: one writer fills them, and readers see only the bytes that
/// the writer has published.
/// </summary>
public sealed class PooledBuffer
{
    private readonly BufferPool _pool;
    private int _references;

    internal PooledBuffer(BufferPool pool, byte[] array)
    {
        _pool = pool;
        Array = array;
        _references = 1;
    }

    /// <summary>The backing array; at least as long as requested.</summary>
    public byte[] Array { get; }

    public int Capacity => Array.Length;

    public Memory<byte> Memory => Array;

    /// <summary>Adds a reference.</summary>
    /// <exception cref="ObjectDisposedException">The buffer is back in the pool: the caller used it too late.</exception>
    public void Retain()
    {
        // Checked before counting: otherwise the second of two late calls would look valid.
        var seen = Volatile.Read(ref _references);
        while (true)
        {
            if (seen <= 0)
                throw new ObjectDisposedException(nameof(PooledBuffer), "The buffer went back to its pool before this use.");
            var before = Interlocked.CompareExchange(ref _references, seen + 1, seen);
            if (before == seen)
                return;
            seen = before;
        }
    }

    /// <summary>Drops a reference.</summary>
    /// <exception cref="ObjectDisposedException">It was released more often than retained.</exception>
    public void Release()
    {
        var left = Interlocked.Decrement(ref _references);
        if (left == 0)
            _pool.Return(this);
        else if (left < 0)
            throw new ObjectDisposedException(nameof(PooledBuffer), "The buffer was released more often than it was retained.");
        Debug.Assert(left >= 0, "reference count below zero");
    }
}
