using NzbDav.Catalog.Tree;
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
    private readonly List<Stretch> _known = [];

    /// <summary>The checksum of the whole file; null while part of it has not been read.</summary>
    public uint? Whole
    {
        get
        {
            if (size == 0)
                return 0;
            lock (_gate)
                return _known is [{ Start: 0 } only] && only.End == size ? only.Crc : null;
        }
    }

    /// <summary>The first part of a range whose checksum is unknown; empty if all is known.</summary>
    /// <param name="start">First byte of the range.</param>
    /// <param name="end">One past the last byte.</param>
    public (long Start, long End) Unknown(long start, long end)
    {
        lock (_gate)
        {
            foreach (var one in _known)
            {
                if (one.End <= start)
                    continue;
                if (one.Start > start)
                    return (start, Math.Min(end, one.Start));
                start = one.End;
                if (start >= end)
                    return (end, end);
            }

            return (start, end);
        }
    }

    /// <summary>Adds the checksum of verified bytes. Ignored if it overlaps a known part.</summary>
    public void Add(long start, long end, uint crc)
    {
        if (start >= end)
            return;
        lock (_gate)
        {
            var at = _known.FindIndex(one => one.End > start);
            if (at < 0)
                at = _known.Count;
            if (at < _known.Count && _known[at].Start < end)
                return;
            var added = new Stretch(start, end, crc);
            if (at > 0 && _known[at - 1].End == start)
            {
                added = Join(_known[at - 1], added);
                _known.RemoveAt(--at);
            }

            if (at < _known.Count && _known[at].Start == end)
            {
                added = Join(added, _known[at]);
                _known.RemoveAt(at);
            }

            _known.Insert(at, added);
            if (_known.Count > Most)
                _known.RemoveAt(Most);
        }
    }

    private static Stretch Join(Stretch first, Stretch second) =>
        new(first.Start, second.End, Crc32.Combine(first.Crc, second.Crc, second.End - second.Start));

    private readonly record struct Stretch(long Start, long End, uint Crc);
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
