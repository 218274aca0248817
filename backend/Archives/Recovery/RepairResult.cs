using NzbDav.Content;

namespace NzbDav.Archives.Recovery;

/// <summary>Result of a repair. Owns the bytes of the slices.</summary>
/// <param name="Slices">Restored slices, by file and offset; empty if none could be restored, or none had to be.</param>
/// <param name="Missing">Number of slices that were missing or damaged.</param>
/// <param name="Available">Number of usable recovery slices.</param>
/// <param name="Failure">Why nothing was restored, as a sentence; null if that succeeded or everything is intact.</param>
public sealed record RepairResult(IReadOnlyList<RepairedSlice> Slices, int Missing, int Available, string? Failure) : IDisposable
{
    internal RepairedSlices? Repaired { get; init; }

    /// <summary>Gives the memory or the file of the slices back.</summary>
    public void Dispose() => Repaired?.Dispose();
}

/// <summary>A slice that was restored and verified against the set. Its bytes can be read until the result of the repair is disposed; for
/// one caller at a time.</summary>
public sealed class RepairedSlice
{
    private readonly RepairedSlices _bytes;
    private readonly int _index;

    internal RepairedSlice(RepairedSlices bytes, int index, int file, long offset, int length)
    {
        (_bytes, _index) = (bytes, index);
        (File, Offset, Length) = (file, offset, length);
    }

    /// <summary>Index of its file in the list that was given to the repair.</summary>
    public int File { get; }

    /// <summary>Offset of its first byte in the file.</summary>
    public long Offset { get; }

    /// <summary>Bytes of it; none beyond the end of the file.</summary>
    public int Length { get; }

    /// <summary>Copies bytes of it.</summary>
    /// <param name="start">Offset of the first byte in the slice.</param>
    /// <param name="target">Filled completely; ends within the slice.</param>
    /// <exception cref="IOException">The disk that holds the slices is broken.</exception>
    public void Read(long start, Span<byte> target)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(start);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(start + target.Length, Length, nameof(target));
        _bytes.Read(_index, start, target);
    }
}

/// <summary>A file of a set to be repaired.</summary>
/// <param name="Described">Its description in the set.</param>
/// <param name="Content">Its bytes, of the length in the set; null if none of them are available.</param>
/// <param name="Holes">Ranges known to be missing.</param>
public sealed record RepairFile(Par2File Described, IContent? Content, IReadOnlyList<ByteSpan> Holes);
