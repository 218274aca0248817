using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Sessions;

/// <summary>Opens torrents for readers. Thread-safe.</summary>
internal interface ITorrentUse
{
    /// <summary>Opens a torrent, or shares one that is open. Null while it is being closed: <see cref="UseAsync"/> waits for that.</summary>
    TorrentLease? TryUse(Metainfo metainfo);

    /// <summary>Opens a torrent, or shares one that is open. Waits while it is being closed.</summary>
    ValueTask<TorrentLease> UseAsync(Metainfo metainfo, CancellationToken cancellationToken);
}
