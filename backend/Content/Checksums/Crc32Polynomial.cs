namespace NzbDav.Content.Checksums;

/// <summary>Arithmetic on polynomials over GF(2) modulo CRC-32's, reflected: the highest bit is the coefficient of x⁰.</summary>
internal static class Crc32Polynomial
{
    /// <summary>x³² modulo the polynomial.</summary>
    public const uint Value = 0xEDB88320;

    private const uint One = 0x80000000;

    /// <summary>a · x.</summary>
    public static uint TimesX(uint a) => (a >> 1) ^ ((a & 1) == 0 ? 0 : Value);

    /// <summary>a · b.</summary>
    public static uint Multiply(uint a, uint b)
    {
        var product = 0u;
        for (; a != 0; a <<= 1, b = TimesX(b))
        {
            if ((a & One) != 0)
                product ^= b;
        }

        return product;
    }

    /// <summary>x to the power of <paramref name="exponent"/> · <paramref name="factor"/>.</summary>
    public static uint PowerOfX(long exponent, int factor = 1)
    {
        var result = One;
        var square = One;
        for (var i = 0; i < factor; i++)
            square = TimesX(square);
        for (; exponent != 0; exponent >>= 1, square = Multiply(square, square))
        {
            if ((exponent & 1) != 0)
                result = Multiply(result, square);
        }

        return result;
    }
}
