namespace NzbDav.Api.Native.Torrents;

/// <summary>What can be done with torrents.</summary>
internal enum TorrentActionName
{
    /// <summary>They may run; what made one fail is forgotten.</summary>
    Start,

    /// <summary>They leave their swarms. Their files can be read.</summary>
    Stop,

    /// <summary>They run whatever the limits of active torrents and share limits say.</summary>
    Force,

    /// <summary>They no longer do.</summary>
    Unforce,

    /// <summary>What is on disk is hashed, one torrent after the other.</summary>
    Recheck,

    /// <summary>Trackers and other ways are asked for peers now.</summary>
    Announce,

    /// <summary>Before all others in the queue.</summary>
    Top,

    /// <summary>One place forward.</summary>
    Up,

    /// <summary>One place back.</summary>
    Down,

    /// <summary>Behind all others.</summary>
    Bottom,
}
