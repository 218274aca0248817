namespace NzbDav.Library.Export;

/// <summary>The folder to which a library is exported. Paths are below it, parts joined with '/'. Links are never followed at the end of a
/// path. Thread-safe.</summary>
internal interface IExportDisk : IDisposable
{
    /// <summary>True if the path that was opened still leads to the same folder.</summary>
    bool IsInPlace();

    /// <summary>The kind and size of the item at a path.</summary>
    DiskEntry Look(string path);

    /// <summary>Makes a folder that is not there, in one that is.</summary>
    void MakeFolder(string path);

    /// <summary>Makes a file that is not there.</summary>
    void WriteFile(string path, ReadOnlySpan<byte> bytes);

    /// <summary>Makes a symbolic link that is not there.</summary>
    void WriteLink(string path, string target);

    /// <summary>The bytes of a file or what a link leads to; null for anything else, or if it is longer than
    /// <paramref name="most"/>.</summary>
    byte[]? Read(string path, int most);

    /// <summary>Gives something another name in one step.</summary>
    /// <param name="from">A file, a link or a folder.</param>
    /// <param name="to">Where to.</param>
    /// <param name="replace">An existing file or link is replaced.</param>
    /// <returns>False if an existing item is not replaced.</returns>
    bool Move(string from, string to, bool replace);

    /// <summary>Removes a file or a link.</summary>
    void Remove(string path);

    /// <summary>Removes a folder if it is empty.</summary>
    /// <returns>False if it is not.</returns>
    bool RemoveFolder(string path);

    /// <summary>Removes a folder of our own with all that is in it. Follows no link.</summary>
    void RemoveTree(string path);

    /// <summary>Flushes all written data to the disk.</summary>
    void Sync();
}

/// <summary>What is at a path, and how long it is.</summary>
/// <param name="Kind">What it is.</param>
/// <param name="Size">Bytes of a file, or of what a link leads to.</param>
internal readonly record struct DiskEntry(DiskKind Kind, long Size);

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
