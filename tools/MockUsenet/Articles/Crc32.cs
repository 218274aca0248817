using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace NzbDav.MockUsenet.Articles;

/// <summary>
/// CRC-32 as used by yEnc and zip (reflected 0xEDB88320), slicing by 16. Deliberately not the product's implementation: an error in one of
/// them must show as a difference.
/// </summary>
internal static class Crc32
{
    private const int Slices = 16;
    private static readonly uint[] Table = MakeTable();

    public static uint Of(ReadOnlySpan<byte> data)
    {
        var crc = uint.MaxValue;
        // Every index is a slice (0 to 15) times 256 plus a byte: always within the table, so unchecked.
        ref var table = ref MemoryMarshal.GetArrayDataReference(Table);
        if (BitConverter.IsLittleEndian)
        {
            var words = MemoryMarshal.Cast<byte, uint>(data);
            var i = 0;
            for (; i + 3 < words.Length; i += 4)
            {
                crc = Four(ref table, words[i] ^ crc, 12) ^ Four(ref table, words[i + 1], 8)
                    ^ Four(ref table, words[i + 2], 4) ^ Four(ref table, words[i + 3], 0);
            }

            data = data[(i * 4)..];
        }

        foreach (var value in data)
            crc = Unsafe.Add(ref table, (byte)(crc ^ value)) ^ (crc >> 8);
        return ~crc;
    }

    /// <summary>Four bytes that begin <paramref name="slice"/> bytes or more before the end of the block.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static uint Four(ref uint table, uint word, int slice) =>
        Unsafe.Add(ref table, ((slice + 3) * 256) + (byte)word)
        ^ Unsafe.Add(ref table, ((slice + 2) * 256) + (byte)(word >> 8))
        ^ Unsafe.Add(ref table, ((slice + 1) * 256) + (byte)(word >> 16))
        ^ Unsafe.Add(ref table, (slice * 256) + (int)(word >> 24));

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
