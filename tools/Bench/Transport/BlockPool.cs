using System.Buffers;

namespace NzbDav.Bench.Transport;

/// <summary>Memory of the connections in blocks of 64 KiB, as in the product's server. Blocks are reused, so they do not count as
/// allocations. Thread-safe.</summary>
internal sealed class BlockPool : MemoryPool<byte>
{
    private const int BlockSize = 64 << 10;

    private readonly Lock _gate = new();
    private readonly Stack<Block> _idle = new();

    public override int MaxBufferSize => BlockSize;

    public override IMemoryOwner<byte> Rent(int minBufferSize = -1)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(minBufferSize, BlockSize);
        lock (_gate)
            return _idle.TryPop(out var block) ? block : new Block(this);
    }

    protected override void Dispose(bool disposing)
    {
    }

    private sealed class Block(BlockPool pool) : IMemoryOwner<byte>
    {
        private readonly byte[] _array = GC.AllocateUninitializedArray<byte>(BlockSize, pinned: true);

        public Memory<byte> Memory => _array;

        public void Dispose()
        {
            lock (pool._gate)
                pool._idle.Push(this);
        }
    }
}
