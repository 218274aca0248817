using NzbDav.Archives.Layouts;
using NzbDav.Archives.Rar;
using NzbDav.Catalog.Tree;
using NzbDav.Content;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Import.Steps;

/// <summary>Builds the layout of a file that lies in pieces in the volumes of a torrent. Use one instance per file.</summary>
/// <param name="volumes">The volumes, by the numbers that the pieces refer to.</param>
/// <param name="expected">The headers of inferred volumes, by number: <see cref="ArchiveLayout.Expected"/>.</param>
internal sealed class TorrentSpans(IReadOnlyList<TorrentFile> volumes, IReadOnlyDictionary<int, ReadOnlyMemory<byte>> expected)
{
    private readonly List<TorrentSpan> _spans = [];
    private readonly HashSet<int> _proven = [];
    private long _length;

    /// <summary>Builds the layout of all pieces, and how to decrypt it; null encryption: the layout's bytes are the file's.</summary>
    /// <exception cref="InvalidDataException">The pieces exceed the volumes, or contradict each other.</exception>
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
            if (span.Length < 1 || span.Start < 0 || span.Length > bytes - span.Start || (span.Cipher is null && span.Length != bytes)
                || (span.Cipher is not null && bytes % 16 != 0))
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

    private static InvalidDataException Wrong(ArchiveEntry entry) =>
        new($"The headers of the archive contradict themselves about '{entry.Path}'.");

    private void Add(ArchivePiece piece)
    {
        if ((uint)piece.Volume >= (uint)volumes.Count)
            throw new InvalidDataException("The archive points to a volume that is not there.");
        var volume = volumes[piece.Volume];
        if (piece.Offset < 0 || piece.Length < 1 || piece.Offset > volume.Length - piece.Length)
            throw new InvalidDataException($"'{volume.Path}' is shorter than its headers say: {volume.Length} bytes.");
        var span = new TorrentSpan(ByteSpan.OfLength(volume.Offset + piece.Offset, piece.Length));

        // An inferred volume holds part of one file, directly behind the headers.
        if (expected.TryGetValue(piece.Volume, out var header) && ExpectedHeader.Parse(header).HeaderLength == piece.Offset
            && _proven.Add(piece.Volume))
            span = span with { Header = header };
        _spans.Add(span);
        _length += piece.Length;
    }
}
