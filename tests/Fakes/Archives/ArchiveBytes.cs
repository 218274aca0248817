using System.Buffers.Binary;

namespace NzbDav.Fakes.Archives;

/// <summary>Bytes written one field after the other, little-endian.</summary>
public sealed class ArchiveBytes
{
    private static readonly uint[] CrcOfByte = CrcsOfBytes();
    private readonly MemoryStream _out = new();

    public int Length => (int)_out.Length;

    public byte[] ToArray() => _out.ToArray();

    public ArchiveBytes U8(int value)
    {
        _out.WriteByte((byte)value);
        return this;
    }

    public ArchiveBytes U16(int value) => U8(value).U8(value >> 8);

    public ArchiveBytes U32(uint value)
    {
        Span<byte> bytes = stackalloc byte[4];
        BinaryPrimitives.WriteUInt32LittleEndian(bytes, value);
        return Add(bytes);
    }

    public ArchiveBytes U64(ulong value) => U32((uint)value).U32((uint)(value >> 32));

    public ArchiveBytes Add(ReadOnlySpan<byte> bytes)
    {
        _out.Write(bytes);
        return this;
    }

    /// <summary>RAR5's vint, padded with empty groups to a least length.</summary>
    public ArchiveBytes Vint(ulong value, int least = 1)
    {
        for (; value >= 0x80 || least > 1; value >>= 7, least--)
            U8((int)(value & 0x7F) | 0x80);
        return U8((int)value);
    }

    /// <summary>7z's number: the count of leading ones in the first byte tells how many bytes follow.</summary>
    public ArchiveBytes Number(ulong value)
    {
        var first = 0;
        var extra = 0;
        for (var mask = 0x80; extra < 8; extra++, mask >>= 1)
        {
            if (value < 1UL << (7 * (extra + 1)))
            {
                first |= (int)(value >> (8 * extra));
                break;
            }

            first |= mask;
        }

        U8(first);
        for (var i = 0; i < extra; i++)
            U8((int)(value >> (8 * i)));
        return this;
    }

    /// <summary>CRC-32 of IEEE 802.3, bit by bit: slow and plain, so that it needs no proof.</summary>
    public static uint Crc32(ReadOnlySpan<byte> bytes)
    {
        var crc = uint.MaxValue;
        foreach (var value in bytes)
            crc = (crc >> 8) ^ CrcOfByte[(byte)(crc ^ value)];
        return ~crc;
    }

    private static uint[] CrcsOfBytes()
    {
        var crcs = new uint[256];
        for (var value = 0u; value < crcs.Length; value++)
        {
            var crc = value;
            for (var bit = 0; bit < 8; bit++)
                crc = (crc >> 1) ^ (0xEDB88320 & (uint)-(int)(crc & 1));
            crcs[value] = crc;
        }

        return crcs;
    }
}
