using System.Buffers;
using System.Security.Cryptography;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Database.Postgres;

namespace NzbDav.Catalog.Blobs;

/// <summary>
/// Content addressed by its SHA-256, compressed, in a folder or in the database (<see cref="BlobPlace"/>). Written once, durable when the
/// write returns, never changed. Thread-safe; other processes may use the same place at the same time.
/// </summary>
/// <remarks>
/// A blob is stored first and referred to afterwards, in a transaction that checks that it still exists; it is removed only
/// under the database's write lock, when nothing refers to it (<see cref="BlobCollector"/>). So a crash in between leaves garbage at
/// worst, never a dangling reference.
/// </remarks>
public sealed class BlobStore
{
    // zstd's default: an .nzb shrinks to a third, as message-ids are random. Higher levels save 10 % at most (docs/benchmarks.md).
    private const int Level = 3;

    private readonly BlobPins _pins;

    /// <summary>The blobs of a catalog, where its options say.</summary>
    public BlobStore(CatalogDatabase database)
    {
        ArgumentNullException.ThrowIfNull(database);
        var (options, time) = (database.Options, database.Time);
        _pins = new BlobPins(time, BlobPlace.Grace);
        Codec = BestCodec;
        Place = database.Engine is PostgresEngine server && options.HasBlobsInDatabase
            ? new ServerBlobs(database, server, _pins)
            : new FolderBlobs(options.BlobFolder, time, _pins, isShared: options.Connection is not null);
    }

    /// <summary>The blobs in a folder, without a database.</summary>
    internal BlobStore(CatalogOptions options, TimeProvider time)
        : this(options, time, BestCodec)
    {
    }

    /// <inheritdoc cref="BlobStore(CatalogOptions, TimeProvider)"/>
    internal BlobStore(CatalogOptions options, TimeProvider time, BlobCodec codec)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(time);
        _pins = new BlobPins(time, BlobPlace.Grace);
        Codec = codec;
        Place = new FolderBlobs(options.BlobFolder, time, _pins, isShared: false);
    }

    /// <summary>Wraps the file being written: lets tests fill the disk.</summary>
    internal Func<Stream, Stream>? WrapFile { get; set; }

    /// <summary>Where they are.</summary>
    internal BlobPlace Place { get; }

    internal BlobCodec Codec { get; }

    /// <inheritdoc cref="BlobPlace.Folder"/>
    internal string Folder => Place.Folder;

    private static BlobCodec BestCodec => Zstandard.IsAvailable ? BlobCodec.Zstandard : BlobCodec.Brotli;

    /// <summary>Stores bytes. A blob that already exists is not written again.</summary>
    /// <exception cref="CatalogException">The disk is full or cannot be written, or the database cannot be reached.</exception>
    public async Task<StoredBlob> PutAsync(ReadOnlyMemory<byte> content, CancellationToken cancellationToken)
    {
        var hash = BlobHash.Of(SHA256.HashData(content.Span));

        // Pinned before looking: what is there now must not be removed before it is referred to.
        _pins.Add(hash);
        var isKept = false;
        try
        {
            isKept = await Place.TryKeepAsync(hash, content.Length, cancellationToken);
        }
        finally
        {
            if (!isKept)
                _pins.Remove(hash);
        }

        if (isKept)
            return new StoredBlob(hash, content.Length);
        return await WriteAsync(
            content.Length,
            writer =>
            {
                writer.Append(content.Span);
                return Task.CompletedTask;
            },
            cancellationToken);
    }

    /// <summary>
    /// Stores a stream from its position on, in constant memory. A seekable stream must hold exactly as much as its length says.
    /// </summary>
    /// <exception cref="CatalogException">The disk is full or cannot be written, or the database cannot be reached.</exception>
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
    /// <exception cref="CatalogException">The database cannot be reached.</exception>
    public ValueTask<bool> ExistsAsync(BlobHash hash, CancellationToken cancellationToken) => Place.ExistsAsync(hash, cancellationToken);

    /// <summary>Opens a blob for reading from its beginning to its end. Waits only for a blob that has to be fetched from a database
    /// server. The caller disposes the stream.</summary>
    /// <param name="hash">The address.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <exception cref="CatalogException">The blob is missing or damaged, or the database cannot be reached; reading the stream may throw
    /// it too.</exception>
    public ValueTask<Stream> OpenReadAsync(BlobHash hash, CancellationToken cancellationToken) =>
        OpenReadAsync(hash, verifyHash: true, cancellationToken);

    /// <inheritdoc cref="OpenReadAsync(BlobHash, CancellationToken)"/>
    /// <param name="hash">The address.</param>
    /// <param name="verifyHash">Compute the hash while reading and compare it at the end. Length and (zstd) checksum are always
    /// compared.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    internal async ValueTask<Stream> OpenReadAsync(BlobHash hash, bool verifyHash, CancellationToken cancellationToken) =>
        BlobFile.Decode(hash, await Place.OpenAsync(hash, cancellationToken), verifyHash, () => Place.OnDamaged(hash));

    /// <summary>The whole of a blob, verified against its hash.</summary>
    /// <param name="hash">The address.</param>
    /// <param name="cancellationToken">Stops between chunks.</param>
    /// <exception cref="CatalogException">The blob is missing or damaged, or the database cannot be reached.</exception>
    public async Task<ReadOnlyMemory<byte>> ReadAsync(BlobHash hash, CancellationToken cancellationToken)
    {
        await using var stream = await OpenReadAsync(hash, cancellationToken);
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

    /// <inheritdoc cref="BlobPlace.PathOf"/>
    internal string PathOf(BlobHash hash) => Place.PathOf(hash);

    /// <summary>One of the callers that stored the blob refers to it now. It stays pinned for the others.</summary>
    internal void Unpin(BlobHash hash) => _pins.Remove(hash);

    /// <summary>True while a caller that stored it has not yet referred to it.</summary>
    internal bool IsPinned(BlobHash hash) => _pins.Contains(hash);

    private async Task<StoredBlob> WriteAsync(long? length, Func<BlobWriter, Task> fill, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        var temporary = BlobFile.NewTemporary(Place.Folder);
        try
        {
            using var writer = new BlobWriter(temporary, Codec, Level, length, WrapFile);
            await fill(writer);
            return await Place.FinishAsync(writer, temporary, cancellationToken);
        }
        finally
        {
            // Not there any more if it has found its place.
            BlobFile.TryDelete(temporary);
        }
    }
}

/// <summary>What was put into the blob store.</summary>
/// <param name="Hash">Its address.</param>
/// <param name="Length">Bytes, uncompressed.</param>
public readonly record struct StoredBlob(BlobHash Hash, long Length);
