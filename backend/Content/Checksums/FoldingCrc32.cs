using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;

namespace NzbDav.Content.Checksums;

/// <summary>
/// CRC-32 by carry-less multiplication: data is folded onto later data until 16 bytes with the same remainder are left.
/// (V. Gopal et al., "Fast CRC Computation for Generic Polynomials Using PCLMULQDQ Instruction", Intel 2009.)
/// </summary>
internal static class FoldingCrc32
{
    // Four accumulators hide the latency of the multiplication.
    private const int Stride128 = 4 * 16;
    private const int Stride256 = 4 * 32;
    private const int Stride512 = 4 * 64;

    // Factors that move 16 bytes forward by this many bytes.
    private static readonly Vector128<ulong> By16 = Factors(16);
    private static readonly Vector128<ulong> By32 = Factors(32);
    private static readonly Vector128<ulong> By48 = Factors(48);
    private static readonly Vector128<ulong> By64 = Factors(64);
    private static readonly Vector128<ulong> By128 = Factors(128);
    private static readonly Vector128<ulong> By256 = Factors(256);

    /// <summary>PCLMULQDQ: Intel since 2010, AMD since 2011, not every Atom before 2013.</summary>
    public static bool IsSupported128 => Pclmulqdq.IsSupported;

    /// <summary>VPCLMULQDQ on 256 bits: Intel since Ice Lake and Alder Lake, AMD since Zen 3.</summary>
    public static bool IsSupported256 => Pclmulqdq.V256.IsSupported;

    /// <summary>VPCLMULQDQ on 512 bits: Intel's servers since Ice Lake, AMD since Zen 4.</summary>
    public static bool IsSupported512 => Pclmulqdq.V512.IsSupported;

    /// <inheritdoc cref="Crc32.Append"/>
    public static uint Append128(uint crc, ReadOnlySpan<byte> data)
    {
        Require(IsSupported128);
        if (data.Length < Stride128)
            return AppendShort(crc, data);

        ref var at = ref MemoryMarshal.GetReference(data);
        var a = Load128(ref at, 0) ^ Vector128.CreateScalar((ulong)~crc);
        var b = Load128(ref at, 16);
        var c = Load128(ref at, 32);
        var d = Load128(ref at, 48);
        nint offset = Stride128;
        var by = By64;
        for (nint last = data.Length - Stride128; offset <= last; offset += Stride128)
        {
            a = Fold(a, by) ^ Load128(ref at, offset);
            b = Fold(b, by) ^ Load128(ref at, offset + 16);
            c = Fold(c, by) ^ Load128(ref at, offset + 32);
            d = Fold(d, by) ^ Load128(ref at, offset + 48);
        }

        return Finish(Fold(a, By48) ^ Fold(b, By32) ^ Fold(c, By16) ^ d, data, (int)offset);
    }

    /// <inheritdoc cref="Crc32.Append"/>
    public static uint Append256(uint crc, ReadOnlySpan<byte> data)
    {
        Require(IsSupported256);
        if (data.Length < Stride256)
            return Append128(crc, data);

        ref var at = ref MemoryMarshal.GetReference(data);
        var a = Load256(ref at, 0) ^ Vector256.CreateScalar((ulong)~crc);
        var b = Load256(ref at, 32);
        var c = Load256(ref at, 64);
        var d = Load256(ref at, 96);
        nint offset = Stride256;
        var by = Vector256.Create(By128, By128);
        for (nint last = data.Length - Stride256; offset <= last; offset += Stride256)
        {
            a = Fold(a, by) ^ Load256(ref at, offset);
            b = Fold(b, by) ^ Load256(ref at, offset + 32);
            c = Fold(c, by) ^ Load256(ref at, offset + 64);
            d = Fold(d, by) ^ Load256(ref at, offset + 96);
        }

        var by32 = Vector256.Create(By32, By32);
        b ^= Fold(a, by32);
        c ^= Fold(b, by32);
        d ^= Fold(c, by32);
        return Finish(Fold(d.GetLower(), By16) ^ d.GetUpper(), data, (int)offset);
    }

    /// <inheritdoc cref="Crc32.Append"/>
    public static uint Append512(uint crc, ReadOnlySpan<byte> data)
    {
        Require(IsSupported512);
        if (data.Length < Stride512)
            return Append128(crc, data);

        ref var at = ref MemoryMarshal.GetReference(data);
        var a = Load512(ref at, 0) ^ Vector512.CreateScalar((ulong)~crc);
        var b = Load512(ref at, 64);
        var c = Load512(ref at, 128);
        var d = Load512(ref at, 192);
        nint offset = Stride512;
        var by = Broadcast512(By256);
        for (nint last = data.Length - Stride512; offset <= last; offset += Stride512)
        {
            a = Fold(a, by) ^ Load512(ref at, offset);
            b = Fold(b, by) ^ Load512(ref at, offset + 64);
            c = Fold(c, by) ^ Load512(ref at, offset + 128);
            d = Fold(d, by) ^ Load512(ref at, offset + 192);
        }

        var by64 = Broadcast512(By64);
        b ^= Fold(a, by64);
        c ^= Fold(b, by64);
        d ^= Fold(c, by64);
        for (nint last = data.Length - 64; offset <= last; offset += 64)
            d = Fold(d, by64) ^ Load512(ref at, offset);

        var (low, high) = (d.GetLower(), d.GetUpper());
        return Finish(
            Fold(low.GetLower(), By48) ^ Fold(low.GetUpper(), By32) ^ Fold(high.GetLower(), By16) ^ high.GetUpper(), data, (int)offset);
    }

    // Free of cost: the JIT compiler knows the processor's instructions.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Require(bool isSupported)
    {
        if (!isSupported)
            throw new PlatformNotSupportedException("This processor does not have the instructions of this CRC-32.");
    }

    private static uint AppendShort(uint crc, ReadOnlySpan<byte> data)
    {
        if (data.Length < 32)
            return SlicingCrc32.Append(crc, data);
        return Finish(Load128(ref MemoryMarshal.GetReference(data), 0) ^ Vector128.CreateScalar((ulong)~crc), data, 16);
    }

    /// <summary>Folds the rest of the data, then divides the 16 bytes left, which include the register.</summary>
    private static uint Finish(Vector128<ulong> folded, ReadOnlySpan<byte> data, int offset)
    {
        ref var at = ref MemoryMarshal.GetReference(data);
        for (; offset <= data.Length - 16; offset += 16)
            folded = Fold(folded, By16) ^ Load128(ref at, offset);

        Span<byte> rest = stackalloc byte[16];
        folded.AsByte().CopyTo(rest);
        return ~SlicingCrc32.AppendInverted(SlicingCrc32.AppendInverted(0, rest), data[offset..]);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector128<ulong> Fold(Vector128<ulong> value, Vector128<ulong> by) =>
        Pclmulqdq.CarrylessMultiply(value, by, 0x00) ^ Pclmulqdq.CarrylessMultiply(value, by, 0x11);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector256<ulong> Fold(Vector256<ulong> value, Vector256<ulong> by) =>
        Pclmulqdq.V256.CarrylessMultiply(value, by, 0x00) ^ Pclmulqdq.V256.CarrylessMultiply(value, by, 0x11);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector512<ulong> Fold(Vector512<ulong> value, Vector512<ulong> by) =>
        Pclmulqdq.V512.CarrylessMultiply(value, by, 0x00) ^ Pclmulqdq.V512.CarrylessMultiply(value, by, 0x11);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector128<ulong> Load128(ref byte at, nint offset) => Vector128.LoadUnsafe(ref at, (nuint)offset).AsUInt64();

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector256<ulong> Load256(ref byte at, nint offset) => Vector256.LoadUnsafe(ref at, (nuint)offset).AsUInt64();

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector512<ulong> Load512(ref byte at, nint offset) => Vector512.LoadUnsafe(ref at, (nuint)offset).AsUInt64();

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector512<ulong> Broadcast512(Vector128<ulong> factors) =>
        Vector512.Create(Vector256.Create(factors, factors), Vector256.Create(factors, factors));

    /// <summary>
    /// xⁿ⁺³² for the first half and xⁿ⁻³² for the second, where n is the distance in bits. The shift by one corrects the product of two
    /// reflected numbers, which is one bit short.
    /// </summary>
    private static Vector128<ulong> Factors(int bytes) => Vector128.Create(
        (ulong)Crc32Polynomial.PowerOfX(bytes * 8 + 32) << 1,
        (ulong)Crc32Polynomial.PowerOfX(bytes * 8 - 32) << 1);
}
