namespace NzbDav.Api.Native.Torrents;

/// <summary>An action on torrents.</summary>
internal enum TorrentActionName
{
    /// <summary>Start them; the error of a failed torrent is cleared.</summary>
    Start,

    /// <summary>Stop them: they leave their swarms. Their files can still be read.</summary>
    Stop,

    /// <summary>Let them run regardless of the limits on active torrents and the share limits.</summary>
    Force,

    /// <summary>Apply these limits to them again.</summary>
    Unforce,

    /// <summary>Hash what is on disk, one torrent after the other.</summary>
    Recheck,

    /// <summary>Ask trackers and other sources for peers now.</summary>
    Announce,

    /// <summary>Move to the front of the queue.</summary>
    Top,

    /// <summary>Move one place forward.</summary>
    Up,

    /// <summary>Move one place back.</summary>
    Down,

    /// <summary>Move to the end of the queue.</summary>
    Bottom,
}
