using System.Collections.Concurrent;
using NzbDav.Content;

namespace NzbDav.Conformance.Tests.Stubs;

/// <summary>A content that counts its calls and can fail, hang or end early at an offset.</summary>
internal sealed class StubContent(long length) : IContent
{
    private readonly BufferPool _pool = new(new BufferBudget(64 << 20));
    private int _opened;
    private int _closed;

    public long Length { get; } = length;

    /// <summary>The bytes; null for bytes derived from their offset (<see cref="StubBytes"/>).</summary>
    public byte[]? Bytes { get; init; }

    /// <summary>Largest lease.</summary>
    public int LeaseSize { get; init; } = 100_000;

    /// <summary>From this offset on every read fails.</summary>
    public long FaultAt { get; set; } = long.MaxValue;

    public ContentFault Fault { get; set; }

    /// <summary>From this offset on a read waits for its cancellation.</summary>
    public long HangAt { get; init; } = long.MaxValue;

    /// <summary>Where the reader pretends the range ends.</summary>
    public long EndAt { get; init; } = long.MaxValue;

    /// <summary>Intents of the readers opened, in order.</summary>
    public ConcurrentQueue<(long Start, long End, ReadIntent Intent)> Readers { get; } = new();

    /// <summary>Released for each reader that is disposed.</summary>
    public SemaphoreSlim Closed { get; } = new(0);

    /// <summary>Released for each read that hangs.</summary>
    public SemaphoreSlim Hanging { get; } = new(0);

    public int Opened => Volatile.Read(ref _opened);

    public int Open => Volatile.Read(ref _opened) - Volatile.Read(ref _closed);

    /// <summary>Leases that are not given back.</summary>
    public int Leased => _pool.Rented;

    public ContentReader OpenReader(long start, long end, ReadIntent intent)
    {
        ContentRange.ThrowIfOutside(start, end, Length);
        Interlocked.Increment(ref _opened);
        Readers.Enqueue((start, end, intent));
        return new Reader(this, start, end);
    }

    private sealed class Reader(StubContent content, long start, long end) : ContentReader
    {
        private bool _disposed;
        private long _position = start;

        public override long Position => _position;

        public override async ValueTask<ContentLease> NextAsync(CancellationToken cancellationToken)
        {
            ObjectDisposedException.ThrowIf(_disposed, this);
            cancellationToken.ThrowIfCancellationRequested();
            var stop = Math.Min(end, content.EndAt);
            if (_position >= stop)
                return ContentLease.Empty;
            if (_position >= content.FaultAt)
                throw new ContentException(content.Fault, "stubbed fault");
            if (_position >= content.HangAt)
            {
                content.Hanging.Release();
                await Task.Delay(Timeout.Infinite, cancellationToken);
            }

            var size = (int)Math.Min(content.LeaseSize, stop - _position);
            foreach (var edge in (ReadOnlySpan<long>)[content.FaultAt, content.HangAt])
            {
                if (edge > _position)
                    size = (int)Math.Min(size, edge - _position);
            }

            var buffer = content._pool.Rent(size);
            content._pool.Budget.Reserve(buffer.Capacity);
            if (content.Bytes is { } bytes)
                bytes.AsSpan((int)_position, size).CopyTo(buffer.Array);
            else
                StubBytes.Fill(_position, buffer.Array.AsSpan(0, size));
            var lease = ContentLease.Of(buffer, 0, size);
            buffer.Release();
            _position += size;
            return lease;
        }

        public override ValueTask DisposeAsync()
        {
            if (!_disposed)
            {
                _disposed = true;
                Interlocked.Increment(ref content._closed);
                content.Closed.Release();
            }

            return ValueTask.CompletedTask;
        }
    }
}
