using System.Buffers.Binary;
using System.Runtime.InteropServices;
using ArmCrc32 = System.Runtime.Intrinsics.Arm.Crc32;

namespace NzbDav.Content.Checksums;

/// <summary>CRC-32 as in IEEE 802.3, zlib and yEnc: reflected polynomial 0xEDB88320, inverted before and after. Thread-safe.</summary>
public static class Crc32
{
    /// <summary>The checksum of the bytes covered by <paramref name="crc"/> followed by <paramref name="data"/>. Start with 0.</summary>
    public static uint Append(uint crc, ReadOnlySpan<byte> data)
    {
        // These are constants to the JIT compiler, so only one branch remains.
        if (FoldingCrc32.IsSupported512)
            return FoldingCrc32.Append512(crc, data);
        if (FoldingCrc32.IsSupported256)
            return FoldingCrc32.Append256(crc, data);
        if (FoldingCrc32.IsSupported128)
            return FoldingCrc32.Append128(crc, data);
        if (ArmCrc32.Arm64.IsSupported)
            return InstructionCrc32.Append(crc, data);
        return SlicingCrc32.Append(crc, data);
    }

    /// <summary>The checksum of two consecutive byte sequences, from the checksum of each.</summary>
    /// <param name="first">Checksum of the first sequence.</param>
    /// <param name="second">Checksum of the second sequence.</param>
    /// <param name="secondLength">Length of the second sequence in bytes.</param>
    public static uint Combine(uint first, uint second, long secondLength)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(secondLength);
        return Crc32Polynomial.Multiply(first, Crc32Polynomial.PowerOfX(secondLength, 8)) ^ second;
    }
}

/// <summary>CRC-32 by the ARM64 instructions for this polynomial.</summary>
internal static class InstructionCrc32
{
    public static bool IsSupported => ArmCrc32.Arm64.IsSupported;

    /// <inheritdoc cref="Crc32.Append"/>
    public static uint Append(uint crc, ReadOnlySpan<byte> data)
    {
        var register = ~crc;
        var words = MemoryMarshal.Cast<byte, ulong>(data);
        foreach (var word in words)
            register = ArmCrc32.Arm64.ComputeCrc32(register, word);
        foreach (var value in data[(words.Length * sizeof(ulong))..])
            register = ArmCrc32.ComputeCrc32(register, value);
        return ~register;
    }
}

/// <summary>
/// CRC-32 by eight table look-ups per eight bytes: for processors without suitable instructions, and for data too short to fold.
/// </summary>
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
            register = tables[1792 + (byte)low] ^ tables[1536 + (byte)(low >> 8)] ^ tables[1280 + (byte)(low >> 16)] ^ tables[1024
                + (int)(low >> 24)]
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

/// <summary>
/// Arithmetic on polynomials over GF(2) modulo the CRC-32 polynomial, reflected: the highest bit is the coefficient of x⁰.
/// </summary>
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
