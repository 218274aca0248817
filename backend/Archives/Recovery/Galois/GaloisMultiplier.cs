using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace NzbDav.Archives.Recovery.Galois;

/// <summary>
/// A factor, prepared for <see cref="GaloisKernel"/>: the product with a word is the sum of what its parts give. Either eight tables of 16 bytes (what each of the word's four nibbles gives to the low
/// byte, and to the high byte), or four matrices of 8×8 bits for the instruction GF2P8AFFINEQB, four times each (low to low, high to high, high to low, low to high).
/// </summary>
[InlineArray(128)]
internal struct GaloisMultiplier
{
    /// <summary>Bytes of the tables.</summary>
    public const int Size = 128;

    private byte _first;

    /// <summary>Prepares a factor.</summary>
    /// <param name="factor">Any value.</param>
    /// <param name="asMatrices">Matrices instead of tables.</param>
    public static GaloisMultiplier Of(ushort factor, bool asMatrices)
    {
        // What each bit of a word gives.
        Span<ushort> bits = stackalloc ushort[16];
        int value = factor;
        for (var i = 0; i < bits.Length; i++)
        {
            bits[i] = (ushort)value;
            value <<= 1;
            if (value > ushort.MaxValue)
                value ^= GaloisField.Generator;
        }

        var prepared = default(GaloisMultiplier);
        Span<byte> tables = prepared;
        if (asMatrices)
        {
            var matrices = MemoryMarshal.Cast<byte, ulong>(tables);
            matrices[..4].Fill(MatrixOf(bits[..8], 0));
            matrices[4..8].Fill(MatrixOf(bits[8..], 8));
            matrices[8..12].Fill(MatrixOf(bits[8..], 0));
            matrices[12..].Fill(MatrixOf(bits[..8], 8));
            return prepared;
        }

        for (var nibble = 0; nibble < 4; nibble++)
        {
            var low = tables.Slice(nibble * 16, 16);
            var high = tables.Slice(64 + (nibble * 16), 16);
            for (var i = 1; i < 16; i++)
            {
                // One bit more than an entry that is there.
                var rest = i & (i - 1);
                var bit = bits[(nibble * 4) + int.TrailingZeroCount(i)];
                low[i] = (byte)(low[rest] ^ bit);
                high[i] = (byte)(high[rest] ^ (bit >> 8));
            }
        }

        return prepared;
    }

    /// <summary>Row i of the matrix, which makes bit i of the result, is byte 7 − i (Intel SDM, GF2P8AFFINEQB); bit j of it tells whether bit j of the byte counts.</summary>
    private static ulong MatrixOf(ReadOnlySpan<ushort> bits, int shift)
    {
        // Columns are given, rows are wanted: bit i of column j goes to bit j of row i.
        ulong matrix = 0;
        for (var j = 0; j < 8; j++)
        {
            var column = (byte)(bits[j] >> shift);
            for (var i = 0; i < 8; i++)
                matrix |= (ulong)((column >> i) & 1) << ((8 * (7 - i)) + j);
        }

        return matrix;
    }
}
