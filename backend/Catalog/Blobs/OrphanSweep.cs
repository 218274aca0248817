using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Blobs;

/// <summary>
/// One pass over the blob folder. Unreferenced blobs move to <c>blobs/quarantine/</c> and are deleted there after <see cref="Quarantine"/>; blobs that are
/// referred to again move back. Refuses when the orphans are so many that the database is likely not the one that the blobs belong to.
/// </summary>
internal sealed class OrphanSweep(CatalogDatabase database, BlobStore blobs, BlobCollector collector)
{
    /// <summary>How long a quarantined blob can come back.</summary>
    public static readonly TimeSpan Quarantine = TimeSpan.FromDays(30);

    /// <summary>The largest share of all blobs that one sweep may take, 0 … 1.</summary>
    private const double LargestPart = 0.1;

    /// <summary>Number of orphans that is always allowed, whatever their share: a few interrupted imports leave as many in a small library.</summary>
    private const int AlwaysAllowed = 16;

    /// <summary>Hashes in one query, and files moved while the write lock is held: a few milliseconds.</summary>
    private const int BatchSize = 256;

    /// <exception cref="CatalogException">The folder or the database cannot be read.</exception>
    public async Task<SweepResult> RunAsync(CancellationToken cancellationToken)
    {
        var root = new DirectoryInfo(blobs.Folder);
        if (!root.Exists)
            return new SweepResult { Blobs = 0, Orphans = 0 };
        try
        {
            var returned = await ReturnReferencedAsync(cancellationToken);
            var before = (database.Time.GetUtcNow() - BlobStore.Grace).UtcDateTime;
            var (count, orphans) = await FindOrphansAsync(root, before, cancellationToken);
            var found = new SweepResult { Blobs = count, Orphans = orphans.Count, Returned = returned };
            if (orphans.Count > AlwaysAllowed && orphans.Count > count * LargestPart)
                return found with { Refused = true };
            var quarantined = 0;
            foreach (var batch in orphans.Chunk(BatchSize))
                quarantined += await collector.QuarantineAsync(batch, before, cancellationToken);
            return found with { Quarantined = quarantined, Deleted = DeleteUnfinished(root, before) + await EmptyQuarantineAsync(cancellationToken) };
        }
        catch (Exception error) when (error is IOException and not CatalogException or UnauthorizedAccessException)
        {
            throw FileFaults.WhileWriting(error, blobs.Folder);
        }
    }

    private async Task<(int Blobs, List<BlobHash> Orphans)> FindOrphansAsync(DirectoryInfo root, DateTime before, CancellationToken cancellationToken)
    {
        var (count, old, orphans) = (0, new List<BlobHash>(), new List<BlobHash>());
        foreach (var shard in root.EnumerateDirectories().Where(folder => folder.Name.Length == 2))
        {
            foreach (var file in shard.EnumerateFiles("*", SearchOption.AllDirectories))
            {
                cancellationToken.ThrowIfCancellationRequested();
                if (!BlobHash.TryParse(file.Name, out var hash))
                    continue;
                count++;
                if (file.LastWriteTimeUtc < before)
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

    private async ValueTask<HashSet<BlobHash>> ReferencedAsync(IReadOnlyCollection<BlobHash> hashes, CancellationToken cancellationToken)
    {
        if (hashes.Count == 0)
            return [];
        var texts = hashes.Select(hash => hash.ToString()).ToArray();
        var found = await database.ReadAsync(
            reader => reader.AllAsync<string>($"SELECT hash FROM blob_references WHERE {database.Engine.Dialect.In("hash", "@texts")}", new { texts }), cancellationToken);
        return [.. found.Select(BlobHash.Parse)];
    }

    /// <summary>Returns blobs that were quarantined while a wrong database was in use and that the right one refers to.</summary>
    private async Task<int> ReturnReferencedAsync(CancellationToken cancellationToken)
    {
        var returned = 0;
        foreach (var batch in blobs.Quarantine.List().Select(file => file.Hash).Chunk(BatchSize))
        {
            foreach (var hash in await ReferencedAsync(batch, cancellationToken))
                returned += blobs.Quarantine.Return(hash) ? 1 : 0;
        }

        return returned;
    }

    private async Task<int> EmptyQuarantineAsync(CancellationToken cancellationToken)
    {
        var before = (database.Time.GetUtcNow() - Quarantine).UtcDateTime;
        var deleted = 0;
        foreach (var batch in blobs.Quarantine.List().Where(file => file.Since < before).Select(file => file.Hash).Chunk(BatchSize))
        {
            var referenced = await ReferencedAsync(batch, cancellationToken);
            deleted += batch.Count(hash => !referenced.Contains(hash) && BlobStore.TryDelete(blobs.Quarantine.PathOf(hash)));
        }

        return deleted;
    }

    private static int DeleteUnfinished(DirectoryInfo root, DateTime before) =>
        root.EnumerateFiles("*" + BlobStore.TemporarySuffix).Where(file => file.LastWriteTimeUtc < before).ToList().Count(file => BlobStore.TryDelete(file.FullName));
}
