using ArmCrc32 = System.Runtime.Intrinsics.Arm.Crc32;

namespace NzbDav.Content.Checksums;

/// <summary>CRC-32 as in IEEE 802.3, zlib and yEnc: reflected polynomial 0xEDB88320, inverted before and after. Thread-safe.</summary>
public static class Crc32
{
    /// <summary>The checksum of the bytes that <paramref name="crc"/> covers followed by <paramref name="data"/>. Start with 0.</summary>
    public static uint Append(uint crc, ReadOnlySpan<byte> data)
    {
        // Constants to the JIT compiler, so only one branch remains.
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

    /// <summary>The checksum of two stretches, one after the other, from the checksums of each.</summary>
    /// <param name="first">Checksum of the first stretch.</param>
    /// <param name="second">Checksum of the second stretch.</param>
    /// <param name="secondLength">Bytes of the second stretch.</param>
    public static uint Combine(uint first, uint second, long secondLength)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(secondLength);
        return Crc32Polynomial.Multiply(first, Crc32Polynomial.PowerOfX(secondLength, 8)) ^ second;
    }
}
