using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;

namespace NzbDav.Archives.Recovery.Galois;

/// <summary>
/// Multiplies slices by words of GF(2^16) and adds them up. Slices must be in blocks of 64 bytes: the low bytes of 32 words, then their
/// high bytes (<see cref="Split"/>). That saves rearranging bytes in each multiplication. Stateless.
/// </summary>
internal sealed class GaloisKernel
{
    /// <summary>Bytes processed at once; all lengths must be multiples of it.</summary>
    public const int Block = 64;

    /// <summary>Every implementation that this processor supports, the best first. The last works everywhere.</summary>
    public static IReadOnlyList<GaloisKernel> All { get; } =
    [
        .. Supported(Gfni.V512.IsSupported, "AVX-512 and GFNI", true, WithMatrices512),
        .. Supported(Gfni.V256.IsSupported, "AVX2 and GFNI", true, WithMatrices256),
        .. Supported(Avx2.IsSupported, "AVX2", false, WithTables256),
        .. Supported(Vector128.IsHardwareAccelerated, "128 bits", false, WithTables128),
        new GaloisKernel("scalar", false, WithTables),
    ];

    private readonly Step _step;
    private readonly bool _takesMatrices;

    private GaloisKernel(string name, bool takesMatrices, Step step)
    {
        Name = name;
        _takesMatrices = takesMatrices;
        _step = step;
    }

    private delegate void Step(ref byte target, int length, ref byte sources, int stride, ReadOnlySpan<GaloisMultiplier> factors);

    /// <summary>The best implementation for this processor.</summary>
    public static GaloisKernel Best => All[0];

    /// <summary>Name of the instruction set.</summary>
    public string Name { get; }

    /// <summary>Prepares a factor for <see cref="Add"/>.</summary>
    public GaloisMultiplier Prepare(ushort factor) => GaloisMultiplier.Of(factor, _takesMatrices);

    /// <summary>Adds to a target each source times its factor.</summary>
    /// <param name="target">The target, in split blocks.</param>
    /// <param name="sources">The sources, in split blocks; each as long as the target.</param>
    /// <param name="stride">Bytes from the beginning of one source to that of the next.</param>
    /// <param name="factors">One factor per source, from <see cref="Prepare"/>.</param>
    /// <exception cref="ArgumentException">The lengths do not match.</exception>
    public void Add(Span<byte> target, ReadOnlySpan<byte> sources, int stride, ReadOnlySpan<GaloisMultiplier> factors)
    {
        if (target.IsEmpty || factors.IsEmpty)
            return;
        if (target.Length % Block != 0 || stride < 0 || ((long)stride * (factors.Length - 1)) + target.Length > sources.Length)
            throw new ArgumentException("Target and sources do not fit each other.", nameof(sources));
        _step(ref MemoryMarshal.GetReference(target), target.Length, ref MemoryMarshal.GetReference(sources), stride, factors);
    }

    /// <summary>Converts words (little-endian) to split blocks, in place.</summary>
    /// <param name="words">A multiple of 64 bytes.</param>
    public static void Split(Span<byte> words)
    {
        ref var first = ref MemoryMarshal.GetReference(words);
        for (nuint i = 0; i < (nuint)words.Length; i += Block)
        {
            var (a, b) = (Vector256.LoadUnsafe(ref first, i).AsUInt16(), Vector256.LoadUnsafe(ref first, i + 32).AsUInt16());
            var mask = Vector256.Create((ushort)0xFF);
            Vector256.Narrow(a & mask, b & mask).StoreUnsafe(ref first, i);
            Vector256.Narrow(a >>> 8, b >>> 8).StoreUnsafe(ref first, i + 32);
        }
    }

    /// <summary>Undoes <see cref="Split"/>, in place.</summary>
    /// <param name="blocks">A multiple of 64 bytes.</param>
    public static void Join(Span<byte> blocks)
    {
        ref var first = ref MemoryMarshal.GetReference(blocks);
        for (nuint i = 0; i < (nuint)blocks.Length; i += Block)
        {
            var (low, high) = (Vector256.LoadUnsafe(ref first, i), Vector256.LoadUnsafe(ref first, i + 32));
            (Vector256.WidenLower(low) | (Vector256.WidenLower(high) << 8)).AsByte().StoreUnsafe(ref first, i);
            (Vector256.WidenUpper(low) | (Vector256.WidenUpper(high) << 8)).AsByte().StoreUnsafe(ref first, i + 32);
        }
    }

    private static IEnumerable<GaloisKernel> Supported(bool isSupported, string name, bool takesMatrices, Step step) =>
        isSupported ? [new GaloisKernel(name, takesMatrices, step)] : [];

    private static void WithMatrices512(ref byte target, int length, ref byte sources, int stride, ReadOnlySpan<GaloisMultiplier> factors)
    {
        for (nuint i = 0; i < (nuint)length; i += Block)
        {
            // Low bytes in the lower half, high bytes in the upper.
            var sum = Vector512.LoadUnsafe(ref target, i);
            var offset = i;
            foreach (ref readonly var factor in factors)
            {
                ref var matrices = ref Tables(in factor);
                var source = Vector512.LoadUnsafe(ref sources, offset);
                var swapped = Avx512F.Shuffle4x128(source.AsInt32(), source.AsInt32(), 0b01_00_11_10).AsByte();
                sum ^= Gfni.V512.GaloisFieldAffineTransform(source, Vector512.LoadUnsafe(ref matrices),
                    0) ^ Gfni.V512.GaloisFieldAffineTransform(swapped, Vector512.LoadUnsafe(ref matrices, 64), 0);
                offset += (nuint)stride;
            }

            sum.StoreUnsafe(ref target, i);
        }
    }

    private static void WithMatrices256(ref byte target, int length, ref byte sources, int stride, ReadOnlySpan<GaloisMultiplier> factors)
    {
        for (nuint i = 0; i < (nuint)length; i += Block)
        {
            var (low, high) = (Vector256.LoadUnsafe(ref target, i), Vector256.LoadUnsafe(ref target, i + 32));
            var offset = i;
            foreach (ref readonly var factor in factors)
            {
                ref var matrices = ref Tables(in factor);
                var (a, b) = (Vector256.LoadUnsafe(ref sources, offset), Vector256.LoadUnsafe(ref sources, offset + 32));
                low ^= Gfni.V256.GaloisFieldAffineTransform(a, Vector256.LoadUnsafe(ref matrices),
                    0) ^ Gfni.V256.GaloisFieldAffineTransform(b, Vector256.LoadUnsafe(ref matrices, 64), 0);
                high ^= Gfni.V256.GaloisFieldAffineTransform(a, Vector256.LoadUnsafe(ref matrices, 96),
                    0) ^ Gfni.V256.GaloisFieldAffineTransform(b, Vector256.LoadUnsafe(ref matrices, 32), 0);
                offset += (nuint)stride;
            }

            low.StoreUnsafe(ref target, i);
            high.StoreUnsafe(ref target, i + 32);
        }
    }

    private static void WithTables256(ref byte target, int length, ref byte sources, int stride, ReadOnlySpan<GaloisMultiplier> factors)
    {
        // One source after the other: eight tables fill half of the registers.
        var mask = Vector256.Create((byte)15);
        foreach (ref readonly var factor in factors)
        {
            ref var tables = ref Tables(in factor);
            var (l0, l1, l2, l3) = (Twice(ref tables, 0), Twice(ref tables, 16), Twice(ref tables, 32), Twice(ref tables, 48));
            var (h0, h1, h2, h3) = (Twice(ref tables, 64), Twice(ref tables, 80), Twice(ref tables, 96), Twice(ref tables, 112));
            for (nuint i = 0; i < (nuint)length; i += Block)
            {
                var (a, b) = (Vector256.LoadUnsafe(ref sources, i), Vector256.LoadUnsafe(ref sources, i + 32));
                var (n0, n1, n2, n3) = (a & mask, (a.AsUInt16() >>> 4).AsByte() & mask, b & mask, (b.AsUInt16() >>> 4).AsByte() & mask);
                var low = Avx2.Shuffle(l0, n0) ^ Avx2.Shuffle(l1, n1) ^ Avx2.Shuffle(l2, n2) ^ Avx2.Shuffle(l3, n3);
                var high = Avx2.Shuffle(h0, n0) ^ Avx2.Shuffle(h1, n1) ^ Avx2.Shuffle(h2, n2) ^ Avx2.Shuffle(h3, n3);
                (Vector256.LoadUnsafe(ref target, i) ^ low).StoreUnsafe(ref target, i);
                (Vector256.LoadUnsafe(ref target, i + 32) ^ high).StoreUnsafe(ref target, i + 32);
            }

            sources = ref Unsafe.Add(ref sources, stride);
        }
    }

    private static void WithTables128(ref byte target, int length, ref byte sources, int stride, ReadOnlySpan<GaloisMultiplier> factors)
    {
        var mask = Vector128.Create((byte)15);
        foreach (ref readonly var factor in factors)
        {
            ref var tables = ref Tables(in factor);
            var (l0, l1, l2, l3) = (Once(ref tables, 0), Once(ref tables, 16), Once(ref tables, 32), Once(ref tables, 48));
            var (h0, h1, h2, h3) = (Once(ref tables, 64), Once(ref tables, 80), Once(ref tables, 96), Once(ref tables, 112));
            for (nuint block = 0; block < (nuint)length; block += Block)
            {
                for (var i = block; i < block + 32; i += 16)
                {
                    var (a, b) = (Vector128.LoadUnsafe(ref sources, i), Vector128.LoadUnsafe(ref sources, i + 32));
                    var (n0, n1, n2, n3) = (a & mask, a >>> 4, b & mask, b >>> 4);
                    var low = Vector128.ShuffleNative(l0, n0) ^ Vector128.ShuffleNative(l1, n1) ^ Vector128.ShuffleNative(
                        l2, n2) ^ Vector128.ShuffleNative(l3, n3);
                    var high = Vector128.ShuffleNative(h0, n0) ^ Vector128.ShuffleNative(h1, n1) ^ Vector128.ShuffleNative(
                        h2, n2) ^ Vector128.ShuffleNative(h3, n3);
                    (Vector128.LoadUnsafe(ref target, i) ^ low).StoreUnsafe(ref target, i);
                    (Vector128.LoadUnsafe(ref target, i + 32) ^ high).StoreUnsafe(ref target, i + 32);
                }
            }

            sources = ref Unsafe.Add(ref sources, stride);
        }
    }

    private static void WithTables(ref byte target, int length, ref byte sources, int stride, ReadOnlySpan<GaloisMultiplier> factors)
    {
        foreach (ref readonly var factor in factors)
        {
            ReadOnlySpan<byte> tables = factor;
            for (var block = 0; block < length; block += Block)
            {
                for (var i = block; i < block + 32; i++)
                {
                    var (a, b) = (Unsafe.Add(ref sources, i), Unsafe.Add(ref sources, i + 32));
                    Unsafe.Add(
                        ref target, i) ^= (byte)(tables[a & 15] ^ tables[16 + (a >> 4)] ^ tables[32 + (b & 15)] ^ tables[48 + (b >> 4)]);
                    Unsafe.Add(ref target,
                        i + 32) ^= (byte)(tables[64 + (a & 15)] ^ tables[80 + (a >> 4)] ^ tables[96 + (b & 15)] ^ tables[112 + (b >> 4)]);
                }
            }

            sources = ref Unsafe.Add(ref sources, stride);
        }
    }

    private static ref byte Tables(in GaloisMultiplier factor) => ref Unsafe.As<GaloisMultiplier, byte>(ref Unsafe.AsRef(in factor));

    private static Vector128<byte> Once(ref byte tables, nuint offset) => Vector128.LoadUnsafe(ref tables, offset);

    private static Vector256<byte> Twice(ref byte tables, nuint offset) => Vector256.Create(Vector128.LoadUnsafe(ref tables, offset));
}
