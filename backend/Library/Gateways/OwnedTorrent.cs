using NzbDav.Catalog.Database;
using NzbDav.Catalog.Torrents;
using NzbDav.Catalog.Tree;
using NzbDav.Content;

namespace NzbDav.Library.Gateways;

/// <summary>A file of a torrent, which this gateway reads from the swarm while it owns the torrent, and from the owner otherwise. Thread-safe.</summary>
/// <param name="item">The file.</param>
/// <param name="shared">What this gateway owns, and the way to the others.</param>
/// <param name="mayOwn">False: torrents are switched off here.</param>
/// <param name="open">Opens the file in the swarm. Called once, unless it fails or readers race.</param>
internal sealed class OwnedTorrent(CatalogItem item, SharedTorrents shared, bool mayOwn, Func<CancellationToken, ValueTask<IContent>> open)
{
    private IContent? _swarm;

    /// <summary>Size in bytes.</summary>
    public long Length => item.Size;

    /// <summary>True if this gateway owns the torrent now.</summary>
    public bool IsOwned => shared.Owners.Owns(Hash);

    private string Hash => item.Torrent!.InfoHash;

    /// <summary>The file in the swarm, if this gateway owns the torrent and has opened the file before; null otherwise. Costs no query.</summary>
    public IContent? TryOpen() => Volatile.Read(ref _swarm) is { } swarm && shared.Owners.Hold(Hash) ? swarm : null;

    /// <summary>Opens the file: in the swarm if this gateway owns the torrent or can claim it.</summary>
    /// <param name="forwards">False: never at another gateway.</param>
    /// <param name="cancellationToken">Nobody wants it any more.</param>
    /// <returns>The file, and whether it comes from the swarm.</returns>
    /// <exception cref="ContentException">It cannot be opened.</exception>
    public async ValueTask<(IContent Content, bool IsSwarm)> OpenAsync(bool forwards, CancellationToken cancellationToken)
    {
        try
        {
            if (await FindOwnerAsync(cancellationToken) is not { } owner)
                return (Volatile.Read(ref _swarm) ?? await OpenSwarmAsync(cancellationToken), true);
            return forwards
                ? (shared.Open(item, owner), false)
                : throw new ContentException(ContentFault.Unavailable, $"This gateway does not have the torrent of '{item.Name}' any more. Try again in a few seconds.");
        }
        catch (CatalogException error)
        {
            throw new ContentException(error.Fault is CatalogFault.Busy or CatalogFault.Unavailable ? ContentFault.Unavailable : ContentFault.Corrupt, error.Message, error);
        }
    }

    /// <summary>The owner did not answer, or this gateway is the owner no longer: the next call looks again.</summary>
    public void Doubt() => shared.Owners.Doubt(Hash);

    private ValueTask<TorrentOwner?> FindOwnerAsync(CancellationToken cancellationToken) =>
        mayOwn ? shared.Owners.ClaimAsync(Hash, cancellationToken) : shared.Owners.FindAsync(Hash, cancellationToken);

    private async ValueTask<IContent> OpenSwarmAsync(CancellationToken cancellationToken)
    {
        var opened = await open(cancellationToken);
        if (opened.Length != item.Size)
            throw new ContentException(ContentFault.Corrupt, "The stored .torrent does not fit the file's size: add the torrent again.");
        return Interlocked.CompareExchange(ref _swarm, opened, comparand: null) ?? opened;
    }
}
