using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.Arm;
using System.Runtime.Intrinsics.X86;

namespace NzbDav.Usenet.Yenc;

/// <summary>
/// Decodes one block of 64 bytes with one instruction set. Implemented by structs that are used as type arguments, so that the loop is
/// compiled once for each, with the block inlined.
/// </summary>
internal interface IYencBlock
{
    /// <summary>True when this processor has the instructions.</summary>
    static abstract bool IsSupported { get; }

    /// <summary>
    /// Decodes 64 bytes as plain data: drops <c>=</c>, CR and LF unless escaped, treats <c>=</c> in the byte before the block as an escape,
    /// and ignores lines. So its output is right up to the first bit set in <paramref name="suspects"/>.
    /// </summary>
    /// <param name="source">The first of 64 readable bytes; the one before is readable too.</param>
    /// <param name="destination">The first of 64 writable bytes.</param>
    /// <param name="suspects">A bit for each <c>=</c> and dot that follows LF or <c>=</c>.</param>
    /// <returns>A bit for each byte that was dropped.</returns>
    static abstract ulong Decode(ref readonly byte source, ref byte destination, out ulong suspects);
}

/// <summary>SSSE3 (since 2006) and ARM64.</summary>
internal readonly struct YencBlock128 : IYencBlock
{
    public static bool IsSupported => Ssse3.IsSupported || AdvSimd.Arm64.IsSupported;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong Decode(ref readonly byte source, ref byte destination, out ulong suspects)
    {
        // Each store overwrites the garbage that the one before left behind its bytes.
        ref var next = ref DecodeQuarter(in source, ref destination, out var dropped, out suspects);
        next = ref DecodeQuarter(in Unsafe.Add(ref Unsafe.AsRef(in source), 16), ref next, out var quarterDropped, out var quarterSuspects);
        dropped |= quarterDropped << 16;
        suspects |= quarterSuspects << 16;
        next = ref DecodeQuarter(in Unsafe.Add(ref Unsafe.AsRef(in source), 32), ref next, out quarterDropped, out quarterSuspects);
        dropped |= quarterDropped << 32;
        suspects |= quarterSuspects << 32;
        DecodeQuarter(in Unsafe.Add(ref Unsafe.AsRef(in source), 48), ref next, out quarterDropped, out quarterSuspects);
        suspects |= quarterSuspects << 48;
        return dropped | (quarterDropped << 48);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ref byte DecodeQuarter(ref readonly byte source, ref byte destination, out ulong dropped, out ulong suspects)
    {
        var value = Vector128.LoadUnsafe(in source);
        var before = Vector128.LoadUnsafe(in Unsafe.Subtract(ref Unsafe.AsRef(in source), 1));
        var equals = Vector128.Equals(value, Vector128.Create((byte)'='));
        var lineEnds = Vector128.Equals(value, Vector128.Create((byte)'\r')) | Vector128.Equals(value, Vector128.Create((byte)'\n'));
        var escaped = Vector128.Equals(before, Vector128.Create((byte)'='));
        dropped = Vector128.AndNot(equals | lineEnds, escaped).ExtractMostSignificantBits();
        suspects = ((escaped | Vector128.Equals(before, Vector128.Create((byte)'\n')))
            & (equals | Vector128.Equals(value, Vector128.Create((byte)'.')))).ExtractMostSignificantBits();
        var decoded = value - Vector128.Create((byte)42) - (escaped & Vector128.Create((byte)64));
        return ref YencCompaction.Store(decoded, (ushort)dropped, ref destination);
    }
}

/// <summary>AVX2.</summary>
internal readonly struct YencBlock256 : IYencBlock
{
    public static bool IsSupported => Avx2.IsSupported;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong Decode(ref readonly byte source, ref byte destination, out ulong suspects)
    {
        var low = DecodeHalf(in source, out var lowDropped, out var lowSuspects);
        var high = DecodeHalf(in Unsafe.Add(ref Unsafe.AsRef(in source), 32), out var highDropped, out var highSuspects);
        suspects = lowSuspects | ((ulong)highSuspects << 32);

        // Each store overwrites the garbage that the one before left behind its bytes.
        ref var next = ref YencCompaction.Store(low.GetLower(), (ushort)lowDropped, ref destination);
        next = ref YencCompaction.Store(low.GetUpper(), (ushort)(lowDropped >> 16), ref next);
        next = ref YencCompaction.Store(high.GetLower(), (ushort)highDropped, ref next);
        YencCompaction.Store(high.GetUpper(), (ushort)(highDropped >> 16), ref next);
        return lowDropped | ((ulong)highDropped << 32);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector256<byte> DecodeHalf(ref readonly byte source, out uint dropped, out uint suspects)
    {
        var value = Vector256.LoadUnsafe(in source);
        var before = Vector256.LoadUnsafe(in Unsafe.Subtract(ref Unsafe.AsRef(in source), 1));
        var equals = Vector256.Equals(value, Vector256.Create((byte)'='));
        var lineEnds = Vector256.Equals(value, Vector256.Create((byte)'\r')) | Vector256.Equals(value, Vector256.Create((byte)'\n'));
        var escaped = Vector256.Equals(before, Vector256.Create((byte)'='));
        dropped = Vector256.AndNot(equals | lineEnds, escaped).ExtractMostSignificantBits();
        suspects = ((escaped | Vector256.Equals(before, Vector256.Create((byte)'\n')))
            & (equals | Vector256.Equals(value, Vector256.Create((byte)'.')))).ExtractMostSignificantBits();
        return value - Vector256.Create((byte)42) - (escaped & Vector256.Create((byte)64));
    }
}

/// <summary>AVX-512 with VBMI2 (Intel since 2019, AMD since Zen 4): VPCOMPRESSB closes the gaps in one instruction.</summary>
internal readonly struct YencBlock512 : IYencBlock
{
    public static bool IsSupported => Avx512Vbmi2.IsSupported;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong Decode(ref readonly byte source, ref byte destination, out ulong suspects)
    {
        var value = Vector512.LoadUnsafe(in source);
        var before = Vector512.LoadUnsafe(in Unsafe.Subtract(ref Unsafe.AsRef(in source), 1));
        var equals = Vector512.Equals(value, Vector512.Create((byte)'='));
        var lineEnds = Vector512.Equals(value, Vector512.Create((byte)'\r')) | Vector512.Equals(value, Vector512.Create((byte)'\n'));
        var escaped = Vector512.Equals(before, Vector512.Create((byte)'='));
        var dropped = Vector512.AndNot(equals | lineEnds, escaped);
        var decoded = value - Vector512.Create((byte)42) - (escaped & Vector512.Create((byte)64));
        suspects = ((escaped | Vector512.Equals(before, Vector512.Create((byte)'\n')))
            & (equals | Vector512.Equals(value, Vector512.Create((byte)'.')))).ExtractMostSignificantBits();
        Avx512Vbmi2.Compress(Vector512<byte>.Zero, ~dropped, decoded).StoreUnsafe(ref destination);
        return dropped.ExtractMostSignificantBits();
    }
}

/// <summary>
/// Closes gaps in a vector with a table of shuffles, eight bytes at a time. The table of 2 KiB stays in the first-level cache; a table for
/// sixteen bytes, 512 KiB, would not.
/// </summary>
internal static class YencCompaction
{
    /// <summary>Entry m: the indexes (one per byte) of the bytes of eight whose bit is not set in m.</summary>
    private static readonly ulong[] Shuffles = CreateShuffles();

    /// <summary>Writes the bytes whose bit is not set; up to 16 bytes of the destination are overwritten.</summary>
    /// <returns>The byte after the last one written.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Store(Vector128<byte> value, ushort dropped, ref byte destination)
    {
        ref var shuffles = ref MemoryMarshal.GetArrayDataReference(Shuffles);
        var shuffle = Vector128.Create(
            Unsafe.Add(ref shuffles, (nuint)(byte)dropped),
            Unsafe.Add(ref shuffles, (nuint)(dropped >> 8)) + 0x0808080808080808).AsByte();
        var packed = Vector128.ShuffleNative(value, shuffle);
        packed.GetLower().StoreUnsafe(ref destination);
        packed.GetUpper().StoreUnsafe(ref Unsafe.Add(ref destination, 8 - BitOperations.PopCount((uint)(byte)dropped)));
        return ref Unsafe.Add(ref destination, 16 - BitOperations.PopCount(dropped));
    }

    private static ulong[] CreateShuffles()
    {
        var shuffles = new ulong[256];
        for (var dropped = 0; dropped < shuffles.Length; dropped++)
        {
            var to = 0;
            for (var from = 0; from < 8; from++)
            {
                if ((dropped >> from & 1) == 0)
                    shuffles[dropped] |= (ulong)from << (8 * to++);
            }
        }

        return shuffles;
    }
}
