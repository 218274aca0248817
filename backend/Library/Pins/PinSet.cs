using NzbDav.Catalog.Blobs;
using NzbDav.Content;

namespace NzbDav.Library.Pins;

/// <summary>The pinned ranges of one file, and where they are stored. Thread-safe.</summary>
/// <param name="Key">The file.</param>
/// <param name="Ranges">In the file's order; they neither touch nor overlap.</param>
/// <param name="Checksums">The CRC-32 of each block, range after range.</param>
internal sealed record PinSet(PinKey Key, IReadOnlyList<ByteSpan> Ranges, IReadOnlyList<uint> Checksums)
{
    /// <summary>
    /// Bytes that are read and checked at once: below 85,000, so that the buffer is not a large object, and few enough that the first byte
    /// does not wait long for the disk.
    /// </summary>
    public const int Block = 64 << 10;

    private volatile bool _isDropped;

    /// <summary>Path of its file on disk.</summary>
    public required string Path { get; init; }

    /// <summary>Size of that file in bytes.</summary>
    public long Size => PinFile.SizeOf(Ranges);

    /// <summary>Time of its last use. Guarded by the store's lock.</summary>
    public DateTimeOffset Used { get; set; }

    /// <summary>True once its bytes must not be used any more.</summary>
    public bool IsDropped => _isDropped;

    /// <summary>Marks it as no longer usable.</summary>
    public void Drop() => _isDropped = true;

    /// <summary>Number of blocks of a range.</summary>
    public static int BlocksOf(ByteSpan range) => (int)((range.Length + Block - 1) / Block);

    /// <summary>True when a range of it has one of these bytes.</summary>
    public bool Overlaps(ByteSpan bytes) =>
        FirstEndingAfter(bytes.Start) is var index && index < Ranges.Count && Ranges[index].Overlaps(bytes);

    /// <summary>Index of the first range that ends after an offset; the number of ranges if there is none.</summary>
    public int FirstEndingAfter(long offset) => ByteSpan.FirstEndingAfter(Ranges, offset);
}

/// <summary>
/// Identifies pinned bytes: those of a file as one map lays them out. A corrected map of the same file makes another key.
/// </summary>
/// <param name="Item">The file's id, which is never reused.</param>
/// <param name="Map">Hash of its extent map.</param>
/// <param name="Length">Length of the file in bytes.</param>
public readonly record struct PinKey(long Item, BlobHash Map, long Length);
