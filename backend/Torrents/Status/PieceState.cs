namespace NzbDav.Torrents.Status;

/// <summary>How a piece stands, for people.</summary>
public enum PieceState
{
    /// <summary>Verified and held, in memory or on disk.</summary>
    Held,

    /// <summary>Not held; a reader is going to need it, or all is fetched.</summary>
    Wanted,

    /// <summary>Not held, and nobody needs it.</summary>
    Missing,
}
