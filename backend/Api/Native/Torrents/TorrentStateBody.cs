namespace NzbDav.Api.Native.Torrents;

/// <summary>Where a torrent stands.</summary>
internal enum TorrentStateBody
{
    /// <summary>In its swarm; peers have not told yet what it holds.</summary>
    Metadata,

    /// <summary>In its swarm.</summary>
    Active,

    /// <summary>Not in its swarm: it is opened when one of its files is read.</summary>
    Closed,
}
