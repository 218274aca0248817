using NzbDav.Catalog.Database;
using NzbDav.Catalog.Database.Postgres;

namespace NzbDav.Catalog.Blobs;

/// <summary>
/// Blobs as rows of a PostgreSQL database shared by several gateways, with a local cache of their files. Pins are known only in this
/// process; other gateways see when a blob was last put, which protects it for <see cref="BlobPlace.Grace"/>. Blobs that earlier versions
/// left in the local folder are read from there and copied into the database.
/// </summary>
internal sealed class ServerBlobs : BlobPlace
{
    private readonly CatalogDatabase _database;
    private readonly BlobPins _pins;
    private readonly FolderBlobs _former;

    /// <param name="database">The catalog.</param>
    /// <param name="engine">Its engine.</param>
    /// <param name="pins">This process's pins on blobs without a reference.</param>
    public ServerBlobs(CatalogDatabase database, PostgresEngine engine, BlobPins pins)
    {
        (_database, _pins) = (database, pins);
        var options = database.Options;
        Rows = new BlobRows(engine, database.Time);
        Cache = new BlobCache(options.BlobCacheFolder, options.BlobCacheBytes, database.Time, FetchAsync);
        Folder = options.BlobCacheFolder;
        _former = new FolderBlobs(options.BlobFolder, database.Time);
    }

    /// <inheritdoc/>
    public override string Folder { get; }

    /// <summary>The rows, for tests.</summary>
    internal BlobRows Rows { get; }

    /// <summary>The local files, for tests.</summary>
    internal BlobCache Cache { get; }

    /// <inheritdoc/>
    public override string PathOf(BlobHash hash) => Cache.PathOf(hash);

    /// <inheritdoc/>
    public override async ValueTask<bool> TryKeepAsync(BlobHash hash, long length, CancellationToken cancellationToken) =>
        await Rows.TouchAsync(hash, length, cancellationToken);

    /// <inheritdoc/>
    public override async Task<StoredBlob> FinishAsync(BlobWriter writer, string file, CancellationToken cancellationToken)
    {
        var blob = writer.Complete(sync: false);
        writer.Dispose();
        _pins.Add(blob.Hash);
        try
        {
            await using (var content = BlobFile.Open(file))
                await Rows.StoreAsync(blob, content, cancellationToken);
        }
        catch
        {
            _pins.Remove(blob.Hash);
            throw;
        }

        Cache.Adopt(file, blob.Hash);
        return blob;
    }

    /// <inheritdoc/>
    public override async ValueTask<bool> ExistsAsync(BlobHash hash, CancellationToken cancellationToken) =>
        await _database.ReadAsync(reader => reader.ScalarAsync<long>("SELECT COUNT(*) FROM blobs WHERE hash = @hash",
            new { hash = hash.ToString() }), cancellationToken) > 0 || _former.Exists(hash);

    /// <inheritdoc/>
    public override ValueTask<FileStream> OpenAsync(BlobHash hash, CancellationToken cancellationToken) =>
        Cache.OpenAsync(hash, cancellationToken);

    /// <inheritdoc/>
    public override void OnDamaged(BlobHash hash) => Cache.Remove(hash);

    /// <inheritdoc/>
    public override async ValueTask<bool> VerifyAsync(BlobHash hash, CancellationToken cancellationToken)
    {
        var copy = BlobFile.NewTemporary(Folder);
        try
        {
            Directory.CreateDirectory(Folder);
            await using (var file = new FileStream(
                copy, FileMode.CreateNew, FileAccess.Write, FileShare.None, bufferSize: 0, FileOptions.Asynchronous))
            {
                if (!await Rows.FetchAsync(hash, file, cancellationToken))
                    return false;
            }

            return BlobFile.IsSound(copy, hash);
        }
        catch (CatalogException error) when (error.Fault == CatalogFault.BlobDamaged)
        {
            return false;
        }
        finally
        {
            BlobFile.TryDelete(copy);
        }
    }

    /// <summary>
    /// Checks with an INSERT: unlike a query, it meets a blob that was put after the transaction began. The transaction then fails with a
    /// conflict and runs again (https://www.postgresql.org/docs/15/transaction-iso.html#XACT-REPEATABLE-READ). If a blob is missing, the
    /// inserted row is rolled back with the transaction, which cannot continue without the blob.
    /// </summary>
    /// <inheritdoc/>
    public override IReadOnlyList<BlobHash> Missing(CatalogTransaction transaction, IReadOnlyList<BlobHash> hashes)
    {
        var wanted = hashes.Where(hash => !_former.Exists(hash)).Select(static hash => hash.ToString()).ToArray();
        return wanted.Length == 0
            ? []
            : [.. transaction.All<string>(
                "INSERT INTO blobs (hash, length, size, touched) SELECT name, 0, 0, 0 FROM unnest(@wanted) AS name ON CONFLICT (hash) DO " +
                "NOTHING RETURNING hash", new { wanted }).Select(BlobHash.Parse)];
    }

    /// <summary>A blob put less than an hour ago stays until a sweep, because another gateway may be about to reference it.</summary>
    /// <inheritdoc/>
    public override int Remove(CatalogTransaction transaction, IReadOnlyList<BlobHash> hashes)
    {
        var texts = hashes.Select(static hash => hash.ToString()).ToArray();
        var removed = transaction.Execute("DELETE FROM blobs WHERE hash = ANY(@texts) AND touched <= @before",
            new { texts, before = (_database.Time.GetUtcNow() - Grace).UtcTicks });
        if (removed < texts.Length)
            transaction.Execute("UPDATE blobs SET expires = touched + @Ticks WHERE hash = ANY(@texts)", new { texts, Grace.Ticks });
        return removed;
    }

    /// <summary>Copies a blob that an earlier version left in the local folder into the database.</summary>
    /// <returns>False if the file does not exist.</returns>
    /// <exception cref="CatalogException">The file is damaged, or the database cannot be reached.</exception>
    public async Task<bool> AdoptLocalAsync(BlobHash hash, CancellationToken cancellationToken)
    {
        var path = _former.PathOf(hash);
        if (!File.Exists(path))
            return false;
        if (!BlobFile.IsSound(path, hash))
            throw BlobReadStream.Damaged(hash, $"{path} is not what its name says", inner: null);
        await using var file = BlobFile.Open(path);
        BlobFile.TryReadHeader(file, out var header);
        await Rows.StoreAsync(new StoredBlob(hash, header.Length), file, cancellationToken);
        return true;
    }

    private async Task FetchAsync(BlobHash hash, FileStream target, CancellationToken cancellationToken)
    {
        if (await Rows.FetchAsync(hash, target, cancellationToken)
            || (await AdoptLocalAsync(hash, cancellationToken) && await Rows.FetchAsync(hash, target, cancellationToken)))
            return;
        throw new CatalogException(CatalogFault.BlobMissing,
            $"The blob {hash} is not in the database. Put a backup of the database back, or import what it belongs to again.");
    }
}
