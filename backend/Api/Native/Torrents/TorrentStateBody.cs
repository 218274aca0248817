namespace NzbDav.Api.Native.Torrents;

/// <summary>State of a torrent.</summary>
internal enum TorrentStateBody
{
    /// <summary>In its swarm; its metadata has not arrived yet.</summary>
    Metadata,

    /// <summary>In its swarm.</summary>
    Active,

    /// <summary>Not in its swarm: it is opened when one of its files is read.</summary>
    Closed,
}
