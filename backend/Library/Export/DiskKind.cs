namespace NzbDav.Library.Export;

/// <summary>What is at a path.</summary>
internal enum DiskKind
{
    /// <summary>Nothing.</summary>
    None,

    /// <summary>A regular file.</summary>
    File,

    /// <summary>A symbolic link, whatever it leads to.</summary>
    Link,

    /// <summary>A folder.</summary>
    Folder,

    /// <summary>Something else: a socket, a device.</summary>
    Other,
}
