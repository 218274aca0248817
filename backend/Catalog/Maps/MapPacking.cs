using System.IO.Compression;
using System.Security.Cryptography;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Maps;

/// <summary>Small extent maps as the bytes of a row: those of a blob file, made in one step.</summary>
internal static class MapPacking
{
    private const int Level = 3;

    /// <summary>zstd adds at most 18 bytes of frame and 3 per 128 KiB to what does not shrink; Brotli less than 1 KiB.</summary>
    private const int Overhead = 1024;

    public static byte[] Pack(ReadOnlySpan<byte> content, BlobCodec codec)
    {
        var packed = new byte[BlobHeader.Size + content.Length + Overhead];
        new BlobHeader(codec, content.Length).Write(packed);
        var target = packed.AsSpan(BlobHeader.Size);
        int written;
        if (codec == BlobCodec.Zstandard)
        {
            using var context = Zstandard.CreateCompressor(Level);
            if (Zstandard.Compress(context, content, target, end: true, out _, out written) != 0)
                throw new InvalidOperationException("A frame exceeded its bound.");
        }
        else if (!BrotliEncoder.TryCompress(content, target, out written))
        {
            throw new InvalidOperationException("A stream exceeded its bound.");
        }

        return packed[..(BlobHeader.Size + written)];
    }

    /// <summary>The map's bytes, verified against their hash.</summary>
    /// <exception cref="CatalogException">They are damaged, or libzstd is missing.</exception>
    public static byte[] Unpack(BlobHash hash, ReadOnlySpan<byte> packed)
    {
        if (!BlobHeader.TryRead(packed, out var header) || header.Length > ExtentMapStore.LargestRow)
            throw BlobReadStream.Damaged(hash, "its header is not one", inner: null);
        BlobFile.ThrowIfUnreadable(hash, header);
        var content = new byte[header.Length];
        var written = Decompress(hash, header.Codec, packed[BlobHeader.Size..], content);
        return written == content.Length && BlobHash.Of(SHA256.HashData(content)) == hash
            ? content
            : throw BlobReadStream.Damaged(hash, "its content has another hash", inner: null);
    }

    private static int Decompress(BlobHash hash, BlobCodec codec, ReadOnlySpan<byte> source, Span<byte> target)
    {
        if (codec == BlobCodec.Brotli)
            return BrotliDecoder.TryDecompress(source, target, out var length) ? length : -1;
        try
        {
            using var context = Zstandard.CreateDecompressor();
            return Zstandard.Decompress(context, source, target, out _, out var written) == 0 ? written : -1;
        }
        catch (InvalidDataException error)
        {
            throw BlobReadStream.Damaged(hash, error.Message, error);
        }
    }
}
