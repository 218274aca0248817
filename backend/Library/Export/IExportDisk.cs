namespace NzbDav.Library.Export;

/// <summary>
/// The folder to which a library is exported. Paths are below it, parts joined with '/'. A link at the end of a path is never followed.
/// Thread-safe.
/// </summary>
internal interface IExportDisk : IDisposable
{
    /// <summary>True if the path that was opened still leads to the same folder.</summary>
    bool IsInPlace();

    /// <summary>The kind and size of the item at a path.</summary>
    DiskEntry Stat(string path);

    /// <summary>Creates a folder. Its parent must exist, the folder itself must not.</summary>
    void MakeFolder(string path);

    /// <summary>Creates a file, which must not exist.</summary>
    void WriteFile(string path, ReadOnlySpan<byte> bytes);

    /// <summary>Creates a symbolic link, which must not exist.</summary>
    void WriteLink(string path, string target);

    /// <summary>
    /// The bytes of a file or the target of a link; null for anything else, and if longer than <paramref name="most"/> bytes.
    /// </summary>
    byte[]? Read(string path, int most);

    /// <summary>Renames an item in one step.</summary>
    /// <param name="from">A file, a link or a folder.</param>
    /// <param name="to">The new path.</param>
    /// <param name="replace">Replace an existing file or link.</param>
    /// <returns>False if something exists there and is not replaced.</returns>
    bool Move(string from, string to, bool replace);

    /// <summary>Removes a file or a link; does nothing if it is missing.</summary>
    void Remove(string path);

    /// <summary>Removes an empty folder.</summary>
    /// <returns>False if it is not empty or not a folder; true if it is gone, also when it was missing.</returns>
    bool RemoveFolder(string path);

    /// <summary>Removes a folder of our own with everything in it. Follows no links.</summary>
    void RemoveTree(string path);

    /// <summary>Flushes all written data to the disk.</summary>
    void Sync();
}

/// <summary>An item on the disk.</summary>
/// <param name="Kind">Its kind.</param>
/// <param name="Size">Length in bytes of a file, or of a link's target.</param>
internal readonly record struct DiskEntry(DiskKind Kind, long Size);

/// <summary>The kind of an item on the disk.</summary>
internal enum DiskKind
{
    /// <summary>Nothing.</summary>
    None,

    /// <summary>A regular file.</summary>
    File,

    /// <summary>A symbolic link, whether or not its target exists.</summary>
    Link,

    /// <summary>A folder.</summary>
    Folder,

    /// <summary>Something else: a socket, a device.</summary>
    Other,
}
