namespace NzbDav.Archives;

/// <summary>CRC-32 (IEEE 802.3, reflected, 0xEDB88320) for headers and small files: a table, a byte at a time.</summary>
internal static class Crc32
{
    private static readonly uint[] Table = MakeTable();

    public static uint Of(ReadOnlySpan<byte> bytes)
    {
        var crc = uint.MaxValue;
        foreach (var value in bytes)
            crc = Table[(byte)(crc ^ value)] ^ (crc >> 8);
        return ~crc;
    }

    private static uint[] MakeTable()
    {
        var table = new uint[256];
        for (uint i = 0; i < table.Length; i++)
        {
            var value = i;
            for (var bit = 0; bit < 8; bit++)
                value = (value & 1) != 0 ? (value >> 1) ^ 0xEDB88320 : value >> 1;
            table[i] = value;
        }

        return table;
    }
}
