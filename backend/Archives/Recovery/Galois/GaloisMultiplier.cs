using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace NzbDav.Archives.Recovery.Galois;

/// <summary>
/// A factor, prepared for <see cref="GaloisKernel"/>: the product with a word is the sum of the products of its parts. Either eight tables
/// of 16 bytes (for each of the word's four nibbles, its contribution to the low byte and to the high byte), or four matrices of 8×8 bits
/// for the instruction GF2P8AFFINEQB, each four times (low to low, high to high, high to low, low to high).
/// </summary>
[InlineArray(128)]
internal struct GaloisMultiplier
{
    /// <summary>Bytes of the tables.</summary>
    public const int Size = 128;

    private byte _first;

    /// <summary>Prepares a factor.</summary>
    /// <param name="factor">Any value.</param>
    /// <param name="asMatrices">True to prepare matrices instead of tables.</param>
    public static GaloisMultiplier Of(ushort factor, bool asMatrices)
    {
        // The product for each bit of a word.
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
                // The entry with one bit less has already been computed.
                var rest = i & (i - 1);
                var bit = bits[(nibble * 4) + int.TrailingZeroCount(i)];
                low[i] = (byte)(low[rest] ^ bit);
                high[i] = (byte)(high[rest] ^ (bit >> 8));
            }
        }

        return prepared;
    }

    /// <summary>
    /// Row i of the matrix, which computes bit i of the result, is byte 7 − i (Intel SDM, GF2P8AFFINEQB). Bit j of the row says whether bit
    /// j of the input byte contributes.
    /// </summary>
    private static ulong MatrixOf(ReadOnlySpan<ushort> bits, int shift)
    {
        // Transposes columns into rows: bit i of column j becomes bit j of row i.
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

/// <summary>
/// Arithmetic in GF(2^16) with the generator 0x1100B, as in PAR2 (Parity Volume Set Specification 2.0, "Galois field"): addition is
/// exclusive or. Uses tables, one word at a time; <see cref="GaloisKernel"/> is for whole slices.
/// </summary>
internal static class GaloisField
{
    /// <summary>The generator polynomial: x^16 + x^12 + x^3 + x + 1.</summary>
    public const int Generator = 0x1100B;

    /// <summary>Number of elements other than 0.</summary>
    public const int Order = 65_535;

    /// <summary>Two periods, so that a sum of two logarithms needs no reduction.</summary>
    private static readonly ushort[] Powers = new ushort[2 * Order];

    private static readonly ushort[] Logarithms = new ushort[Order + 1];

    static GaloisField()
    {
        var value = 1;
        for (var i = 0; i < Order; i++)
        {
            Powers[i] = Powers[i + Order] = (ushort)value;
            Logarithms[value] = (ushort)i;
            value <<= 1;
            if (value > Order)
                value ^= Generator;
        }
    }

    /// <summary>Multiplies two values.</summary>
    public static ushort Multiply(ushort a, ushort b) => a == 0 || b == 0 ? (ushort)0 : Powers[Logarithms[a] + Logarithms[b]];

    /// <summary>The multiplicative inverse of a value.</summary>
    /// <exception cref="DivideByZeroException">The value is 0.</exception>
    public static ushort Invert(ushort value) => value == 0 ? throw new DivideByZeroException() : Powers[Order - Logarithms[value]];

    /// <summary>A value other than 0 to a power of at least 0.</summary>
    public static ushort Power(ushort value, uint exponent) => Powers[(int)((ulong)Logarithms[value] * exponent % Order)];

    /// <summary>2 to a power below 65,535.</summary>
    public static ushort PowerOfTwo(int exponent) => Powers[exponent];
}
