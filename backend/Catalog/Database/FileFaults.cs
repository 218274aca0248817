using NzbDav.Content;

namespace NzbDav.Catalog.Database;

/// <summary>What an error of the file system means for the catalog.</summary>
public static class FileFaults
{
    /// <summary>True for exceptions that report a file system error.</summary>
    public static bool IsFault(Exception error) => error is IOException or UnauthorizedAccessException or ArgumentOutOfRangeException;

    /// <summary>The typed exception for an error met while writing in <paramref name="folder"/>.</summary>
    public static CatalogException WhileWriting(Exception error, string folder) => error switch
    {
        CatalogException known => known,
        _ when FullDisk.Is(error) =>
            new(CatalogFault.DiskFull, $"The disk that holds '{folder}' is full. Free some space and try again.", error),

        // How .NET reports EFBIG, the process's or file system's limit for one file. Treated as a full disk.
        ArgumentOutOfRangeException =>
            new(CatalogFault.DiskFull, $"A file in '{folder}' cannot grow any more (ulimit -f, or what the file system allows). Raise the limit and try again.", error),
        _ => new(CatalogFault.NotWritable, $"'{folder}' cannot be written ({error.Message}). Check that it is a folder, is not read-only, and belongs to the user that runs NzbDav.", error),
    };
}
