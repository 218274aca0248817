using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Blobs;

/// <summary>Sweeps a folder. Its quarantine is <c>quarantine/</c> inside it.</summary>
internal sealed class FolderSweep(CatalogDatabase database, FolderBlobs blobs, BlobRemoval removal) : OrphanSweep(database)
{
    /// <inheritdoc/>
    public override async Task<SweepResult> RunAsync(CancellationToken cancellationToken)
    {
        if (!Directory.Exists(blobs.Folder))
            return new SweepResult { Blobs = 0, Orphans = 0 };
        try
        {
            return await base.RunAsync(cancellationToken);
        }
        catch (Exception error) when (error is IOException and not CatalogException or UnauthorizedAccessException)
        {
            throw FileFaults.WhileWriting(error, blobs.Folder);
        }
    }

    /// <summary>Returns blobs that were quarantined while a wrong database was in use and that the right one references.</summary>
    /// <inheritdoc/>
    protected override async Task<int> ReturnReferencedAsync(CancellationToken cancellationToken)
    {
        var returned = 0;
        foreach (var batch in blobs.Quarantine.List().Select(static file => file.Hash).Chunk(BatchSize))
        {
            foreach (var hash in await ReferencedAsync(batch, cancellationToken))
                returned += blobs.Quarantine.Return(hash) ? 1 : 0;
        }

        return returned;
    }

    /// <inheritdoc/>
    protected override async Task<(int Blobs, IReadOnlyList<BlobHash> Orphans)> FindOrphansAsync(
        DateTimeOffset before, CancellationToken cancellationToken)
    {
        var (count, old, orphans) = (0, new List<BlobHash>(), new List<BlobHash>());
        foreach (var shard in new DirectoryInfo(blobs.Folder).EnumerateDirectories().Where(static folder => folder.Name.Length == 2))
        {
            foreach (var file in shard.EnumerateFiles("*", SearchOption.AllDirectories))
            {
                cancellationToken.ThrowIfCancellationRequested();
                if (!BlobHash.TryParse(file.Name, out var hash))
                    continue;
                count++;
                if (file.LastWriteTimeUtc < before.UtcDateTime)
                    old.Add(hash);
                if (old.Count == BatchSize)
                    await JudgeAsync();
            }
        }

        await JudgeAsync();
        return (count, orphans);

        async Task JudgeAsync()
        {
            var referenced = await ReferencedAsync(old, cancellationToken);
            orphans.AddRange(old.Where(hash => !referenced.Contains(hash)));
            old.Clear();
        }
    }

    /// <inheritdoc/>
    protected override Task<int> QuarantineAsync(
        IReadOnlyList<BlobHash> orphans, DateTimeOffset before, CancellationToken cancellationToken) => removal.RemoveUnreferencedAsync(
        orphans,
        (transaction, free) =>
        {
            // The transaction is used only for its lock: a rollback does not move files back.
            transaction.Abandon();
            return free.Count(hash => blobs.Quarantine.TryQuarantine(hash, before.UtcDateTime));
        },
        cancellationToken);

    /// <inheritdoc/>
    protected override async Task<int> DeleteAsync(DateTimeOffset before, CancellationToken cancellationToken)
    {
        var deleted = new DirectoryInfo(blobs.Folder).EnumerateFiles("*" + BlobFile.TemporarySuffix)
            .Where(file => file.LastWriteTimeUtc < before.UtcDateTime).ToList()
            .Count(static file => BlobFile.TryDelete(file.FullName));
        var since = (Database.Time.GetUtcNow() - Quarantine).UtcDateTime;
        foreach (var batch in blobs.Quarantine.List().Where(file => file.Since < since).Select(static file => file.Hash).Chunk(BatchSize))
        {
            var referenced = await ReferencedAsync(batch, cancellationToken);
            deleted += batch.Count(hash => !referenced.Contains(hash) && BlobFile.TryDelete(blobs.Quarantine.PathOf(hash)));
        }

        return deleted;
    }
}
