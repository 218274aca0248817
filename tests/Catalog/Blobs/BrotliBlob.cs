using System.IO.Compression;
using System.Security.Cryptography;
using NzbDav.Catalog.Blobs;

namespace NzbDav.Catalog.Tests.Blobs;

/// <summary>Blobs as earlier versions wrote them on machines without libzstd.</summary>
internal static class BrotliBlob
{
    /// <summary>The bytes of a file, or of a map's row.</summary>
    public static byte[] Encode(ReadOnlySpan<byte> content)
    {
        using var file = new MemoryStream();
        var header = new byte[BlobHeader.Size];
        new BlobHeader(BlobCodec.Brotli, content.Length).Write(header);
        file.Write(header);
        using (var brotli = new BrotliStream(file, CompressionLevel.Optimal, leaveOpen: true))
            brotli.Write(content);
        return file.ToArray();
    }

    /// <summary>Puts a file where a store finds it.</summary>
    public static async Task<StoredBlob> WriteAsync(BlobStore blobs, byte[] content)
    {
        var blob = new StoredBlob(BlobHash.Of(SHA256.HashData(content)), content.Length);
        var path = blobs.PathOf(blob.Hash);
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        await File.WriteAllBytesAsync(path, Encode(content));
        return blob;
    }
}
