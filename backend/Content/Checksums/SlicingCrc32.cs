using System.Buffers.Binary;

namespace NzbDav.Content.Checksums;

/// <summary>CRC-32 by eight table look-ups per eight bytes: for processors without suitable instructions, and for data too short to fold.</summary>
internal static class SlicingCrc32
{
    /// <summary>Entry [256·k + b]: the remainder of byte b followed by k zero bytes.</summary>
    private static readonly uint[] Tables = CreateTables();

    /// <inheritdoc cref="Crc32.Append"/>
    public static uint Append(uint crc, ReadOnlySpan<byte> data) => ~AppendInverted(~crc, data);

    /// <summary>Like <see cref="Append"/>, on the inverted register that folding leaves.</summary>
    internal static uint AppendInverted(uint register, ReadOnlySpan<byte> data)
    {
        ReadOnlySpan<uint> tables = Tables;
        while (data.Length >= 8)
        {
            var low = BinaryPrimitives.ReadUInt32LittleEndian(data) ^ register;
            var high = BinaryPrimitives.ReadUInt32LittleEndian(data[4..]);
            register = tables[1792 + (byte)low] ^ tables[1536 + (byte)(low >> 8)] ^ tables[1280 + (byte)(low >> 16)] ^ tables[1024 + (int)(low >> 24)]
                ^ tables[768 + (byte)high] ^ tables[512 + (byte)(high >> 8)] ^ tables[256 + (byte)(high >> 16)] ^ tables[(int)(high >> 24)];
            data = data[8..];
        }

        foreach (var value in data)
            register = tables[(byte)(register ^ value)] ^ (register >> 8);
        return register;
    }

    private static uint[] CreateTables()
    {
        var tables = new uint[8 * 256];
        for (var value = 0u; value < 256; value++)
        {
            var remainder = value;
            for (var bit = 0; bit < 8; bit++)
                remainder = Crc32Polynomial.TimesX(remainder);
            tables[value] = remainder;
        }

        for (var entry = 256; entry < tables.Length; entry++)
            tables[entry] = tables[(byte)tables[entry - 256]] ^ (tables[entry - 256] >> 8);
        return tables;
    }
}
