using System.Buffers.Binary;
using NzbDav.Content.Checksums;

namespace NzbDav.Archives.Recovery;

/// <summary>MD5 and CRC-32 of a slice. A shorter last slice is padded with zeros (Parity Volume Set Specification 2.0, "Input File Slice Checksum packet").</summary>
internal static class SliceChecksum
{
    /// <summary>Bytes for each slice.</summary>
    public const int Size = 20;

    private static readonly byte[] Zeros = new byte[64 << 10];

    /// <summary>Both checksums of a slice, as the set has them.</summary>
    /// <param name="md5">16 bytes.</param>
    /// <param name="crc">Its CRC-32.</param>
    public static byte[] Join(ReadOnlySpan<byte> md5, uint crc)
    {
        var checksums = new byte[Size];
        md5.CopyTo(checksums);
        BinaryPrimitives.WriteUInt32LittleEndian(checksums.AsSpan(md5.Length), crc);
        return checksums;
    }

    /// <summary>The CRC-32 of a slice in the set.</summary>
    public static uint CrcOf(ReadOnlyMemory<byte> checksums, int slice) => BinaryPrimitives.ReadUInt32LittleEndian(checksums.Span[((slice * Size) + 16)..]);

    /// <summary>The CRC-32 of the bytes that <paramref name="crc"/> covers, followed by <paramref name="count"/> zeros.</summary>
    public static uint AppendZeros(uint crc, long count)
    {
        for (; count > 0; count -= Zeros.Length)
            crc = Crc32.Append(crc, Zeros.AsSpan(0, (int)Math.Min(count, Zeros.Length)));
        return crc;
    }
}
