using System.Buffers;
using System.Globalization;
using System.IO.Compression;
using System.Security.Cryptography;
using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Blobs;

/// <summary>
/// Files addressed by the SHA-256 of their content, compressed, in <c>blobs/ab/cd/abcd…</c>. Written once, durable when the
/// write returns, never changed. Thread-safe; other processes may use the same folder at the same time.
/// </summary>
/// <remarks>
/// A blob is stored first and referred to afterwards, in a transaction that checks that it still exists; it is removed only
/// under the database's write lock, when nothing refers to it (<see cref="BlobCollector"/>). So a crash in between leaves garbage at
/// worst, never a dangling reference.
/// </remarks>
public sealed class BlobStore
{
    /// <summary>Suffix of a file being written. They lie at the top, since a stream's address is known only at its end.</summary>
    internal const string TemporarySuffix = ".tmp";

    /// <summary>How long a stored blob without a reference is safe from removal.</summary>
    internal static readonly TimeSpan Grace = TimeSpan.FromHours(1);

    // zstd's default: an .nzb shrinks to a third, as message-ids are random. Higher levels save 10 % at most (docs/benchmarks.md).
    private const int Level = 3;

    private readonly string _folder;
    private readonly TimeProvider _time;
    private readonly BlobCodec _codec;
    private readonly BlobPins _pins;

    public BlobStore(CatalogOptions options, TimeProvider time)
        : this(options, time, Zstandard.IsAvailable ? BlobCodec.Zstandard : BlobCodec.Brotli)
    {
    }

    internal BlobStore(CatalogOptions options, TimeProvider time, BlobCodec codec)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(time);
        _folder = options.BlobFolder;
        _time = time;
        _codec = codec;
        _pins = new BlobPins(time, Grace);
        Quarantine = new BlobQuarantine(this, time);
    }

    /// <summary>Wraps the file being written: lets tests fill the disk.</summary>
    internal Func<Stream, Stream>? WrapFile { get; set; }

    internal string Folder => _folder;

    internal BlobCodec Codec => _codec;

    internal BlobQuarantine Quarantine { get; }

    /// <summary>Stores bytes. A blob that already exists is not written again.</summary>
    /// <exception cref="CatalogException">The disk is full or cannot be written.</exception>
    public Task<StoredBlob> PutAsync(ReadOnlyMemory<byte> content, CancellationToken cancellationToken)
    {
        var hash = BlobHash.Of(SHA256.HashData(content.Span));

        // Pinned before looking: what is there now must not be removed before it is referred to.
        _pins.Add(hash);
        if (TryKeep(hash, content.Length))
            return Task.FromResult(new StoredBlob(hash, content.Length));
        _pins.Remove(hash);
        return WriteAsync(
            content.Length,
            writer =>
            {
                writer.Append(content.Span);
                return Task.CompletedTask;
            },
            cancellationToken);
    }

    /// <summary>Stores a stream from its position on, in constant memory. A seekable stream must hold exactly as much as its length says.</summary>
    /// <exception cref="CatalogException">The disk is full or cannot be written.</exception>
    public Task<StoredBlob> PutAsync(Stream content, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(content);
        return WriteAsync(
            content.CanSeek ? content.Length - content.Position : null,
            async writer =>
            {
                var buffer = ArrayPool<byte>.Shared.Rent(128 << 10);
                try
                {
                    int read;
                    while ((read = await content.ReadAsync(buffer, cancellationToken)) > 0)
                        writer.Append(buffer.AsSpan(0, read));
                }
                finally
                {
                    ArrayPool<byte>.Shared.Return(buffer);
                }
            },
            cancellationToken);
    }

    /// <summary>True if the blob exists; its content is not checked.</summary>
    public bool Exists(BlobHash hash) => File.Exists(PathOf(hash));

    /// <summary>Opens a blob for reading from its beginning to its end. The caller disposes the stream.</summary>
    /// <param name="hash">The address.</param>
    /// <param name="verifyHash">Compute the hash while reading and compare it at the end. Length and (zstd) checksum are always compared.</param>
    /// <exception cref="CatalogException">The blob is missing or damaged; reading the stream may throw it too.</exception>
    public Stream OpenRead(BlobHash hash, bool verifyHash = true)
    {
        var file = OpenFile(hash);
        try
        {
            Span<byte> start = stackalloc byte[BlobHeader.Size];
            var got = file.ReadAtLeast(start, start.Length, throwOnEndOfStream: false);
            if (!BlobHeader.TryRead(start[..got], out var header))
                throw BlobReadStream.Damaged(hash, "its header is not one", inner: null);
            ThrowIfUnreadable(hash, header);
            Stream decoded = header.Codec == BlobCodec.Zstandard ? new ZstandardReadStream(file) : new BrotliStream(file, CompressionMode.Decompress);
            return new BlobReadStream(hash, header, decoded, verifyHash);
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }

    /// <summary>The whole of a blob, verified against its hash.</summary>
    /// <param name="hash">The address.</param>
    /// <param name="cancellationToken">Stops between chunks.</param>
    /// <exception cref="CatalogException">The blob is missing or damaged.</exception>
    public async Task<ReadOnlyMemory<byte>> ReadAsync(BlobHash hash, CancellationToken cancellationToken)
    {
        await using var stream = OpenRead(hash);
        if (stream.Length >= Array.MaxLength)
            throw BlobReadStream.Damaged(hash, $"it claims to have {stream.Length} bytes", inner: null);

        // The header may be wrong: begin with a bounded buffer and grow with the bytes actually read.
        var buffer = new byte[(int)Math.Min(stream.Length + 1, 16 << 20)];
        var length = 0;
        int read;
        while ((read = await stream.ReadAsync(buffer.AsMemory(length), cancellationToken)) > 0)
        {
            length += read;
            if (length == buffer.Length)
                Array.Resize(ref buffer, (int)Math.Min(buffer.Length * 2L, stream.Length + 1));
        }

        return buffer.AsMemory(0, length);
    }

    /// <exception cref="CatalogException">libzstd is needed and missing.</exception>
    internal static void ThrowIfUnreadable(BlobHash hash, BlobHeader header)
    {
        if (header.Codec == BlobCodec.Zstandard && !Zstandard.IsAvailable)
            throw new CatalogException(CatalogFault.Storage, $"The blob {hash} is compressed with zstd. Install libzstd (Debian: libzstd1).");
    }

    internal string PathOf(BlobHash hash)
    {
        var hex = hash.ToString();
        return Path.Combine(_folder, hex[..2], hex[2..4], hex);
    }

    /// <summary>One of the callers that stored the blob refers to it now. It stays pinned for the others.</summary>
    internal void Unpin(BlobHash hash) => _pins.Remove(hash);

    /// <summary>True while a caller that stored it has not yet referred to it.</summary>
    internal bool IsPinned(BlobHash hash) => _pins.Contains(hash);

    /// <summary>Removes a blob. The caller holds the database's write lock and knows that nothing refers to it.</summary>
    /// <returns>False if it was not there or could not be removed.</returns>
    internal bool Remove(BlobHash hash)
    {
        var path = PathOf(hash);
        return File.Exists(path) && TryDelete(path);
    }

    /// <summary>Deletes a file. One that cannot be deleted is left for the next sweep.</summary>
    internal static bool TryDelete(string path)
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

    /// <summary>True if the blob is there with the right length; it is then as safe as one just put.</summary>
    private bool TryKeep(BlobHash hash, long length)
    {
        var path = PathOf(hash);
        try
        {
            using var file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, BlobHeader.Size);
            Span<byte> start = stackalloc byte[BlobHeader.Size];
            var got = file.ReadAtLeast(start, start.Length, throwOnEndOfStream: false);
            if (!BlobHeader.TryRead(start[..got], out var header) || header.Length != length)
                return false;
            File.SetLastWriteTimeUtc(path, _time.GetUtcNow().UtcDateTime);
            return true;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }

    private async Task<StoredBlob> WriteAsync(long? length, Func<BlobWriter, Task> fill, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        var temporary = Path.Combine(_folder, Guid.NewGuid().ToString("N", CultureInfo.InvariantCulture) + TemporarySuffix);
        try
        {
            using var writer = new BlobWriter(temporary, _codec, Level, length, WrapFile);
            await fill(writer);

            // A thread of its own waits for the disk, which may take a second: on two cores two of the pool's threads are all that answers requests.
            return await Task.Factory.StartNew(() => Finish(writer, temporary), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        }
        finally
        {
            // Not there any more if it has found its place.
            TryDelete(temporary);
        }
    }

    private StoredBlob Finish(BlobWriter writer, string temporary)
    {
        var blob = writer.Complete();
        writer.Dispose();
        _pins.Add(blob.Hash);
        try
        {
            if (!TryKeep(blob.Hash, blob.Length))
                Place(temporary, blob.Hash);
        }
        catch
        {
            _pins.Remove(blob.Hash);
            throw;
        }

        return blob;
    }

    private void Place(string temporary, BlobHash hash)
    {
        var path = PathOf(hash);
        var shard = Path.GetDirectoryName(path)!;
        var above = Path.GetDirectoryName(shard)!;
        try
        {
            MakeFolder(above, _folder);
            MakeFolder(shard, above);
            File.SetLastWriteTimeUtc(temporary, _time.GetUtcNow().UtcDateTime);
            File.Move(temporary, path, overwrite: true);
            DirectorySync.Flush(shard);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw FileFaults.WhileWriting(error, _folder);
        }
    }

    private static void MakeFolder(string path, string parent)
    {
        if (Directory.Exists(path))
            return;
        Directory.CreateDirectory(path);
        DirectorySync.Flush(parent);
    }

    private FileStream OpenFile(BlobHash hash)
    {
        try
        {
            return new FileStream(PathOf(hash), FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, bufferSize: 0);
        }
        catch (Exception error) when (error is FileNotFoundException or DirectoryNotFoundException)
        {
            throw new CatalogException(CatalogFault.BlobMissing, $"The blob {hash} is not in '{_folder}'. Put the folder back from a backup, or import what it belongs to again.", error);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new CatalogException(CatalogFault.Storage, $"The blob {hash} cannot be read ({error.Message}).", error);
        }
    }
}
