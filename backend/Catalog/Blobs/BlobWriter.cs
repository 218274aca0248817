using System.IO.Compression;
using System.Security.Cryptography;
using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Blobs;

/// <summary>Writes one blob file: header, then the content compressed and hashed on the way. Not thread-safe.</summary>
internal sealed class BlobWriter : IDisposable
{
    private readonly IncrementalHash _sha256 = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
    private readonly string _folder;
    private readonly BlobCodec _codec;
    private readonly FileStream _file;
    private readonly Stream _encoder;
    private long _length;

    /// <param name="path">A new file; its folder is made if it is missing.</param>
    /// <param name="codec">How to compress.</param>
    /// <param name="level">For zstd.</param>
    /// <param name="length">Exactly what will be appended, in bytes; null when that is not known.</param>
    /// <param name="wrapFile">Wraps the file below the compressor; null for no wrapper.</param>
    /// <exception cref="CatalogException">The disk is full or cannot be written.</exception>
    public BlobWriter(string path, BlobCodec codec, int level, long? length, Func<Stream, Stream>? wrapFile)
    {
        _folder = Path.GetDirectoryName(path)!;
        _codec = codec;
        try
        {
            Directory.CreateDirectory(_folder);
            _file = new FileStream(path, FileMode.CreateNew, FileAccess.Write, FileShare.None, bufferSize: 0);
            var target = wrapFile?.Invoke(_file) ?? _file;
            target.Write(stackalloc byte[BlobHeader.Size]);
            _encoder = codec == BlobCodec.Zstandard
                ? new ZstandardWriteStream(target, level, length)
                : new BrotliStream(target, CompressionLevel.Optimal, leaveOpen: true);
        }
        catch (Exception error)
        {
            _file?.Dispose();
            if (FileFaults.IsFault(error))
                throw FileFaults.WhileWriting(error, _folder);
            throw;
        }
    }

    /// <exception cref="CatalogException">The disk is full or cannot be written.</exception>
    public void Append(ReadOnlySpan<byte> content)
    {
        _sha256.AppendData(content);
        try
        {
            _encoder.Write(content);
        }
        catch (Exception error) when (FileFaults.IsFault(error))
        {
            throw FileFaults.WhileWriting(error, _folder);
        }

        _length += content.Length;
    }

    /// <summary>Completes the file.</summary>
    /// <param name="sync">Wait until the disk has it.</param>
    /// <exception cref="CatalogException">The disk is full or cannot be written.</exception>
    public StoredBlob Complete(bool sync)
    {
        try
        {
            // Only here: disposal must not complete an abandoned frame, or it would pass for a whole one.
            if (_encoder is ZstandardWriteStream zstandard)
                zstandard.Complete();
            _encoder.Dispose();
            Span<byte> header = stackalloc byte[BlobHeader.Size];
            new BlobHeader(_codec, _length).Write(header);
            _file.Position = 0;
            _file.Write(header);
            _file.Flush(flushToDisk: sync);
        }
        catch (Exception error) when (FileFaults.IsFault(error))
        {
            throw FileFaults.WhileWriting(error, _folder);
        }

        return new(BlobHash.Of(_sha256.GetHashAndReset()), _length);
    }

    public void Dispose()
    {
        // Brotli writes its end when disposed, which may fail again on the same disk. The file is deleted anyway.
        try
        {
            _encoder.Dispose();
        }
        catch (IOException)
        {
        }

        _file.Dispose();
        _sha256.Dispose();
    }
}
