using System.Collections.Concurrent;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Seeding;

/// <summary>Facts of .torrent files, read once each. Thread-safe.</summary>
internal sealed class FactsCache(BlobStore blobs)
{
    private readonly ConcurrentDictionary<BlobHash, TorrentFacts> _known = [];

    /// <summary>The facts of a .torrent; null if it cannot be read.</summary>
    public async ValueTask<TorrentFacts?> FindAsync(BlobHash metainfo, CancellationToken cancellationToken)
    {
        if (_known.TryGetValue(metainfo, out var known))
            return known;
        return await ReadAsync(metainfo, cancellationToken) is { } read ? _known.GetOrAdd(metainfo, TorrentFacts.Of(read.Info)) : null;
    }

    /// <summary>Reads a whole .torrent, uncached; null if it cannot be read.</summary>
    public async ValueTask<Metainfo?> ReadAsync(BlobHash metainfo, CancellationToken cancellationToken)
    {
        try
        {
            var bytes = await blobs.ReadAsync(metainfo, cancellationToken);
            return Metainfo.Read(bytes.Span).Value;
        }
        catch (CatalogException)
        {
            return null;
        }
    }

    /// <summary>Removes all other entries.</summary>
    public void KeepOnly(IReadOnlySet<BlobHash> needed)
    {
        foreach (var hash in _known.Keys)
        {
            if (!needed.Contains(hash))
                _known.TryRemove(hash, out _);
        }
    }
}
