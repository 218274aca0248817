using System.IO.Compression;
using NzbDav.Catalog.Blobs;

namespace NzbDav.Migration.Packed;

/// <summary>Reads other programs' files, plain or compressed, up to a size limit.</summary>
internal static class BoundedBytes
{
    /// <summary>Longest .nzb, unpacked: 700,000 articles are some 100 MB.</summary>
    public const long LongestNzb = 1L << 30;

    private static ReadOnlySpan<byte> ZstdMagic => [0x28, 0xB5, 0x2F, 0xFD];

    private static ReadOnlySpan<byte> GzipMagic => [0x1F, 0x8B];

    /// <summary>True for zstd, by its magic number.</summary>
    public static bool IsZstd(ReadOnlySpan<byte> head) => head.StartsWith(ZstdMagic);

    /// <summary>Opens a file, unpacked if it is zstd or gzip, whatever it is called.</summary>
    /// <exception cref="IOException">It cannot be read.</exception>
    public static Stream Open(string path)
    {
        var file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        try
        {
            Span<byte> head = stackalloc byte[4];
            var read = file.ReadAtLeast(head, head.Length, throwOnEndOfStream: false);
            file.Position = 0;
            if (IsZstd(head[..read]))
                return new ZstandardReadStream(file);
            return head[..read].StartsWith(GzipMagic) ? new GZipStream(file, CompressionMode.Decompress) : file;
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }

    /// <summary>All bytes of a file, unpacked.</summary>
    /// <exception cref="IOException">It cannot be read.</exception>
    /// <exception cref="InvalidDataException">It is damaged, or longer than <paramref name="longest"/>.</exception>
    public static byte[] Read(string path, int longest)
    {
        using var stream = Open(path);
        return Read(stream, longest);
    }

    /// <inheritdoc cref="Read(string, int)"/>
    public static byte[] Read(Stream stream, int longest)
    {
        using var bytes = new MemoryStream();
        var buffer = new byte[64 << 10];
        for (int read; (read = stream.Read(buffer)) > 0;)
        {
            if (bytes.Length + read > longest)
                throw new InvalidDataException($"it is longer than {longest >> 20} MiB.");
            bytes.Write(buffer, 0, read);
        }

        return bytes.ToArray();
    }

    /// <summary>Unpacks zstd in memory.</summary>
    /// <exception cref="InvalidDataException">It is damaged, or longer than <paramref name="longest"/>.</exception>
    public static byte[] Unpack(byte[] packed, int longest)
    {
        using var stream = new ZstandardReadStream(new MemoryStream(packed));
        return Read(stream, longest);
    }
}
