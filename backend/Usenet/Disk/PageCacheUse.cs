namespace NzbDav.Usenet.Disk;

/// <summary>How the files use the system's page cache. The program keeps articles that are read again in memory; the system's copy would only push out what others need.</summary>
internal enum PageCacheUse
{
    /// <summary>O_DIRECT: bypasses it. Where the file system refuses that, as <see cref="Dropped"/>.</summary>
    Bypassed,

    /// <summary>Used, and the pages are dropped after each write and read.</summary>
    Dropped,

    /// <summary>Used.</summary>
    Kept,
}
