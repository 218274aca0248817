namespace NzbDav.Usenet.Disk;

/// <summary>How the files meet the system's page cache. Articles that are read again are kept in memory by the program; the system's copy would only drive out what others need.</summary>
internal enum PageCacheUse
{
    /// <summary>O_DIRECT: past it. Where the file system refuses that, as <see cref="Dropped"/>.</summary>
    Bypassed,

    /// <summary>Through it, and the pages are dropped after each write and read.</summary>
    Dropped,

    /// <summary>Through it.</summary>
    Kept,
}
