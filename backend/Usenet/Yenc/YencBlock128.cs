using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.Arm;
using System.Runtime.Intrinsics.X86;

namespace NzbDav.Usenet.Yenc;

/// <summary>SSSE3 (since 2006) and ARM64.</summary>
internal readonly struct YencBlock128 : IYencBlock
{
    public static bool IsSupported => Ssse3.IsSupported || AdvSimd.Arm64.IsSupported;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong Decode(ref readonly byte source, ref byte destination, out ulong suspects)
    {
        // Each store overwrites the garbage that the one before left after its bytes.
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
