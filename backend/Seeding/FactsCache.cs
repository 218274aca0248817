using System.Collections.Concurrent;
using System.Text;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Torrents;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Seeding;

/// <summary>Caches the facts of .torrent files. Thread-safe.</summary>
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

    /// <summary>Removes all entries except these.</summary>
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

/// <summary>The facts of a .torrent that lists need, without its hashes. Immutable.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Size">Bytes of all files, without padding.</param>
/// <param name="PieceLength">Bytes of each piece except the last.</param>
/// <param name="Pieces">Number of pieces.</param>
/// <param name="IsPrivate">True if peers come from its tracker only (BEP 27).</param>
/// <param name="Files">Its files in order, including padding.</param>
/// <param name="Origin">What the .torrent says about its origin.</param>
internal sealed record TorrentFacts(
    string Name, long Size, int PieceLength, int Pieces, bool IsPrivate, IReadOnlyList<TorrentFile> Files, TorrentOrigin Origin)
{
    public static TorrentFacts Of(Metainfo metainfo)
    {
        var info = metainfo.Info;
        var size = info.Files.Where(static file => !file.IsPadding).Sum(static file => file.Length);
        return new TorrentFacts(info.Name, size, info.PieceLength, info.PieceCount, info.IsPrivate, info.Files, metainfo.Origin);
    }

    /// <summary>Applies what a magnet link selected: its other files are skipped, as if the user had set their priorities.</summary>
    public TorrentEntry Resolve(TorrentEntry entry)
    {
        if (entry.Selection is not { } text)
            return entry;
        var selected = FileSelection.Read(text)?.Select(Files) ?? [];
        return entry with
        {
            Files = [.. selected.Select(static isSelected => isSelected ? FilePriority.Normal : FilePriority.Skip)],
            Selection = null,
        };
    }

    /// <summary>The main file, which is the longest.</summary>
    public TorrentFile? Main => Files.Where(static file => !file.IsPadding).MaxBy(static file => file.Length);
}
