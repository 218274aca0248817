using NzbDav.Catalog.Database;
using NzbDav.Catalog.Torrents;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Sessions;

namespace NzbDav.Seeding;

/// <summary>
/// Chooses the torrents that this gateway runs where several share a catalog: those that it owns. Claims torrents that need to run and have
/// no owner, and gives up those that need not run any more. Not thread-safe.
/// </summary>
/// <param name="shelf">All torrents.</param>
/// <param name="owners">The torrents that this gateway owns.</param>
/// <param name="sessions">Shows which torrents have data here, and which are open.</param>
/// <param name="time">Clock.</param>
internal sealed class OwnTorrents(TorrentShelf shelf, TorrentOwnership owners, TorrentSessions sessions, TimeProvider time)
{
    /// <summary>Most claims per step, so that gateways that start at the same time share the torrents.</summary>
    public const int MostClaims = 4;

    /// <summary>
    /// How long a torrent without data here is left to other gateways, in particular to one that has its data and is restarting:
    /// downloading it again would cost more.
    /// </summary>
    public static readonly TimeSpan ClaimDelay = TimeSpan.FromMinutes(1);

    /// <summary>Torrents without an owner, each with the timestamp since when.</summary>
    private readonly Dictionary<string, long> _unowned = new(StringComparer.Ordinal);

    /// <summary>Claims torrents, and returns those that this gateway owns.</summary>
    /// <param name="isNeeded">True for a torrent that needs to run.</param>
    /// <param name="isKnown">True for the info-hash of a torrent that the last call returned.</param>
    /// <param name="cancellationToken">Cancels waiting for the catalog.</param>
    /// <exception cref="CatalogException">The catalog cannot be read or written.</exception>
    public async ValueTask<IReadOnlyList<ShelfSlot>> ReadAsync(
        Func<ShelfSlot, bool> isNeeded, Func<string, bool> isKnown, CancellationToken cancellationToken)
    {
        var slots = await shelf.ReadAsync(cancellationToken);
        var needed = slots.Where(isNeeded).Select(static slot => slot.Entry.Hash).ToHashSet(StringComparer.Ordinal);
        await ClaimAsync([.. needed.Where(hash => !owners.Owns(hash))], cancellationToken);
        await owners.GiveUpIdleAsync(owners.Owned.Where(hash => !needed.Contains(hash) && !IsOpen(hash)), cancellationToken);
        var own = owners.Owned.ToHashSet(StringComparer.Ordinal);
        if (slots.Any(slot => own.Contains(slot.Entry.Hash) && !isKnown(slot.Entry.Hash)))
        {
            // The former owner may have stored totals since the last read.
            shelf.Reload();
            slots = await shelf.ReadAsync(cancellationToken);
        }

        return [.. slots.Where(slot => own.Contains(slot.Entry.Hash))];
    }

    private bool IsOpen(string hash) => InfoHash.TryParse(hash, out var known) && sessions.Engine.Find(known) is not null;

    private async Task ClaimAsync(IReadOnlyList<string> wanted, CancellationToken cancellationToken)
    {
        if (wanted.Count == 0)
        {
            _unowned.Clear();
            return;
        }

        var owned = await owners.ListAllAsync(cancellationToken);
        var free = wanted.Where(hash => !owned.Contains(hash)).ToHashSet(StringComparer.Ordinal);
        foreach (var gone in _unowned.Keys.Where(hash => !free.Contains(hash)).ToList())
            _unowned.Remove(gone);
        foreach (var hash in free)
            _unowned.TryAdd(hash, time.GetTimestamp());
        if (free.Count == 0)
            return;
        var here = sessions.List().Select(static hash => hash.ToString()).ToHashSet(StringComparer.Ordinal);
        foreach (var hash in wanted.Where(
            hash => free.Contains(hash) && (here.Contains(hash) || time.GetElapsedTime(_unowned[hash]) >= ClaimDelay)).Take(MostClaims))
            await owners.ClaimAsync(hash, cancellationToken);
    }
}
