using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace NzbDav.Catalog.Blobs;

/// <summary>The system's libzstd, as far as it is needed: streaming compression and decompression (zstd.h 1.4 and later).</summary>
internal static unsafe partial class Zstandard
{
    private const string Library = "libzstd.so.1";
    private const int CompressionLevel = 100;
    private const int ChecksumFlag = 201;

    private static readonly Lazy<bool> Loaded = new(
        static () => NativeLibrary.TryLoad(Library, out var handle) && NativeLibrary.TryGetExport(handle, "ZSTD_compressStream2", out _));

    /// <summary>False where the library is missing: compress with Brotli instead.</summary>
    public static bool IsAvailable => Loaded.Value;

    /// <summary>A context that compresses one frame with a checksum at its end.</summary>
    /// <param name="level">As <c>zstd -LEVEL</c>.</param>
    /// <param name="length">Exactly what will be compressed, in bytes; null when that is not known, which takes 3 MiB of tables, however
    /// little comes.</param>
    public static ZstandardContext CreateCompressor(int level, long? length = null)
    {
        var context = new ZstandardContext(ZSTD_createCCtx(), static handle => _ = ZSTD_freeCCtx(handle));
        ThrowIfError(ZSTD_CCtx_setParameter(context, CompressionLevel, level));
        ThrowIfError(ZSTD_CCtx_setParameter(context, ChecksumFlag, 1));
        if (length is { } known)
            ThrowIfError(ZSTD_CCtx_setPledgedSrcSize(context, (ulong)known));
        return context;
    }

    public static ZstandardContext CreateDecompressor() => new(ZSTD_createDCtx(), static handle => _ = ZSTD_freeDCtx(handle));

    /// <summary>
    /// Takes some of <paramref name="source"/>, gives some compressed bytes. With <paramref name="end"/>: call until 0 is returned.
    /// </summary>
    /// <returns>With <paramref name="end"/>, at least how many bytes are still to come; 0: the frame is complete.</returns>
    public static nuint Compress(
        ZstandardContext context, ReadOnlySpan<byte> source, Span<byte> target, bool end, out int consumed, out int written)
    {
        fixed (byte* from = source, to = target)
        {
            var input = new Window { Start = from, Size = (nuint)source.Length };
            var output = new Window { Start = to, Size = (nuint)target.Length };
            var left = ZSTD_compressStream2(context, ref output, ref input, end ? 2 : 0);
            ThrowIfError(left);
            consumed = (int)input.Position;
            written = (int)output.Position;
            return left;
        }
    }

    /// <summary>Takes some of <paramref name="source"/>, gives some decompressed bytes.</summary>
    /// <returns>0: a frame is complete.</returns>
    /// <exception cref="InvalidDataException">The input is not zstd, or its checksum is wrong.</exception>
    public static nuint Decompress(
        ZstandardContext context, ReadOnlySpan<byte> source, Span<byte> target, out int consumed, out int written)
    {
        fixed (byte* from = source, to = target)
        {
            var input = new Window { Start = from, Size = (nuint)source.Length };
            var output = new Window { Start = to, Size = (nuint)target.Length };
            var hint = ZSTD_decompressStream(context, ref output, ref input);
            ThrowIfError(hint);
            consumed = (int)input.Position;
            written = (int)output.Position;
            return hint;
        }
    }

    private static void ThrowIfError(nuint result)
    {
        if (ZSTD_isError(result) != 0)
            throw new InvalidDataException($"zstd: {Marshal.PtrToStringUTF8(ZSTD_getErrorName(result))}");
    }

    [LibraryImport(Library)]
    private static partial nint ZSTD_createCCtx();

    [LibraryImport(Library)]
    private static partial nuint ZSTD_freeCCtx(nint context);

    [LibraryImport(Library)]
    private static partial nuint ZSTD_CCtx_setParameter(ZstandardContext context, int parameter, int value);

    [LibraryImport(Library)]
    private static partial nuint ZSTD_CCtx_setPledgedSrcSize(ZstandardContext context, ulong length);

    [LibraryImport(Library)]
    private static partial nuint ZSTD_compressStream2(ZstandardContext context, ref Window output, ref Window input, int endOperation);

    [LibraryImport(Library)]
    private static partial nint ZSTD_createDCtx();

    [LibraryImport(Library)]
    private static partial nuint ZSTD_freeDCtx(nint context);

    [LibraryImport(Library)]
    private static partial nuint ZSTD_decompressStream(ZstandardContext context, ref Window output, ref Window input);

    [LibraryImport(Library)]
    private static partial uint ZSTD_isError(nuint code);

    [LibraryImport(Library)]
    private static partial nint ZSTD_getErrorName(nuint code);

    // ZSTD_inBuffer and ZSTD_outBuffer: same shape.
    [StructLayout(LayoutKind.Sequential)]
    private struct Window
    {
        public byte* Start;
        public nuint Size;
        public nuint Position;
    }
}

/// <summary>Owns a context of libzstd. Used by one caller at a time.</summary>
internal sealed class ZstandardContext : SafeHandleZeroOrMinusOneIsInvalid
{
    private readonly Action<nint> _free;

    public ZstandardContext(nint context, Action<nint> free)
        : base(ownsHandle: true)
    {
        _free = free;
        SetHandle(context);
        if (IsInvalid)
            throw new InvalidOperationException("libzstd has no memory for a context.");
    }

    protected override bool ReleaseHandle()
    {
        _free(handle);
        return true;
    }
}
