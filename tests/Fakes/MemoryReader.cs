using NzbDav.Content;

namespace NzbDav.Fakes;

/// <summary>The reader of <see cref="MemoryContent"/>.</summary>
internal sealed class MemoryReader(MemoryContent content, long start, long end) : ContentReader
{
    private long _position = start;
    private int _busy;
    private int _disposed;

    public override long Position => Volatile.Read(ref _position);

    public YieldMode? Way { get; private set; }

    public ReaderState State { get; set; } = ReaderState.Unknown;

    public override ReaderState Observe() => Volatile.Read(ref _disposed) == 1 ? ReaderState.Unknown : State;

    public override void SetYieldMode(YieldMode? mode) => Way = mode;

    public override async ValueTask<ContentLease> NextAsync(CancellationToken cancellationToken)
    {
        if (Interlocked.Exchange(ref _busy, 1) == 1)
            throw new InvalidOperationException("Two callers use one reader at once.");
        try
        {
            ObjectDisposedException.ThrowIf(Volatile.Read(ref _disposed) == 1, this);
            cancellationToken.ThrowIfCancellationRequested();
            if (_position == end)
                return ContentLease.Empty;
            await content.GateBefore(_position).WaitAsync(cancellationToken);
            content.ThrowIfFaulty(_position);
            var count = (int)(content.StopAfter(_position, end) - _position);
            var lease = Lend((int)_position, count);
            content.OnLent(count);
            Volatile.Write(ref _position, _position + count);
            return lease;
        }
        finally
        {
            Volatile.Write(ref _busy, 0);
        }
    }

    public override ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _disposed, 1) == 0)
            content.OnDisposed();
        return ValueTask.CompletedTask;
    }

    private ContentLease Lend(int offset, int count)
    {
        if (content.Pool is not { } pool)
            return ContentLease.Of(content.Bytes.AsMemory(offset, count));
        pool.Budget.Reserve(BufferPool.ClassOf(count));
        var buffer = pool.Rent(count);
        content.Bytes.AsSpan(offset, count).CopyTo(buffer.Memory.Span);
        var lease = ContentLease.Of(buffer, 0, count);
        buffer.Release();
        return lease;
    }
}
