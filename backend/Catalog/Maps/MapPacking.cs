using System.IO.Compression;
using System.Security.Cryptography;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Maps;

/// <summary>Packs small extent maps into rows, in the format of a blob file.</summary>
internal static class MapPacking
{
    private const int Level = 3;

    /// <summary>Enough for incompressible data: zstd adds at most 18 bytes of frame and 3 per 128 KiB.</summary>
    private const int Overhead = 1024;

    public static byte[] Pack(ReadOnlySpan<byte> content)
    {
        var packed = new byte[BlobHeader.Size + content.Length + Overhead];
        new BlobHeader(BlobCodec.Zstandard, content.Length).Write(packed);
        var written = Zstandard.Compress(content, packed.AsSpan(BlobHeader.Size), Level);
        return packed[..(BlobHeader.Size + written)];
    }

    /// <summary>Unpacks a map and verifies it against its hash.</summary>
    /// <exception cref="CatalogException">They are damaged.</exception>
    public static byte[] Unpack(BlobHash hash, ReadOnlySpan<byte> packed)
    {
        if (!BlobHeader.TryRead(packed, out var header) || header.Length > ExtentMapStore.LargestRow)
            throw BlobReadStream.Damaged(hash, "its header is not one", inner: null);
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
            return Zstandard.Decompress(source, target);
        }
        catch (InvalidDataException error)
        {
            throw BlobReadStream.Damaged(hash, error.Message, error);
        }
    }
}
