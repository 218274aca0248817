using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace NzbDav.Usenet.Yenc;

/// <summary>Closes gaps in a vector by a table of shuffles, eight bytes at a time: 2 KiB of table stay in the first-level cache, 512 KiB for sixteen would not.</summary>
internal static class YencCompaction
{
    /// <summary>Entry m: for each byte of the result, which of eight bytes it is if those are left out whose bit is set in m.</summary>
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
        destination = ref Unsafe.Add(ref destination, 8 - BitOperations.PopCount((uint)(byte)dropped));
        packed.GetUpper().StoreUnsafe(ref destination);
        return ref Unsafe.Add(ref destination, 8 - BitOperations.PopCount((uint)dropped >> 8));
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
