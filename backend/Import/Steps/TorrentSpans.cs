using NzbDav.Archives.Layouts;
using NzbDav.Catalog;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Import;

/// <summary>Makes the layout of a file that lies in pieces in volumes of a torrent. One instance per file.</summary>
/// <param name="volumes">What the pieces' numbers mean.</param>
/// <param name="expected">What the headers of reckoned volumes must be, by number.</param>
internal sealed class TorrentSpans(IReadOnlyList<TorrentFile> volumes, IReadOnlyDictionary<int, ExpectedHeader> expected)
{
    private readonly List<TorrentSpan> _spans = [];
    private readonly HashSet<int> _proven = [];
    private long _length;

    /// <summary>Where all pieces are, and how the file comes out of them.</summary>
    /// <exception cref="InvalidDataException">The pieces do not fit into the volumes, or not together.</exception>
    public (TorrentLayout Layout, FileEncryption? Encryption) Run(ArchiveEntry entry)
    {
        var stored = new List<StoredSpan>();
        long size = 0;
        foreach (var span in entry.Spans)
        {
            var before = _length;
            foreach (var piece in span.Pieces)
                Add(piece);
            var bytes = _length - before;
            if (span.Length < 1 || span.Start < 0 || span.Length > bytes - span.Start || (span.Cipher is null && span.Length != bytes) || (span.Cipher is not null && bytes % 16 != 0))
                throw Wrong(entry);
            size += span.Length;
            if (span.Cipher is { } cipher)
                stored.Add(new StoredSpan(bytes, span.Start, span.Length, cipher.Key.Span, cipher.IV.Span));
            else
                stored.Add(new StoredSpan(bytes, 0, bytes, default, default));
        }

        if (size != entry.Size)
            throw Wrong(entry);
        return (new TorrentLayout(_spans), stored.Exists(static span => span.IsEncrypted) ? new FileEncryption(stored) : null);
    }

    private static InvalidDataException Wrong(ArchiveEntry entry) => new($"The headers of the archive contradict themselves about '{entry.Path}'.");

    private void Add(ArchivePiece piece)
    {
        if ((uint)piece.Volume >= (uint)volumes.Count)
            throw new InvalidDataException("The archive points to a volume that is not there.");
        var volume = volumes[piece.Volume];
        if (piece.Offset < 0 || piece.Length < 1 || piece.Offset > volume.Length - piece.Length)
            throw new InvalidDataException($"'{volume.Path}' is shorter than its headers say: {volume.Length} bytes.");
        var span = new TorrentSpan(volume.Offset + piece.Offset, piece.Length);

        // What was reckoned of a volume is about its one file, which begins behind the headers.
        if (expected.TryGetValue(piece.Volume, out var header) && header.HeaderLength == piece.Offset && _proven.Add(piece.Volume))
            span = span with { Header = header.ToBytes() };
        _spans.Add(span);
        _length += piece.Length;
    }
}
