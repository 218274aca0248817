using System.Buffers.Binary;
using System.Security.Cryptography;
using NzbDav.Content.Checksums;

namespace NzbDav.Archives.Recovery;

/// <summary>The description of one file in recovery data (packet "FileDesc"). Immutable.</summary>
/// <param name="Id">16 bytes that identify the file in its set.</param>
/// <param name="Name">Its name when the set was created. It may include folders, and is not made safe.</param>
/// <param name="Length">Length in bytes.</param>
/// <param name="Hash">MD5 of the whole file, 16 bytes.</param>
/// <param name="HeadHash">MD5 of its first 16 KiB (of all of it, if it is shorter), 16 bytes.</param>
public sealed record Par2File(ReadOnlyMemory<byte> Id, string Name, long Length, ReadOnlyMemory<byte> Hash, ReadOnlyMemory<byte> HeadHash)
{
    /// <summary>Most bytes that <see cref="HeadHash"/> covers.</summary>
    public const int HeadBytes = 16 << 10;

    /// <summary>Calculates <see cref="HeadHash"/> from a file's first bytes.</summary>
    /// <param name="head">The first <see cref="HeadBytes"/> bytes, or all of a shorter file; further bytes are ignored.</param>
    public static byte[] HashOfHead(ReadOnlySpan<byte> head)
    {
#pragma warning disable CA5351 // The format's own checksum.
        return MD5.HashData(head[..Math.Min(head.Length, HeadBytes)]);
#pragma warning restore CA5351
    }

    /// <summary>Calculates <see cref="Hash"/>.</summary>
    /// <param name="file">The whole file.</param>
    public static byte[] HashOfAll(ReadOnlySpan<byte> file)
    {
#pragma warning disable CA5351 // The format's own checksum.
        return MD5.HashData(file);
#pragma warning restore CA5351
    }

    /// <summary>Calculates MD5 and CRC-32 of a slice, as <see cref="SliceChecksums"/> has them.</summary>
    /// <param name="bytes">A whole slice; the last one of a file is padded with zeros.</param>
    public static byte[] ChecksumsOf(ReadOnlySpan<byte> bytes)
    {
#pragma warning disable CA5351 // The format's own checksum.
        return SliceChecksum.Join(MD5.HashData(bytes), Crc32.Append(0, bytes));
#pragma warning restore CA5351
    }

    /// <summary>MD5 and CRC-32 of each slice, 20 bytes each (packet "IFSC"); empty if the packet was not seen.</summary>
    public ReadOnlyMemory<byte> SliceChecksums { get; init; }

    /// <summary>True if a slice has these checksums. False if the packet with its checksums was not seen.</summary>
    /// <param name="slice">Its number in the file, from 0.</param>
    /// <param name="checksums">See <see cref="ChecksumsOf"/>.</param>
    public bool HasSlice(int slice, ReadOnlySpan<byte> checksums) =>
        (slice + 1L) * SliceChecksum.Size <= SliceChecksums.Length
            && SliceChecksums.Span.Slice(slice * SliceChecksum.Size, SliceChecksum.Size).SequenceEqual(checksums);

    /// <summary>True if the set can repair the file, false if it only lists it.</summary>
    public bool Recoverable { get; init; } = true;
}

/// <summary>MD5 and CRC-32 of a slice. A shorter last slice is padded with zeros (Parity Volume Set Specification 2.0, "Input File Slice
/// Checksum packet").</summary>
internal static class SliceChecksum
{
    /// <summary>Bytes per slice.</summary>
    public const int Size = 20;

    private static readonly byte[] Zeros = new byte[64 << 10];

    /// <summary>Joins both checksums of a slice, in the format of the set.</summary>
    /// <param name="md5">16 bytes.</param>
    /// <param name="crc">Its CRC-32.</param>
    public static byte[] Join(ReadOnlySpan<byte> md5, uint crc)
    {
        var checksums = new byte[Size];
        md5.CopyTo(checksums);
        BinaryPrimitives.WriteUInt32LittleEndian(checksums.AsSpan(md5.Length), crc);
        return checksums;
    }

    /// <summary>Returns the CRC-32 of a slice from the checksums of a file.</summary>
    public static uint CrcOf(ReadOnlyMemory<byte> checksums, int slice) =>
        BinaryPrimitives.ReadUInt32LittleEndian(checksums.Span[((slice * Size) + 16)..]);

    /// <summary>The CRC-32 of the bytes that <paramref name="crc"/> covers, followed by <paramref name="count"/> zeros.</summary>
    public static uint AppendZeros(uint crc, long count)
    {
        for (; count > 0; count -= Zeros.Length)
            crc = Crc32.Append(crc, Zeros.AsSpan(0, (int)Math.Min(count, Zeros.Length)));
        return crc;
    }
}
