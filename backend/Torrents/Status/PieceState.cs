namespace NzbDav.Torrents.Status;

/// <summary>State of a piece, for display.</summary>
public enum PieceState
{
    /// <summary>Verified and held, in memory or on disk.</summary>
    Held,

    /// <summary>Not held; a reader will need it, or the whole torrent is fetched.</summary>
    Wanted,

    /// <summary>Not held and not wanted.</summary>
    Missing,
}
