namespace NzbDav.Archives.Recovery.Galois;

/// <summary>
/// Arithmetic in GF(2^16) with the generator 0x1100B, as in PAR2 (Parity Volume Set Specification 2.0, "Galois field"): addition is exclusive or. Uses tables,
/// for one word at a time;
/// <see cref="GaloisKernel"/> is for whole slices.
/// </summary>
internal static class GaloisField
{
    /// <summary>x^16 + x^12 + x^3 + x + 1.</summary>
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

    /// <summary>The product.</summary>
    public static ushort Multiply(ushort a, ushort b) => a == 0 || b == 0 ? (ushort)0 : Powers[Logarithms[a] + Logarithms[b]];

    /// <summary>The multiplicative inverse of a value.</summary>
    /// <exception cref="DivideByZeroException">The value is 0.</exception>
    public static ushort Invert(ushort value) => value == 0 ? throw new DivideByZeroException() : Powers[Order - Logarithms[value]];

    /// <summary>A value other than 0 to a power of at least 0.</summary>
    public static ushort Power(ushort value, uint exponent) => Powers[(int)((ulong)Logarithms[value] * exponent % Order)];

    /// <summary>2 to a power below 65,535.</summary>
    public static ushort PowerOfTwo(int exponent) => Powers[exponent];
}
