using System.Buffers;
using System.Collections.Concurrent;

namespace NzbDav.Host.Serving;

/// <summary>
/// Kestrel's memory in blocks of 64 KiB instead of 4: an article of 700 KB is then sent in a dozen pieces, not in 175. Idle blocks are
/// kept up to a bound. Thread-safe.
/// </summary>
internal sealed class BlockPool : MemoryPool<byte>
{
    /// <summary>A third less CPU for sending than with 4 KiB; larger ones gain nothing more and cost each idle connection memory.</summary>
    private const int BlockSize = 64 << 10;

    /// <summary>Kept at least: 8 MiB, a few responses in full flow.</summary>
    private const int LeastIdle = 128;

    /// <summary>Kept beside so many in use: what hundreds of responses hand round comes from here, not from the heap.</summary>
    private const int UsedPerIdle = 4;

    private readonly ConcurrentStack<byte[]> _idle = new();
    private int _idleCount;
    private int _used;

    public override int MaxBufferSize => BlockSize;

    public override IMemoryOwner<byte> Rent(int minBufferSize = -1)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(minBufferSize, BlockSize);
        if (_idle.TryPop(out var array))
            Interlocked.Decrement(ref _idleCount);
        else
            array = GC.AllocateUninitializedArray<byte>(BlockSize, pinned: true);
        Interlocked.Increment(ref _used);
        return new Block(this, array);
    }

    protected override void Dispose(bool disposing)
    {
    }

    private void Return(byte[] array)
    {
        var used = Interlocked.Decrement(ref _used);
        if (Interlocked.Increment(ref _idleCount) > Math.Max(LeastIdle, used / UsedPerIdle))
            Interlocked.Decrement(ref _idleCount);
        else
            _idle.Push(array);
    }

    private sealed class Block(BlockPool pool, byte[] array) : IMemoryOwner<byte>
    {
        private byte[]? _array = array;

        public Memory<byte> Memory => _array ?? throw new ObjectDisposedException(nameof(Block));

        public void Dispose()
        {
            if (Interlocked.Exchange(ref _array, null) is { } array)
                pool.Return(array);
        }
    }
}
