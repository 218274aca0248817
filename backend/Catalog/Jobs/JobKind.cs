namespace NzbDav.Catalog.Jobs;

/// <summary>What a job was brought as.</summary>
public enum JobKind
{
    /// <summary>An .nzb.</summary>
    Nzb,

    /// <summary>A .torrent.</summary>
    Torrent,

    /// <summary>A magnet link, as text.</summary>
    Magnet,
}
