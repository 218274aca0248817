using System.Buffers.Binary;
using System.Globalization;
using System.IO.Compression;
using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Blobs;

/// <summary>A blob as a file: a <see cref="BlobHeader"/>, then the compressed content.</summary>
internal static class BlobFile
{
    /// <summary>
    /// Suffix of a file being written. Such files lie at the top of the folder, because a stream's address is known only at its end.
    /// </summary>
    public const string TemporarySuffix = ".tmp";

    /// <summary>A path for a file to be written.</summary>
    public static string NewTemporary(string folder) =>
        Path.Combine(folder, Guid.NewGuid().ToString("N", CultureInfo.InvariantCulture) + TemporarySuffix);

    /// <summary>Opens a file for reading. It may be replaced or deleted meanwhile.</summary>
    public static FileStream Open(string path) =>
        new(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, bufferSize: 0);

    /// <summary>Reads the header at the beginning of a file.</summary>
    /// <returns>False if there is none.</returns>
    public static bool TryReadHeader(Stream file, out BlobHeader header)
    {
        Span<byte> start = stackalloc byte[BlobHeader.Size];
        var got = file.ReadAtLeast(start, start.Length, throwOnEndOfStream: false);
        return BlobHeader.TryRead(start[..got], out header);
    }

    /// <summary>Opens the content of a file, to be read from beginning to end.</summary>
    /// <param name="hash">Its address.</param>
    /// <param name="file">The file at its beginning; disposed with the result, or if this throws.</param>
    /// <param name="verifyHash">See <see cref="BlobReadStream"/>.</param>
    /// <param name="damaged">Called when reading finds damage; may be null.</param>
    /// <exception cref="CatalogException">The header is damaged.</exception>
    public static BlobReadStream Decode(BlobHash hash, FileStream file, bool verifyHash, Action? damaged)
    {
        try
        {
            if (!TryReadHeader(file, out var header))
            {
                damaged?.Invoke();
                throw BlobReadStream.Damaged(hash, "its header is not one", inner: null);
            }

            Stream decoded = header.Codec == BlobCodec.Zstandard
                ? new ZstandardReadStream(file) : new BrotliStream(file, CompressionMode.Decompress);
            return new BlobReadStream(hash, header, decoded, verifyHash, damaged);
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }

    /// <summary>Reads a whole file and checks its content against its address.</summary>
    public static bool IsSound(string path, BlobHash hash)
    {
        var buffer = new byte[128 << 10];
        try
        {
            using var content = Decode(hash, Open(path), verifyHash: true, damaged: null);
            while (content.Read(buffer) > 0)
            {
            }

            return true;
        }
        catch (CatalogException error) when (error.Fault == CatalogFault.BlobDamaged)
        {
            return false;
        }
        catch (Exception error) when (error is not CatalogException and (IOException or UnauthorizedAccessException))
        {
            return false;
        }
    }

    /// <summary>Deletes a file. One that cannot be deleted is left for the next sweep.</summary>
    public static bool TryDelete(string path)
    {
        try
        {
            File.Delete(path);
            return true;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }
}

/// <summary>The first 13 bytes of a blob file: <c>NZDB</c>, the codec, the uncompressed length (little-endian).</summary>
internal readonly record struct BlobHeader(BlobCodec Codec, long Length)
{
    public const int Size = 13;

    public void Write(Span<byte> target)
    {
        "NZDB"u8.CopyTo(target);
        target[4] = (byte)Codec;
        BinaryPrimitives.WriteInt64LittleEndian(target[5..], Length);
    }

    /// <summary>False if this is not the beginning of a blob file.</summary>
    public static bool TryRead(ReadOnlySpan<byte> source, out BlobHeader header)
    {
        header = default;
        if (source.Length < Size || !source.StartsWith("NZDB"u8))
            return false;
        header = new((BlobCodec)source[4], BinaryPrimitives.ReadInt64LittleEndian(source[5..]));
        return header is { Codec: BlobCodec.Zstandard or BlobCodec.Brotli, Length: >= 0 };
    }
}

/// <summary>Compression of a blob file: the codec byte of its header.</summary>
internal enum BlobCodec : byte
{
    /// <summary>The frame carries a checksum, so every read is verified.</summary>
    Zstandard = 1,

    /// <summary>Only read: earlier versions wrote it where libzstd was missing.</summary>
    Brotli = 2,
}
