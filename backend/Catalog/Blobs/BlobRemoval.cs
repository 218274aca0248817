using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Blobs;

/// <summary>Takes away blobs inside a write transaction that has just checked the references: no process can commit a reference in between, since that needs the same lock and checks for the blob too.</summary>
internal sealed class BlobRemoval(CatalogDatabase database, BlobStore blobs)
{
    /// <summary>Passes those of the blobs that nothing refers to, and that are not pinned, to <paramref name="take"/>.</summary>
    /// <param name="candidates">A few hundred at most.</param>
    /// <param name="take">Removes them and tells how many. May be called again, if the transaction failed because of another one.</param>
    /// <param name="cancellationToken">Cancels the wait for the writer.</param>
    public Task<int> TakeUnreferencedAsync(IReadOnlyCollection<BlobHash> candidates, Func<CatalogTransaction, IReadOnlyList<BlobHash>, int> take, CancellationToken cancellationToken)
    {
        if (candidates.Count == 0)
            return Task.FromResult(0);
        var texts = candidates.Select(static hash => hash.ToString()).ToArray();
        return database.WriteAsync(
            transaction =>
            {
                // Alone: it must see committed data only.
                transaction.LockReferences(alone: true);
                var referenced = transaction.All<string>($"SELECT hash FROM blob_references WHERE {transaction.Dialect.In("hash", "@texts")}", new { texts }).ToHashSet(StringComparer.Ordinal);
                BlobHash[] free = [.. candidates.Where(hash => !referenced.Contains(hash.ToString()) && !blobs.IsPinned(hash))];
                if (free.Length > 0)
                    return take(transaction, free);
                transaction.Abandon();
                return 0;
            },
            WriteKind.Alone,
            cancellationToken);
    }
}
