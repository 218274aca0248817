using System.Security.Cryptography;
using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Blobs;

/// <summary>Writes one blob file: header, then the content, compressed and hashed on the way. Not thread-safe.</summary>
internal sealed class BlobWriter : IDisposable
{
    private readonly IncrementalHash _sha256 = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
    private readonly string _folder;
    private readonly FileStream _file;
    private readonly ZstandardWriteStream _encoder;
    private long _length;

    /// <param name="path">A new file; its folder is created if it is missing.</param>
    /// <param name="level">As <c>zstd -LEVEL</c>.</param>
    /// <param name="length">Exact number of bytes to be appended; null if unknown.</param>
    /// <param name="wrapFile">Wraps the file below the compressor; null: no wrapper.</param>
    /// <exception cref="CatalogException">The disk is full or cannot be written.</exception>
    public BlobWriter(string path, int level, long? length, Func<Stream, Stream>? wrapFile)
    {
        _folder = Path.GetDirectoryName(path)!;
        try
        {
            Directory.CreateDirectory(_folder);
            _file = new FileStream(path, FileMode.CreateNew, FileAccess.Write, FileShare.None, bufferSize: 0);
            var target = wrapFile?.Invoke(_file) ?? _file;
            target.Write(stackalloc byte[BlobHeader.Size]);
            _encoder = new ZstandardWriteStream(target, level, length);
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
    /// <param name="sync">True to wait until the data is on disk.</param>
    /// <exception cref="CatalogException">The disk is full or cannot be written.</exception>
    public StoredBlob Complete(bool sync)
    {
        try
        {
            // Only here: disposal must not complete an abandoned frame, or the file would pass for a whole one.
            _encoder.Complete();
            Span<byte> header = stackalloc byte[BlobHeader.Size];
            new BlobHeader(BlobCodec.Zstandard, _length).Write(header);
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
        _encoder.Dispose();
        _file.Dispose();
        _sha256.Dispose();
    }
}
