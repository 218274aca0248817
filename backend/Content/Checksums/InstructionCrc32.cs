using System.Runtime.InteropServices;
using ArmCrc32 = System.Runtime.Intrinsics.Arm.Crc32;

namespace NzbDav.Content.Checksums;

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
