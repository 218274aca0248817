using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;

namespace NzbDav.Usenet.Yenc;

/// <summary>AVX-512 with VBMI2 (Intel since 2019, AMD since Zen 4): VPCOMPRESSB closes the gaps in one instruction.</summary>
internal sealed class YencBlock512 : IYencBlock
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
