using NzbDav.Content;

namespace NzbDav.Import.Repair;

/// <summary>A content with zeros in place of bytes known to be gone, for readers that verify their input and skip damaged parts.</summary>
internal sealed class HolesAsZeros : IContent
{
    private readonly byte[] _bytes;

    private HolesAsZeros(int length) => _bytes = new byte[length];

    public long Length => _bytes.Length;

    /// <param name="content">The content.</param>
    /// <param name="holes">In ascending order. They must not overlap, but may be adjacent.</param>
    public static IContent Of(IContent content, IReadOnlyList<ByteSpan> holes)
    {
        if (holes.Count == 0)
            return content;
        var parts = new List<IContent>();
        long at = 0;
        foreach (var hole in holes)
        {
            parts.Add(new SliceContent(content, at, hole.Start - at));
            parts.Add(new HolesAsZeros((int)hole.Length));
            at = hole.End;
        }

        parts.Add(new SliceContent(content, at, content.Length - at));
        return new ConcatenatedContent(parts);
    }

    public ContentReader OpenReader(long start, long end, ReadIntent intent) => new Reader(_bytes, (int)start, (int)end);

    private sealed class Reader(byte[] bytes, int start, int end) : ContentReader
    {
        private int _position = start;

        public override long Position => _position;

        public override ValueTask<ContentLease> NextAsync(CancellationToken cancellationToken)
        {
            var lease = ContentLease.Of(bytes.AsMemory(_position, end - _position));
            _position = end;
            return new(lease);
        }

        public override ValueTask DisposeAsync() => ValueTask.CompletedTask;
    }
}
