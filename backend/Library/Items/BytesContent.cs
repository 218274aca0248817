using NzbDav.Content;

namespace NzbDav.Library.Items;

/// <summary>A small file in memory.</summary>
internal sealed class BytesContent(ReadOnlyMemory<byte> bytes) : IContent
{
    public long Length => bytes.Length;

    public ContentReader OpenReader(long start, long end, ReadIntent intent) => new Reader(bytes[..(int)end], (int)start);

    private sealed class Reader(ReadOnlyMemory<byte> bytes, int position) : ContentReader
    {
        private const int Piece = 1 << 20;

        private int _position = position;

        public override long Position => _position;

        public override ValueTask<ContentLease> NextAsync(CancellationToken cancellationToken)
        {
            var count = Math.Min(Piece, bytes.Length - _position);
            if (count == 0)
                return new ValueTask<ContentLease>(ContentLease.Empty);
            var lease = ContentLease.Of(bytes.Slice(_position, count));
            _position += count;
            return new ValueTask<ContentLease>(lease);
        }

        public override ValueTask DisposeAsync() => ValueTask.CompletedTask;
    }
}
