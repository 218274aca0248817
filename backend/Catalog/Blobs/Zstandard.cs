using ZstdSharp;
using ZstdSharp.Unsafe;

namespace NzbDav.Catalog.Blobs;

/// <summary>
/// One-step zstd, and the contexts of its streams. Only these use the library, so that the one in .NET 11 can replace it.
/// </summary>
internal static class Zstandard
{
    /// <summary>Compresses into one frame with a checksum at its end.</summary>
    /// <param name="content">The bytes.</param>
    /// <param name="target">Must be longer than the content by 18 bytes, plus 3 for each 128 KiB.</param>
    /// <param name="level">As <c>zstd -LEVEL</c>.</param>
    /// <returns>Bytes written.</returns>
    public static int Compress(ReadOnlySpan<byte> content, Span<byte> target, int level)
    {
        using var compressor = CreateCompressor(level);
        return compressor.Wrap(content, target);
    }

    /// <returns>Bytes written.</returns>
    /// <exception cref="InvalidDataException">The source is not zstd, is damaged, or does not fit the target.</exception>
    public static int Decompress(ReadOnlySpan<byte> source, Span<byte> target)
    {
        try
        {
            using var decompressor = new Decompressor();
            return decompressor.Unwrap(source, target);
        }
        catch (ZstdException error)
        {
            throw Failed(error);
        }
    }

    /// <summary>Creates a context that compresses one frame with a checksum at its end. For one caller at a time.</summary>
    /// <param name="level">As <c>zstd -LEVEL</c>.</param>
    /// <param name="length">Exact number of bytes to compress; null if unknown, which costs 3 MiB of tables, however little is
    /// compressed.</param>
    public static Compressor CreateCompressor(int level, long? length = null)
    {
        var compressor = new Compressor(level);
        compressor.SetParameter(ZSTD_cParameter.ZSTD_c_checksumFlag, 1);
        if (length is { } known)
            compressor.SetPledgedSrcSize((ulong)known);
        return compressor;
    }

    public static InvalidDataException Failed(ZstdException error) => new($"zstd: {error.Message}", error);
}
