using System.Runtime.InteropServices;

namespace NzbDav.Catalog.Tests.Blobs;

/// <summary>libzstd in one step, with or without a trained dictionary: an alternative that the catalog could use.</summary>
internal sealed partial class TrainedZstandard : IDisposable
{
    private const string Library = "libzstd.so.1";

    private readonly nint _compressor = ZSTD_createCCtx();
    private readonly nint _decompressor = ZSTD_createDCtx();
    private readonly nint _compressing;
    private readonly nint _decompressing;
    private readonly int _level;

    /// <param name="level">The level, as in <c>zstd -LEVEL</c>.</param>
    /// <param name="dictionary">A dictionary made by <see cref="Train"/>; null for none.</param>
    public TrainedZstandard(int level, byte[]? dictionary)
    {
        _level = level;
        if (dictionary is null)
            return;
        _compressing = ZSTD_createCDict(dictionary, (nuint)dictionary.Length, level);
        _decompressing = ZSTD_createDDict(dictionary, (nuint)dictionary.Length);
    }

    /// <summary>Trains a dictionary from samples.</summary>
    public static byte[] Train(IReadOnlyList<byte[]> samples, int size)
    {
        var dictionary = new byte[size];
        var made = ZDICT_trainFromBuffer(dictionary, (nuint)size, [.. samples.SelectMany(static sample => sample)],
            [.. samples.Select(static sample => (nuint)sample.Length)], (uint)samples.Count);
        Assert.Equal(0U, ZDICT_isError(made));
        return dictionary[..(int)made];
    }

    public byte[] Compress(byte[] content)
    {
        var target = new byte[content.Length + (content.Length >> 7) + 1024];
        var written = _compressing == 0
            ? ZSTD_compressCCtx(_compressor, target, (nuint)target.Length, content, (nuint)content.Length, _level)
            : ZSTD_compress_usingCDict(_compressor, target, (nuint)target.Length, content, (nuint)content.Length, _compressing);
        Assert.Equal(0U, ZSTD_isError(written));
        return target[..(int)written];
    }

    public byte[] Decompress(byte[] packed, int length)
    {
        var target = new byte[length];
        var written = _decompressing == 0
            ? ZSTD_decompressDCtx(_decompressor, target, (nuint)length, packed, (nuint)packed.Length)
            : ZSTD_decompress_usingDDict(_decompressor, target, (nuint)length, packed, (nuint)packed.Length, _decompressing);
        Assert.Equal((nuint)length, written);
        return target;
    }

    public void Dispose()
    {
        _ = ZSTD_freeCCtx(_compressor);
        _ = ZSTD_freeDCtx(_decompressor);
        _ = ZSTD_freeCDict(_compressing);
        _ = ZSTD_freeDDict(_decompressing);
    }

    [LibraryImport(Library)]
    private static partial nint ZSTD_createCCtx();

    [LibraryImport(Library)]
    private static partial nuint ZSTD_freeCCtx(nint context);

    [LibraryImport(Library)]
    private static partial nint ZSTD_createDCtx();

    [LibraryImport(Library)]
    private static partial nuint ZSTD_freeDCtx(nint context);

    [LibraryImport(Library)]
    private static partial nint ZSTD_createCDict(byte[] dictionary, nuint size, int level);

    [LibraryImport(Library)]
    private static partial nuint ZSTD_freeCDict(nint dictionary);

    [LibraryImport(Library)]
    private static partial nint ZSTD_createDDict(byte[] dictionary, nuint size);

    [LibraryImport(Library)]
    private static partial nuint ZSTD_freeDDict(nint dictionary);

    [LibraryImport(Library)]
    private static partial nuint ZSTD_compressCCtx(nint context, byte[] target, nuint room, byte[] source, nuint length, int level);

    [LibraryImport(Library)]
    private static partial nuint ZSTD_compress_usingCDict(
        nint context, byte[] target, nuint room, byte[] source, nuint length, nint dictionary);

    [LibraryImport(Library)]
    private static partial nuint ZSTD_decompressDCtx(nint context, byte[] target, nuint room, byte[] source, nuint length);

    [LibraryImport(Library)]
    private static partial nuint ZSTD_decompress_usingDDict(
        nint context, byte[] target, nuint room, byte[] source, nuint length, nint dictionary);

    [LibraryImport(Library)]
    private static partial uint ZSTD_isError(nuint code);

    [LibraryImport(Library)]
    private static partial nuint ZDICT_trainFromBuffer(byte[] dictionary, nuint room, byte[] samples, nuint[] sizes, uint count);

    [LibraryImport(Library)]
    private static partial uint ZDICT_isError(nuint code);
}
