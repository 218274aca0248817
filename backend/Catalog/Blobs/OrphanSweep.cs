using Dapper;

namespace NzbDav.Catalog;

/// <summary>
/// One pass over the blob folder. What nothing refers to goes to <c>blobs/quarantine/</c> and is deleted there after <see cref="Quarantine"/>; what is
/// referred to again comes back. Refuses when the orphans are so many that the database is likely not the one that the blobs belong to.
/// </summary>
internal sealed class OrphanSweep(CatalogDatabase database, BlobStore blobs, BlobCollector collector)
{
    /// <summary>How long a quarantined blob can come back.</summary>
    public static readonly TimeSpan Quarantine = TimeSpan.FromDays(30);

    /// <summary>The largest part of all blobs that one sweep takes.</summary>
    private const double LargestPart = 0.1;

    /// <summary>Never too many, whatever part of all they are: a few interrupted imports leave as much in a small library.</summary>
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
            connection => connection.Query<string>("SELECT hash FROM blob_references WHERE hash IN @texts", new { texts }).AsList(), cancellationToken);
        return [.. found.Select(BlobHash.Parse)];
    }

    /// <summary>After a start on another database the right one is back: so is what the wrong one did not know.</summary>
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
