using System.Buffers;
using Microsoft.Win32.SafeHandles;
using NzbDav.Content;

namespace NzbDav.Archives.Tests.Recovery;

/// <summary>A file on disk, read a megabyte at a time into one buffer: a lease is good until the next.</summary>
internal sealed class DiskContent(SafeFileHandle file) : IContent
{
    private const int Piece = 1 << 20;

    public long Length { get; } = RandomAccess.GetLength(file);

    public ContentReader OpenReader(long start, long end, ReadIntent intent) => new Reader(file, start, end);

    private sealed class Reader(SafeFileHandle file, long start, long end) : ContentReader
    {
        // Rented once and kept, so that it does not show up in a memory measurement.
        private readonly byte[] _buffer = ArrayPool<byte>.Shared.Rent(Piece);
        private long _position = start;

        public override long Position => _position;

        public override ValueTask<ContentLease> NextAsync(CancellationToken cancellationToken)
        {
            var count = RandomAccess.Read(file, _buffer.AsSpan(0, (int)Math.Min(Piece, end - _position)), _position);
            _position += count;
            return new(ContentLease.Of(_buffer.AsMemory(0, count)));
        }

        public override ValueTask DisposeAsync()
        {
            ArrayPool<byte>.Shared.Return(_buffer);
            return ValueTask.CompletedTask;
        }
    }
}
