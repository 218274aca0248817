using System.Text;
using NzbDav.Catalog.Tree;

namespace NzbDav.Library.Zip;

/// <summary>The offsets of all records in a .zip. Immutable; computed before any file is read.</summary>
internal sealed class ZipLayout
{
    private readonly long[] _starts;
    private readonly long[] _centralStarts;

    public ZipLayout(IReadOnlyList<ZipEntry> entries)
    {
        Entries = entries;
        _starts = new long[entries.Count];
        _centralStarts = new long[entries.Count];
        long at = 0;
        for (var i = 0; i < entries.Count; i++)
        {
            _starts[i] = at;
            at = checked(at + ZipRecords.LocalSize(entries[i]) + entries[i].Size + ZipRecords.DescriptorSize(entries[i]));
        }

        CentralStart = at;
        for (var i = 0; i < entries.Count; i++)
        {
            _centralStarts[i] = at;
            at += ZipRecords.CentralSize(entries[i], _starts[i]);
        }

        EndStart = at;
        Length = at + ZipRecords.EndSize(entries.Count, CentralStart, EndStart - CentralStart);
    }

    public IReadOnlyList<ZipEntry> Entries { get; }

    /// <summary>Offset of the central directory.</summary>
    public long CentralStart { get; }

    /// <summary>End of the central directory.</summary>
    public long EndStart { get; }

    /// <summary>Length of the archive in bytes.</summary>
    public long Length { get; }

    /// <summary>Offset of an entry's local header.</summary>
    public long StartOf(int entry) => _starts[entry];

    /// <summary>Offset of an entry's data.</summary>
    public long DataOf(int entry) => _starts[entry] + ZipRecords.LocalSize(Entries[entry]);

    /// <summary>End of an entry's data.</summary>
    public long DataEndOf(int entry) => DataOf(entry) + Entries[entry].Size;

    /// <summary>Offset of an entry's record in the central directory.</summary>
    public long CentralOf(int entry) => _centralStarts[entry];

    /// <summary>The entry at an offset before <see cref="CentralStart"/>.</summary>
    public int Find(long offset) => Find(_starts, offset);

    /// <summary>The entry whose record in the central directory is at an offset.</summary>
    public int FindCentral(long offset) => Find(_centralStarts, offset);

    private static int Find(long[] starts, long offset)
    {
        var index = Array.BinarySearch(starts, offset);
        return index >= 0 ? index : ~index - 1;
    }
}

/// <summary>A file in a .zip, or an empty folder.</summary>
internal sealed class ZipEntry
{
    /// <param name="path">Names joined with slashes; that of a folder ends with a slash.</param>
    /// <param name="item">The file; null for a folder.</param>
    /// <param name="modified">Its modification time.</param>
    public ZipEntry(string path, CatalogItem? item, DateTimeOffset modified)
    {
        Path = path;
        Item = item;
        Modified = modified;
        NameLength = Encoding.UTF8.GetByteCount(path);
    }

    public string Path { get; }

    public CatalogItem? Item { get; }

    public DateTimeOffset Modified { get; }

    public long Size => Item?.Size ?? 0;

    /// <summary>Length of <see cref="Path"/> in bytes of UTF-8.</summary>
    public int NameLength { get; }

    /// <summary>True if its checksum follows its data. An empty entry has the checksum 0.</summary>
    public bool HasDescriptor => Size > 0;

    /// <summary>True if its size does not fit into 32 bits.</summary>
    public bool IsLarge => Size >= uint.MaxValue;
}
