using NzbDav.Catalog.Torrents;
using NzbDav.Torrents;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Sessions;

namespace NzbDav.Seeding;

/// <summary>
/// The trackers of the user's torrents, by tier (BEP 12). The user may change them, even those of private torrents. Thread-safe.
/// </summary>
public sealed class ShelfTrackers
{
    /// <summary>Most trackers of a torrent: as many as a .torrent may have.</summary>
    private const int MostTrackers = 200;

    private readonly TorrentShelf _shelf;
    private readonly TorrentSessions _sessions;

    internal ShelfTrackers(TorrentShelf shelf, TorrentSessions sessions)
    {
        _shelf = shelf;
        _sessions = sessions;
    }

    /// <summary>Lists the trackers of a torrent: as the user changed them, otherwise those of its .torrent or link.</summary>
    /// <returns>Null if it is not in the list.</returns>
    public async ValueTask<IReadOnlyList<IReadOnlyList<Uri>>?> ListAsync(string hash, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(hash);
        return await _shelf.FindAsync(hash, cancellationToken) is { } torrent ? await ListAsync(torrent.Entry, cancellationToken) : null;
    }

    /// <summary>Changes the trackers of a torrent. Takes effect at once and survives restarts.</summary>
    /// <param name="hash">The torrent.</param>
    /// <param name="change">Returns the new trackers, given the old ones; null for no change. May be called more than once.</param>
    /// <param name="cancellationToken">Stops waiting for the catalog's writer.</param>
    /// <returns>False if it is not in the list or nothing was changed.</returns>
    public async Task<bool> ChangeAsync(string hash, Func<IReadOnlyList<IReadOnlyList<Uri>>, IReadOnlyList<IReadOnlyList<Uri>>?> change,
        CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(change);
        if (await ListAsync(hash, cancellationToken) is not { } known)
            return false;
        return await _shelf.UpdateAsync(
            [hash], entry => change(entry.Trackers ?? known) is { } tiers ? entry with { Trackers = tiers } : entry, cancellationToken) > 0;
    }

    /// <summary>
    /// Adds the trackers with which a torrent was added again: they may know other peers. Those of a private torrent stay unchanged,
    /// because its peers must not come from elsewhere (BEP 27).
    /// </summary>
    /// <returns>False if nothing was added.</returns>
    public async Task<bool> MergeAsync(TorrentView torrent, IReadOnlyList<IReadOnlyList<Uri>> more, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(torrent);
        ArgumentNullException.ThrowIfNull(more);
        if (torrent.IsPrivate)
            return false;
        var asked = more.Index().SelectMany(static tier => tier.Item.Select(tracker => (tracker, tier.Index))).ToArray();
        return await ChangeAsync(torrent.Entry.Hash, tiers => Merge(tiers, asked), cancellationToken);
    }

    /// <summary>Adds the trackers that are new, up to <see cref="MostTrackers"/> in total.</summary>
    /// <param name="tiers">The current trackers, by tier.</param>
    /// <param name="asked">The new trackers, each with the index of its tier.</param>
    /// <returns>Null if there is nothing to add.</returns>
    public static IReadOnlyList<IReadOnlyList<Uri>>? Merge(
        IReadOnlyList<IReadOnlyList<Uri>> tiers, IReadOnlyList<(Uri Tracker, int Tier)> asked)
    {
        ArgumentNullException.ThrowIfNull(tiers);
        ArgumentNullException.ThrowIfNull(asked);
        var all = tiers.Select(static tier => tier.ToList()).ToList();
        var known = tiers.SelectMany(static tier => tier).ToHashSet();
        var before = known.Count;
        foreach (var (tracker, tier) in asked)
        {
            if (known.Count >= MostTrackers || !known.Add(tracker))
                continue;
            while (all.Count <= tier)
                all.Add([]);
            all[tier].Add(tracker);
        }

        all.RemoveAll(static tier => tier.Count == 0);
        return known.Count == before ? null : all;
    }

    /// <summary>Applies stored trackers to the engine.</summary>
    internal static void Apply(TorrentEngine engine, InfoHash hash, TorrentEntry entry)
    {
        if (entry.Trackers is { } trackers)
            engine.UseTrackers(hash, trackers);
    }

    private async ValueTask<IReadOnlyList<IReadOnlyList<Uri>>> ListAsync(TorrentEntry entry, CancellationToken cancellationToken) =>
        entry.Trackers
        ?? (await _shelf.ReadMetainfoAsync(entry.Hash, cancellationToken))?.Trackers
        ?? (InfoHash.TryParse(entry.Hash, out var hash) ? _sessions.Engine.Find(hash)?.Trackers : null)
        ?? [];
}
