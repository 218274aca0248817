using NzbDav.Archives;
using NzbDav.Catalog;
using NzbDav.Content;

namespace NzbDav.Import;

/// <summary>Makes one flat extent map of a file that lies in pieces in posted volumes. One instance per file.</summary>
/// <param name="volumes">What the pieces' numbers mean.</param>
internal sealed class SpanMapper(IReadOnlyList<NamedFile> volumes)
{
    private readonly SegmentTable.Builder _segments = new();
    private readonly List<Extent> _extents = [];
    private (int Volume, int Segment) _last = (-1, -1);
    private long _length;

    /// <summary>The map of all spans and how the file comes out of it.</summary>
    /// <exception cref="InvalidDataException">The spans do not fit into the volumes, or not together.</exception>
    public (ExtentMap Map, FileEncryption? Encryption) Run(ArchiveEntry entry)
    {
        var spans = new List<StoredSpan>();
        long size = 0;
        foreach (var span in entry.Spans)
        {
            var before = _length;
            foreach (var piece in span.Pieces)
                Add(piece);
            var stored = _length - before;
            if (span.Length < 1 || span.Start < 0 || span.Length > stored - span.Start || (span.Cipher is null && span.Length != stored) || (span.Cipher is not null && stored % 16 != 0))
                throw Wrong(entry);
            size += span.Length;
            if (span.Cipher is { } cipher)
                spans.Add(new StoredSpan(stored, span.Start, span.Length, cipher.Key.Span, cipher.IV.Span));
            else if (spans.Count > 0 && !spans[^1].IsEncrypted)
                spans[^1] = new StoredSpan(spans[^1].Stored + stored, 0, spans[^1].Length + stored, default, default);
            else
                spans.Add(new StoredSpan(stored, 0, stored, default, default));
        }

        if (size != entry.Size)
            throw Wrong(entry);
        var encryption = spans.Exists(span => span.IsEncrypted) ? new FileEncryption(spans) : null;
        return (new ExtentMap([.. _extents], _segments.Build()), encryption);
    }

    private static InvalidDataException Wrong(ArchiveEntry entry) => new($"The headers of the archive contradict themselves about '{entry.Path}'.");

    private void Add(ArchivePiece piece)
    {
        if ((uint)piece.Volume >= (uint)volumes.Count)
            throw new InvalidDataException("The archive points to a volume that is not there.");
        var map = volumes[piece.Volume].File.Map;
        if (piece.Offset < 0 || piece.Length < 1 || piece.Offset > map.Length - piece.Length)
            throw new InvalidDataException($"'{volumes[piece.Volume].Name}' is shorter than its headers say: {map.Length} bytes.");
        var offset = piece.Offset;
        var left = piece.Length;
        for (var index = map.Find(offset); left > 0; index++)
        {
            var extent = map.Extents[index];
            var skip = (int)(offset - extent.Start);
            var length = (int)Math.Min(left, extent.Length - skip);
            if (_last != (piece.Volume, extent.Segment))
            {
                _segments.Add(map.Segments.IdUtf8(extent.Segment), map.Segments.Begin(extent.Segment), map.Segments.Size(extent.Segment));
                _last = (piece.Volume, extent.Segment);
            }

            _extents.Add(new Extent(_length, _segments.Count - 1, extent.Offset + skip, length));
            _length += length;
            offset += length;
            left -= length;
        }
    }
}
