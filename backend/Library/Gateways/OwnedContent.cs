using System.Runtime.CompilerServices;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Torrents;
using NzbDav.Catalog.Tree;
using NzbDav.Content;

namespace NzbDav.Library.Gateways;

/// <summary>The bytes of an <see cref="OwnedTorrent"/>. Each reader finds the owner by itself. Thread-safe.</summary>
/// <param name="torrent">The file.</param>
/// <param name="forwards">False: readers never read from another gateway.</param>
internal sealed class OwnedContent(OwnedTorrent torrent, bool forwards) : IContent
{
    public long Length => torrent.Length;

    public ContentReader OpenReader(long start, long end, ReadIntent intent)
    {
        ContentRange.ThrowIfOutside(start, end, Length);
        return new OwnedReader(torrent, forwards, start, end, intent);
    }
}

/// <summary>
/// Reads a range of a torrent's file from the swarm or from the gateway that owns the torrent. If the owner changes or does not answer, the
/// reader looks for the owner once more and continues there.
/// </summary>
internal sealed class OwnedReader : DelegatingReader
{
    private readonly OwnedTorrent _torrent;
    private readonly bool _forwards;
    private readonly long _end;
    private readonly ReadIntent _intent;
    private bool _isSwarm;
    private long _position;
    private bool _disposed;

    public OwnedReader(OwnedTorrent torrent, bool forwards, long start, long end, ReadIntent intent)
    {
        (_torrent, _forwards, _position, _end, _intent) = (torrent, forwards, start, end, intent);
        if (torrent.TryOpen() is { } swarm)
            Begin(swarm, isSwarm: true);
    }

    public override long Position => Inner?.Position ?? Volatile.Read(ref _position);

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public override async ValueTask<ContentLease> NextAsync(CancellationToken cancellationToken)
    {
        ObjectDisposedException.ThrowIf(_disposed, this);
        for (var isSecond = false; ; isSecond = true)
        {
            try
            {
                if (Inner is null)
                {
                    var (content, isSwarm) = await _torrent.OpenAsync(_forwards, cancellationToken);
                    Begin(content, isSwarm);
                }

                return await Inner!.NextAsync(cancellationToken);
            }
            catch (Exception error) when (Inner is not null && IsElsewhere(error))
            {
                await EndAsync();
                _torrent.ForgetOwner();
                if (isSecond && error is ContentException)
                    throw;
                if (isSecond)
                    throw new ContentException(ContentFault.Unavailable, "The torrent was closed.", error);
            }
        }
    }

    public override async ValueTask DisposeAsync()
    {
        _disposed = true;
        await EndAsync();
        await base.DisposeAsync();
    }

    private void Begin(IContent content, bool isSwarm)
    {
        _isSwarm = isSwarm;
        Inner = content.OpenReader(_position, _end, _intent);
    }

    /// <summary>True if the bytes may be elsewhere: the other gateway failed, or this gateway no longer owns the torrent.</summary>
    private bool IsElsewhere(Exception error) =>
        _isSwarm ? (error is ContentException or ObjectDisposedException) && !_torrent.IsOwned : error is ContentException;

    private async ValueTask EndAsync()
    {
        if (Inner is not { } reader)
            return;
        Volatile.Write(ref _position, reader.Position);
        Inner = null;
        await reader.DisposeAsync();
    }
}

/// <summary>A file of a torrent, read from the swarm while this gateway owns the torrent, otherwise from the owner. Thread-safe.</summary>
/// <param name="item">The file.</param>
/// <param name="shared">Knows the owners, and reads from other gateways.</param>
/// <param name="mayOwn">False: torrents are switched off on this gateway.</param>
/// <param name="open">Opens the file in the swarm. Called once, unless it fails or readers race.</param>
internal sealed class OwnedTorrent(CatalogItem item, SharedTorrents shared, bool mayOwn, Func<CancellationToken, ValueTask<IContent>> open)
{
    private IContent? _swarm;

    /// <summary>Size in bytes.</summary>
    public long Length => item.Size;

    /// <summary>True if this gateway owns the torrent now.</summary>
    public bool IsOwned => shared.Owners.Owns(Hash);

    private string Hash => item.Torrent!.InfoHash;

    /// <summary>
    /// The file in the swarm, if this gateway owns the torrent and has already opened the file; otherwise null. Never queries the catalog.
    /// </summary>
    public IContent? TryOpen() => Volatile.Read(ref _swarm) is { } swarm && shared.Owners.Hold(Hash) ? swarm : null;

    /// <summary>Opens the file: in the swarm if this gateway owns the torrent or can claim it.</summary>
    /// <param name="forwards">False: never from another gateway.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
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
                : throw new ContentException(ContentFault.Unavailable,
                    $"This gateway does not have the torrent of '{item.Name}' any more. Try again in a few seconds.");
        }
        catch (CatalogException error)
        {
            throw new ContentException(error.Fault is CatalogFault.Busy or CatalogFault.Unavailable
                ? ContentFault.Unavailable : ContentFault.Corrupt, error.Message, error);
        }
    }

    /// <summary>
    /// Forgets the owner, because it did not answer or this gateway lost the torrent. The next call looks for the owner again.
    /// </summary>
    public void ForgetOwner() => shared.Owners.ForgetOwner(Hash);

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
