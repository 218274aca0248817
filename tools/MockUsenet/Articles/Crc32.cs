using System.Runtime.InteropServices;

namespace NzbDav.MockUsenet;

/// <summary>
/// CRC-32 as yEnc and zip use it (reflected 0xEDB88320), slicing by 16. Deliberately not the product's: an error in one of them
/// must show as a difference.
/// </summary>
internal static class Crc32
{
    private const int Slices = 16;
    private static readonly uint[] Table = MakeTable();

    public static uint Of(ReadOnlySpan<byte> data)
    {
        var crc = uint.MaxValue;
        var table = Table;
        if (BitConverter.IsLittleEndian)
        {
            var words = MemoryMarshal.Cast<byte, uint>(data);
            var i = 0;
            for (; i + 3 < words.Length; i += 4)
            {
                var a = words[i] ^ crc;
                var b = words[i + 1];
                var c = words[i + 2];
                var d = words[i + 3];
                crc = table[(15 * 256) + (byte)a] ^ table[(14 * 256) + (byte)(a >> 8)]
                    ^ table[(13 * 256) + (byte)(a >> 16)] ^ table[(12 * 256) + (a >> 24)]
                    ^ table[(11 * 256) + (byte)b] ^ table[(10 * 256) + (byte)(b >> 8)]
                    ^ table[(9 * 256) + (byte)(b >> 16)] ^ table[(8 * 256) + (b >> 24)]
                    ^ table[(7 * 256) + (byte)c] ^ table[(6 * 256) + (byte)(c >> 8)]
                    ^ table[(5 * 256) + (byte)(c >> 16)] ^ table[(4 * 256) + (c >> 24)]
                    ^ table[(3 * 256) + (byte)d] ^ table[(2 * 256) + (byte)(d >> 8)]
                    ^ table[256 + (byte)(d >> 16)] ^ table[d >> 24];
            }

            data = data[(i * 4)..];
        }

        foreach (var value in data)
            crc = table[(byte)(crc ^ value)] ^ (crc >> 8);
        return ~crc;
    }

    private static uint[] MakeTable()
    {
        var table = new uint[Slices * 256];
        for (uint n = 0; n < 256; n++)
        {
            var crc = n;
            for (var bit = 0; bit < 8; bit++)
                crc = (crc & 1) != 0 ? (crc >> 1) ^ 0xEDB88320 : crc >> 1;
            table[n] = crc;
        }

        for (var i = 256; i < table.Length; i++)
            table[i] = table[(byte)table[i - 256]] ^ (table[i - 256] >> 8);
        return table;
    }
}
