using NzbDav.Catalog.Blobs;

namespace NzbDav.Library.Pins;

/// <summary>The pinned ranges of one file, and where they lie on the disk. Thread-safe.</summary>
/// <param name="Key">Whose they are.</param>
/// <param name="Ranges">In the order of the file; they neither touch nor overlap.</param>
/// <param name="Checksums">The CRC-32 of each block, range after range.</param>
internal sealed record PinSet(PinKey Key, IReadOnlyList<PinRange> Ranges, IReadOnlyList<uint> Checksums)
{
    /// <summary>Bytes that are read and checked at once: below 85,000, so that the buffer is no large object, and few enough that the first
    /// byte does not wait for the disk.</summary>
    public const int Block = 64 << 10;

    private volatile bool _isDropped;

    /// <summary>Its file.</summary>
    public required string Path { get; init; }

    /// <summary>Bytes that its file takes.</summary>
    public long Size => PinFile.SizeOf(Ranges);

    /// <summary>When it was used last, by the clock. Guarded by the store's lock.</summary>
    public DateTimeOffset Used { get; set; }

    /// <summary>True once its bytes must not be used any more.</summary>
    public bool IsDropped => _isDropped;

    /// <summary>Marks it as no longer usable.</summary>
    public void Drop() => _isDropped = true;

    /// <summary>Blocks that a range is divided into.</summary>
    public static int BlocksOf(PinRange range) => (int)((range.Length + Block - 1) / Block);

    /// <summary>True when a range of it holds a byte of [start, end).</summary>
    public bool Meets(long start, long end)
    {
        foreach (var range in Ranges)
        {
            if (range.Start < end && start < range.End)
                return true;
        }

        return false;
    }

    /// <summary>The index of the first range that ends behind an offset; the number of ranges if there is none.</summary>
    public int FirstBehind(long offset)
    {
        var index = 0;
        while (index < Ranges.Count && Ranges[index].End <= offset)
            index++;
        return index;
    }
}

/// <summary>A run of bytes of a file.</summary>
/// <param name="Start">Offset of the first byte in the file.</param>
/// <param name="Length">Bytes.</param>
public readonly record struct PinRange(long Start, long Length)
{
    /// <summary>One past the last byte.</summary>
    public long End => Start + Length;
}

/// <summary>Which bytes are pinned: those of a file as one map lays them out. A better map of the same file is another key.</summary>
/// <param name="Item">The file's id, which no other file ever gets.</param>
/// <param name="Map">Its extent map.</param>
/// <param name="Length">The file's bytes.</param>
public readonly record struct PinKey(long Item, BlobHash Map, long Length);
