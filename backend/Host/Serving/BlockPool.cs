using System.Buffers;
using Microsoft.AspNetCore.Connections;
using NzbDav.Content.Rates;

namespace NzbDav.Host.Serving;

/// <summary>
/// Kestrel's memory in blocks of 64 KiB instead of 4 KiB: an article of 700 KB is then sent in a dozen pieces instead of 175. Idle blocks
/// are kept up to a limit. Thread-safe.
/// </summary>
internal sealed class BlockPool : MemoryPool<byte>
{
    /// <summary>
    /// Sending takes a third less CPU than with 4 KiB. Larger blocks gain nothing more, and each idle connection would hold more memory.
    /// </summary>
    private const int BlockSize = 64 << 10;

    /// <summary>Least limit of blocks in use and idle together: 8 MiB, a few responses at full speed.</summary>
    private const int LeastKept = 128;

    /// <summary>
    /// Number of rents after which an earlier peak is forgotten. Hundreds of responses rent and return hundreds of blocks within
    /// milliseconds: blocks dropped in between would be garbage that only a full collection frees.
    /// </summary>
    private const int PeakSpan = 4096;

    private readonly Lock _gate = new();
    private readonly Stack<byte[]> _idle = new();
    private RecentPeak _peak = new(PeakSpan);
    private int _used;

    public override int MaxBufferSize => BlockSize;

    /// <summary>Idle blocks kept for reuse.</summary>
    internal int Idle
    {
        get
        {
            lock (_gate)
                return _idle.Count;
        }
    }

    public override IMemoryOwner<byte> Rent(int minBufferSize = -1)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(minBufferSize, BlockSize);
        byte[]? array;
        lock (_gate)
        {
            _peak.Add(++_used);
            _idle.TryPop(out array);
        }

        return new Block(this, array ?? GC.AllocateUninitializedArray<byte>(BlockSize, pinned: true));
    }

    protected override void Dispose(bool disposing)
    {
    }

    private void Return(byte[] array)
    {
        lock (_gate)
        {
            _used--;
            _idle.Push(array);
            var most = Math.Max(LeastKept, _peak.Value) - _used;
            while (_idle.Count > most)
                _idle.Pop();
        }
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

/// <summary>Provides Kestrel with a <see cref="BlockPool"/>, one for all connections.</summary>
internal sealed class BlockPoolFactory : IMemoryPoolFactory<byte>
{
    private static readonly BlockPool Pool = new();

    public MemoryPool<byte> Create(MemoryPoolOptions? options = null) => Pool;
}
