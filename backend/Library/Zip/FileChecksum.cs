using NzbDav.Catalog.Tree;
using NzbDav.Content;
using NzbDav.Content.Checksums;

namespace NzbDav.Library.Zip;

/// <summary>
/// Builds a file's CRC-32 from the checksums of its parts, joining adjacent ones. Readers add parts in any order. Thread-safe.
/// </summary>
internal sealed class FileChecksum(long size)
{
    /// <summary>Most separate parts that are kept. Further ones are computed again.</summary>
    private const int Most = 256;

    private readonly Lock _gate = new();
    private readonly List<KnownPart> _known = [];

    /// <summary>The checksum of the whole file; null while part of it has not been read.</summary>
    public uint? Whole
    {
        get
        {
            if (size == 0)
                return 0;
            lock (_gate)
                return _known is [var only] && only.Bytes == new ByteSpan(0, size) ? only.Crc : null;
        }
    }

    /// <summary>The first part of a range whose checksum is unknown; empty if all is known.</summary>
    public ByteSpan Unknown(ByteSpan range)
    {
        lock (_gate)
            return range.Subtract(_known.Select(static one => one.Bytes)).FirstOrDefault(new ByteSpan(range.End, range.End));
    }

    /// <summary>Adds the checksum of verified bytes. Ignored if they overlap a known part.</summary>
    public void Add(ByteSpan bytes, uint crc)
    {
        if (bytes.IsEmpty)
            return;
        lock (_gate)
        {
            var at = _known.FindIndex(one => one.Bytes.End > bytes.Start);
            if (at < 0)
                at = _known.Count;
            if (at < _known.Count && _known[at].Bytes.Overlaps(bytes))
                return;
            var added = new KnownPart(bytes, crc);
            if (at > 0 && _known[at - 1].Bytes.End == bytes.Start)
            {
                added = Join(_known[at - 1], added);
                _known.RemoveAt(--at);
            }

            if (at < _known.Count && _known[at].Bytes.Start == bytes.End)
            {
                added = Join(added, _known[at]);
                _known.RemoveAt(at);
            }

            _known.Insert(at, added);
            if (_known.Count > Most)
                _known.RemoveAt(Most);
        }
    }

    private static KnownPart Join(KnownPart first, KnownPart second) =>
        new(first.Bytes with { End = second.Bytes.End }, Crc32.Combine(first.Crc, second.Crc, second.Bytes.Length));

    private readonly record struct KnownPart(ByteSpan Bytes, uint Crc);
}

/// <summary>
/// Checksums of the files read most recently, so that resumed downloads and parallel ranges need no byte twice. Thread-safe; bounded.
/// </summary>
internal sealed class FileChecksums
{
    private const int Most = 20_000;

    private readonly Lock _gate = new();
    private readonly Dictionary<string, LinkedListNode<(string Tag, FileChecksum Checksum)>> _byTag = new(StringComparer.Ordinal);
    private readonly LinkedList<(string Tag, FileChecksum Checksum)> _recent = new();

    /// <summary>The checksum of a file: the same object for all callers while it is kept.</summary>
    public FileChecksum Of(CatalogItem item)
    {
        lock (_gate)
        {
            if (_byTag.TryGetValue(item.ETag, out var node))
            {
                _recent.Remove(node);
                _recent.AddFirst(node);
                return node.Value.Checksum;
            }

            var made = _recent.AddFirst((item.ETag, new FileChecksum(item.Size)));
            _byTag.Add(item.ETag, made);
            if (_recent.Count > Most)
            {
                _byTag.Remove(_recent.Last!.Value.Tag);
                _recent.RemoveLast();
            }

            return made.Value.Checksum;
        }
    }
}
