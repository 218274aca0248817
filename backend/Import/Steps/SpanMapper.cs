using NzbDav.Archives.Layouts;
using NzbDav.Catalog;
using NzbDav.Content;

namespace NzbDav.Import;

/// <summary>Makes one flat extent map of a file that lies in pieces in posted volumes. One instance per file.</summary>
/// <param name="volumes">What the pieces' numbers mean.</param>
/// <param name="expected">What the headers of reckoned volumes must be, by number; volumes without headers of their own are not among them.</param>
internal sealed class SpanMapper(IReadOnlyList<NamedFile> volumes, IReadOnlyDictionary<int, ExpectedHeader> expected)
{
    private readonly ExtentMapBuilder _map = new();
    private readonly Dictionary<int, ReckonedRun> _reckoned = [];

    /// <summary>What of the map was reckoned, after <see cref="Run"/>.</summary>
    public IReadOnlyList<ReckonedRun> Reckoned => [.. _reckoned.Values.OrderBy(run => run.First)];

    /// <summary>The map of all spans and how the file comes out of it.</summary>
    /// <exception cref="InvalidDataException">The spans do not fit into the volumes, or not together.</exception>
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
        return (_map.Build(), encryption);
    }

    private static InvalidDataException Wrong(ArchiveEntry entry) => new($"The headers of the archive contradict themselves about '{entry.Path}'.");

    private void Add(ArchivePiece piece)
    {
        if ((uint)piece.Volume >= (uint)volumes.Count)
            throw new InvalidDataException("The archive points to a volume that is not there.");
        var map = volumes[piece.Volume].File.Map;
        if (piece.Offset < 0 || piece.Length < 1 || piece.Offset > map.Length - piece.Length)
            throw new InvalidDataException($"'{volumes[piece.Volume].Name}' is shorter than its headers say: {map.Length} bytes.");
        var before = _map.SegmentCount;
        _map.Append(map, piece.Offset, piece.Length);
        if (volumes[piece.Volume].File.IsReckoned || expected.ContainsKey(piece.Volume))
            Note(piece.Volume, before);
    }

    /// <summary>The segments from here on are of a volume that nobody has looked at.</summary>
    private void Note(int volume, int before)
    {
        if (_reckoned.TryGetValue(volume, out var run))
        {
            // A piece that goes on in the article in which the one before ended.
            _reckoned[volume] = run with { Count = _map.SegmentCount - run.First };
            return;
        }

        var file = volumes[volume].File;
        var proof = file.Map.Segments.Key(0) with { Begin = 0 };
        var header = expected.TryGetValue(volume, out var known) ? known.ToBytes() : default;
        _reckoned.Add(volume, new ReckonedRun(before, _map.SegmentCount - before, proof, file.Header.Name, file.Header.FileSize, header) { HeadHash = volumes[volume].HeadHash });
    }
}
