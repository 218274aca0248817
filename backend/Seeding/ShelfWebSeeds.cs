using NzbDav.Catalog.Torrents;
using NzbDav.Torrents;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Seeding;

/// <summary>The web seeds of the user's torrents (BEP 19). The user may change them, even those of private torrents. Thread-safe.</summary>
public sealed class ShelfWebSeeds
{
    /// <summary>Most web seeds of a torrent: twice as many as a .torrent may have.</summary>
    public const int Most = 200;

    private readonly TorrentStore _store;
    private readonly ShelfBook _book;
    private readonly FactsCache _facts;
    private readonly TorrentEngine _engine;

    internal ShelfWebSeeds(TorrentStore store, ShelfBook book, FactsCache facts, TorrentEngine engine) =>
        (_store, _book, _facts, _engine) = (store, book, facts, engine);

    /// <summary>Lists the web seeds of a torrent: as the user changed them, otherwise those of its .torrent or link.</summary>
    /// <returns>Null if it is not in the list.</returns>
    public async ValueTask<IReadOnlyList<Uri>?> ListAsync(string hash, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(hash);
        return (await _book.ReadAsync(cancellationToken)).GetValueOrDefault(hash) is { Entry.Removed: null } slot
            ? await ListAsync(slot, cancellationToken) : null;
    }

    /// <summary>Changes the web seeds of a torrent. Takes effect at once and survives restarts.</summary>
    /// <param name="hash">The torrent.</param>
    /// <param name="change">Returns the new web seeds, given the old ones; null for no change. May be called more than once.</param>
    /// <param name="cancellationToken">Stops waiting for the catalog's writer.</param>
    /// <returns>False if it is not in the list or nothing was changed.</returns>
    public async Task<bool> ChangeAsync(
        string hash, Func<IReadOnlyList<Uri>, IReadOnlyList<Uri>?> change, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(change);
        if (await ListAsync(hash, cancellationToken) is not { } known)
            return false;
        var changed = await _store.UpdateAsync(
            [hash],
            entry => entry.Removed is null && change(entry.WebSeeds ?? known) is { } seeds ? entry with { WebSeeds = seeds } : entry,
            cancellationToken);
        foreach (var entry in changed)
            Apply(_engine, entry);
        return changed.Count > 0;
    }

    /// <summary>Applies stored web seeds to the engine.</summary>
    internal static void Apply(TorrentEngine engine, TorrentEntry entry)
    {
        if (InfoHash.TryParse(entry.Hash, out var hash))
            engine.UseWebSeeds(hash, entry.WebSeeds);
    }

    private async ValueTask<IReadOnlyList<Uri>> ListAsync(ShelfSlot slot, CancellationToken cancellationToken) =>
        slot.Entry.WebSeeds
        ?? (InfoHash.TryParse(slot.Entry.Hash, out var hash) ? _engine.Find(hash)?.ListWebSeeds() : null)
        ?? (slot.Source.Metainfo is { } metainfo ? (await _facts.ReadAsync(metainfo, cancellationToken))?.WebSeeds : null)
        ?? (slot.Source.Magnet is { } link ? (await _facts.ReadLinkAsync(link, cancellationToken))?.WebSeeds : null)
        ?? [];
}
