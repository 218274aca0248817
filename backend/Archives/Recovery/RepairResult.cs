using System.Buffers;
using System.Security.Cryptography;
using Microsoft.Win32.SafeHandles;
using NzbDav.Content;
using NzbDav.Content.Checksums;

namespace NzbDav.Archives.Recovery;

/// <summary>Result of a repair. Owns the bytes of the slices.</summary>
/// <param name="Slices">Repaired slices, by file and offset; empty if none could or had to be repaired.</param>
/// <param name="Missing">Number of slices that were missing or damaged.</param>
/// <param name="Available">Number of usable recovery slices.</param>
/// <param name="Failure">Why nothing was repaired, as a sentence; null if the repair succeeded or everything is intact.</param>
public sealed record RepairResult(IReadOnlyList<RepairedSlice> Slices, int Missing, int Available, string? Failure) : IDisposable
{
    internal RepairedSlices? Repaired { get; init; }

    /// <summary>Releases the memory or the file of the slices.</summary>
    public void Dispose() => Repaired?.Dispose();
}

/// <summary>
/// A slice that was repaired and verified against the set. Its bytes can be read until the result of the repair is disposed. For one caller
/// at a time.
/// </summary>
public sealed class RepairedSlice
{
    private readonly RepairedSlices _bytes;
    private readonly int _index;

    internal RepairedSlice(RepairedSlices bytes, int index, int file, long offset, int length)
    {
        (_bytes, _index) = (bytes, index);
        (File, Offset, Length) = (file, offset, length);
    }

    /// <summary>Index of its file in the list given to the repair.</summary>
    public int File { get; }

    /// <summary>Offset of its first byte in the file.</summary>
    public long Offset { get; }

    /// <summary>Bytes of the slice, without padding after the end of the file.</summary>
    public int Length { get; }

    /// <summary>Copies bytes of it.</summary>
    /// <param name="start">Offset of the first byte in the slice.</param>
    /// <param name="target">Filled completely; ends within the slice.</param>
    /// <exception cref="IOException">The disk with the slices is broken.</exception>
    public void Read(long start, Span<byte> target)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(start);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(start + target.Length, Length, nameof(target));
        _bytes.Read(_index, start, target);
    }
}

/// <summary>The bytes of repaired slices, in memory or in a file of their own. For one caller at a time.</summary>
internal sealed class RepairedSlices : IDisposable
{
    private const int Piece = 1 << 20;

    private readonly IReadOnlyList<byte[]> _memory = [];
    private readonly SafeFileHandle? _file;
    private readonly long _sliceSize;

    /// <param name="slices">All slices, each of at least <paramref name="sliceSize"/> bytes.</param>
    /// <param name="sliceSize">Bytes of a slice.</param>
    public RepairedSlices(IReadOnlyList<byte[]> slices, long sliceSize) => (_memory, _sliceSize) = (slices, sliceSize);

    /// <param name="file">The file for <see cref="Write"/>; owned from here on.</param>
    /// <param name="sliceSize">Bytes of a slice.</param>
    public RepairedSlices(SafeFileHandle file, long sliceSize) => (_file, _sliceSize) = (file, sliceSize);

    /// <summary>Writes one stripe of all slices to the file.</summary>
    /// <param name="slices">The stripe of each slice, followed by padding.</param>
    /// <param name="stripe">Its range in the slices.</param>
    /// <exception cref="IOException">The disk is full or broken.</exception>
    public void Write(IReadOnlyList<byte[]> slices, ByteSpan stripe)
    {
        for (var i = 0; i < slices.Count; i++)
            RandomAccess.Write(_file!, slices[i].AsSpan(0, (int)stripe.Length), (i * _sliceSize) + stripe.Start);
    }

    /// <summary>Copies bytes of a slice.</summary>
    /// <param name="index">Index of the slice.</param>
    /// <param name="offset">Offset of the first byte in the slice.</param>
    /// <param name="target">Filled completely.</param>
    /// <exception cref="IOException">The disk is broken.</exception>
    public void Read(int index, long offset, Span<byte> target)
    {
        if (_file is null)
        {
            _memory[index].AsSpan((int)offset, target.Length).CopyTo(target);
            return;
        }

        for (var at = (index * _sliceSize) + offset; !target.IsEmpty;)
        {
            var count = RandomAccess.Read(_file, target, at);
            if (count == 0)
                throw new EndOfStreamException("The file with the restored slices is too short.");
            at += count;
            target = target[count..];
        }
    }

    /// <summary>MD5 and CRC-32 of a slice, as <see cref="Par2File.SliceChecksums"/> has them.</summary>
    /// <exception cref="IOException">The disk is broken.</exception>
    public byte[] ChecksumsOf(int index)
    {
        if (_file is null)
            return Par2File.ChecksumsOf(_memory[index].AsSpan(0, (int)_sliceSize));
        var piece = ArrayPool<byte>.Shared.Rent(Piece);
        try
        {
#pragma warning disable CA5351 // The format's own checksum.
            using var hash = IncrementalHash.CreateHash(HashAlgorithmName.MD5);
#pragma warning restore CA5351
            var crc = 0u;
            for (var at = 0L; at < _sliceSize; at += Piece)
            {
                var bytes = piece.AsSpan(0, (int)Math.Min(Piece, _sliceSize - at));
                Read(index, at, bytes);
                hash.AppendData(bytes);
                crc = Crc32.Append(crc, bytes);
            }

            return SliceChecksum.Join(hash.GetHashAndReset(), crc);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(piece);
        }
    }

    public void Dispose() => _file?.Dispose();
}

/// <summary>A file of a set to be repaired.</summary>
/// <param name="Described">Its description in the set.</param>
/// <param name="Content">Its bytes, of the length in the set; null if none of them are available.</param>
/// <param name="Holes">Ranges known to be missing.</param>
public sealed record RepairFile(Par2File Described, IContent? Content, IReadOnlyList<ByteSpan> Holes);
