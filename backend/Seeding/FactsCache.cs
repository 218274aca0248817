using System.Collections.Concurrent;
using System.Text;
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
        return await ReadAsync(metainfo, cancellationToken) is { } read ? _known.GetOrAdd(metainfo, TorrentFacts.Of(read)) : null;
    }

    /// <summary>Reads a whole .torrent, uncached; null if it cannot be read.</summary>
    public async ValueTask<Metainfo?> ReadAsync(BlobHash metainfo, CancellationToken cancellationToken) =>
        await BytesAsync(metainfo, cancellationToken) is { } bytes ? Metainfo.Read(bytes.Span).Value : null;

    /// <summary>Reads a magnet link, uncached; null if it cannot be read.</summary>
    public async ValueTask<MagnetLink?> ReadLinkAsync(BlobHash link, CancellationToken cancellationToken) =>
        await BytesAsync(link, cancellationToken) is { } bytes ? MagnetLink.Read(Encoding.UTF8.GetString(bytes.Span)).Value : null;

    /// <summary>Removes all other entries.</summary>
    public void KeepOnly(IReadOnlySet<BlobHash> needed)
    {
        foreach (var hash in _known.Keys)
        {
            if (!needed.Contains(hash))
                _known.TryRemove(hash, out _);
        }
    }

    private async ValueTask<ReadOnlyMemory<byte>?> BytesAsync(BlobHash hash, CancellationToken cancellationToken)
    {
        try
        {
            return await blobs.ReadAsync(hash, cancellationToken);
        }
        catch (CatalogException)
        {
            return null;
        }
    }
}
