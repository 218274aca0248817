using NzbDav.Archives.Layouts;
using NzbDav.Catalog.Tree;
using NzbDav.Content;

namespace NzbDav.Import.Steps;

/// <summary>Builds one flat extent map for a file that lies in pieces in posted volumes. Use one instance per file.</summary>
/// <param name="volumes">The volumes, by the numbers that the pieces refer to.</param>
internal sealed class SpanMapper(IReadOnlyList<NamedFile> volumes)
{
    private readonly ExtentMapBuilder _map = new();
    private readonly Dictionary<int, InferredVolume> _inferred = [];

    /// <summary>The inferred volumes in the map; complete after <see cref="Run"/>.</summary>
    public IReadOnlyList<InferredVolume> Inferred => [.. _inferred.Values.OrderBy(volume => volume.First)];

    /// <summary>Builds the map of all spans, and how to decrypt it; null encryption: the map's bytes are the file's.</summary>
    /// <exception cref="InvalidDataException">The spans exceed the volumes, or contradict each other.</exception>
    public (ExtentMap Map, FileEncryption? Encryption) Run(ArchiveEntry entry)
    {
        var spans = new List<StoredSpan>();
        long size = 0;
        foreach (var span in entry.Spans)
        {
            var before = _map.Length;
            foreach (var piece in span.Pieces)
                Add(piece);
            var stored = _map.Length - before;
            if (span.Length < 1 || span.Start < 0 || span.Length > stored - span.Start || (span.Cipher is null && span.Length != stored)
                || (span.Cipher is not null && stored % 16 != 0))
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
        return (_map.Build(), encryption);
    }

    private static InvalidDataException Wrong(ArchiveEntry entry) =>
        new($"The headers of the archive contradict themselves about '{entry.Path}'.");

    private void Add(ArchivePiece piece)
    {
        if ((uint)piece.Volume >= (uint)volumes.Count)
            throw new InvalidDataException("The archive points to a volume that is not there.");
        var map = volumes[piece.Volume].File.Map;
        if (piece.Offset < 0 || piece.Length < 1 || piece.Offset > map.Length - piece.Length)
            throw new InvalidDataException($"'{volumes[piece.Volume].Name}' is shorter than its headers say: {map.Length} bytes.");
        var before = _map.SegmentCount;
        _map.Append(map, piece.Offset, piece.Length);
        if (volumes[piece.Volume].File.Inferred is not { } inferred)
            return;

        // A piece may begin in the article in which the previous one ended.
        var first = _inferred.TryGetValue(piece.Volume, out var begun) ? begun.First : before;
        _inferred[piece.Volume] = inferred with { First = first, Count = _map.SegmentCount - first };
    }
}
