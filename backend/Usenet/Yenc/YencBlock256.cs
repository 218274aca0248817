using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;

namespace NzbDav.Usenet.Yenc;

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

        // Each store overwrites the garbage that the one before left after its bytes.
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
