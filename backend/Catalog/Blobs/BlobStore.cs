using System.Buffers;
using System.Security.Cryptography;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Database.Postgres;

namespace NzbDav.Catalog.Blobs;

/// <summary>
/// Stores content under its SHA-256, compressed, in a folder or in the database (<see cref="BlobPlace"/>). Blobs are written once, durable
/// when the write returns, and never changed. Thread-safe; other processes may use the same place at the same time.
/// </summary>
/// <remarks>
/// Store a blob first, and reference it afterwards in a transaction that checks that it still exists. A blob is removed only under the
/// database's write lock, when nothing references it (<see cref="BlobCollector"/>). So a crash in between leaves garbage at worst, never a
/// dangling reference.
/// </remarks>
public sealed class BlobStore
{
    // zstd's default: an .nzb shrinks to a third, because message-ids are random. Higher levels save 10 % at most (docs/benchmarks.md).
    private const int Level = 3;

    private readonly BlobPins _pins;

    /// <summary>The blobs of a catalog, in the place set by its options.</summary>
    public BlobStore(CatalogDatabase database)
    {
        ArgumentNullException.ThrowIfNull(database);
        var (options, time) = (database.Options, database.Time);
        _pins = new BlobPins(time, BlobPlace.Grace);
        Place = database.Engine is PostgresEngine server && options.HasBlobsInDatabase
            ? new ServerBlobs(database, server, _pins)
            : new FolderBlobs(options.BlobFolder, time, _pins, isShared: options.Connection is not null);
    }

    /// <summary>The blobs of a folder, without a database.</summary>
    internal BlobStore(CatalogOptions options, TimeProvider time)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(time);
        _pins = new BlobPins(time, BlobPlace.Grace);
        Place = new FolderBlobs(options.BlobFolder, time, _pins, isShared: false);
    }

    /// <summary>Wraps the file being written: lets tests fill the disk.</summary>
    internal Func<Stream, Stream>? WrapFile { get; set; }

    /// <summary>Where the blobs are stored.</summary>
    internal BlobPlace Place { get; }

    /// <inheritdoc cref="BlobPlace.Folder"/>
    internal string Folder => Place.Folder;

    /// <summary>Stores bytes. An existing blob is not written again.</summary>
    /// <exception cref="CatalogException">The disk is full or cannot be written, or the database cannot be reached.</exception>
    public async Task<StoredBlob> PutAsync(ReadOnlyMemory<byte> content, CancellationToken cancellationToken)
    {
        var hash = BlobHash.Of(SHA256.HashData(content.Span));

        // Pin before checking: an existing blob must not be removed before it is referenced.
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
    /// Stores a stream from its current position, in constant memory. A seekable stream must hold exactly as many bytes as its length says.
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

    /// <summary>
    /// Opens a blob for reading from beginning to end. Waits only for a blob that must be fetched from a database server. The caller
    /// disposes the stream.
    /// </summary>
    /// <param name="hash">The address.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <exception cref="CatalogException">The blob is missing or damaged, or the database cannot be reached. Reading the stream may throw
    /// it too.</exception>
    public ValueTask<Stream> OpenReadAsync(BlobHash hash, CancellationToken cancellationToken) =>
        OpenReadAsync(hash, verifyHash: true, cancellationToken);

    /// <inheritdoc cref="OpenReadAsync(BlobHash, CancellationToken)"/>
    /// <param name="hash">The address.</param>
    /// <param name="verifyHash">True to compute the hash while reading and compare it at the end. Length and (zstd) checksum are always
    /// compared.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    internal async ValueTask<Stream> OpenReadAsync(BlobHash hash, bool verifyHash, CancellationToken cancellationToken) =>
        BlobFile.Decode(hash, await Place.OpenAsync(hash, cancellationToken), verifyHash, () => Place.OnDamaged(hash));

    /// <summary>Reads a whole blob and verifies it against its hash.</summary>
    /// <param name="hash">The address.</param>
    /// <param name="cancellationToken">Stops between chunks.</param>
    /// <exception cref="CatalogException">The blob is missing or damaged, or the database cannot be reached.</exception>
    public async Task<ReadOnlyMemory<byte>> ReadAsync(BlobHash hash, CancellationToken cancellationToken)
    {
        await using var stream = await OpenReadAsync(hash, cancellationToken);
        if (stream.Length >= Array.MaxLength)
            throw BlobReadStream.Damaged(hash, $"it claims to have {stream.Length} bytes", inner: null);

        // The header may be wrong, so start with a bounded buffer and grow with the bytes actually read.
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

    /// <summary>Removes the pin of one caller that now references the blob. Pins of other callers stay.</summary>
    internal void Unpin(BlobHash hash) => _pins.Remove(hash);

    /// <summary>True while a caller that stored the blob has not referenced it yet.</summary>
    internal bool IsPinned(BlobHash hash) => _pins.Contains(hash);

    private async Task<StoredBlob> WriteAsync(long? length, Func<BlobWriter, Task> fill, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        var temporary = BlobFile.NewTemporary(Place.Folder);
        try
        {
            using var writer = new BlobWriter(temporary, Level, length, WrapFile);
            await fill(writer);
            return await Place.FinishAsync(writer, temporary, cancellationToken);
        }
        finally
        {
            // Gone already if it became a blob.
            BlobFile.TryDelete(temporary);
        }
    }
}

/// <summary>A blob that was put into the store.</summary>
/// <param name="Hash">Its address.</param>
/// <param name="Length">Bytes, uncompressed.</param>
public readonly record struct StoredBlob(BlobHash Hash, long Length);
