using System.Buffers;
using System.Security.Cryptography;
using Microsoft.Win32.SafeHandles;
using NzbDav.Content;
using NzbDav.Content.Checksums;

namespace NzbDav.Archives.Recovery;

/// <summary>The bytes of restored slices, in memory or in a file of their own. For one caller at a time.</summary>
internal sealed class RepairedSlices : IDisposable
{
    private const int Piece = 1 << 20;

    private readonly IReadOnlyList<byte[]> _memory = [];
    private readonly SafeFileHandle? _file;
    private readonly long _sliceSize;

    /// <param name="slices">All slices, each of at least <paramref name="sliceSize"/> bytes.</param>
    /// <param name="sliceSize">Bytes of a slice.</param>
    public RepairedSlices(IReadOnlyList<byte[]> slices, long sliceSize) => (_memory, _sliceSize) = (slices, sliceSize);

    /// <param name="file">For <see cref="Write"/>; owned from here on.</param>
    /// <param name="sliceSize">Bytes of a slice.</param>
    public RepairedSlices(SafeFileHandle file, long sliceSize) => (_file, _sliceSize) = (file, sliceSize);

    /// <summary>Writes a stripe of all slices to the file.</summary>
    /// <param name="slices">The stripe of each slice, with padding behind it.</param>
    /// <param name="stripe">Where it lies in the slices.</param>
    /// <exception cref="IOException">The disk is full or broken.</exception>
    public void Write(IReadOnlyList<byte[]> slices, ByteSpan stripe)
    {
        for (var i = 0; i < slices.Count; i++)
            RandomAccess.Write(_file!, slices[i].AsSpan(0, (int)stripe.Length), (i * _sliceSize) + stripe.Start);
    }

    /// <summary>Copies bytes of a slice.</summary>
    /// <param name="index">Which slice.</param>
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
