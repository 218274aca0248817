namespace NzbDav.Catalog.Torrents;

/// <summary>How soon a file of a torrent that is kept is fetched. Readers always go first.</summary>
public enum FilePriority
{
    /// <summary>Not fetched, unless somebody reads it.</summary>
    Skip,

    /// <summary>The default.</summary>
    Normal,

    /// <summary>Before normal ones.</summary>
    High,

    /// <summary>Before all others.</summary>
    Highest,
}
