using NzbDav.Content;

namespace NzbDav.Catalog.Database;

/// <summary>A failure of the catalog; the message says what to do about it.</summary>
public sealed class CatalogException : IOException
{
    public CatalogException(CatalogFault fault, string message)
        : base(message) => Fault = fault;

    public CatalogException(CatalogFault fault, string message, Exception? innerException)
        : base(message, innerException) => Fault = fault;

    /// <summary>The kind of failure.</summary>
    public CatalogFault Fault { get; }
}

/// <summary>The kinds of failure, so that callers need not parse the message.</summary>
public enum CatalogFault
{
    /// <summary>The database file is damaged or is not a database.</summary>
    Corrupt,

    /// <summary>The folder or a file in it cannot be written or opened.</summary>
    NotWritable,

    /// <summary>The disk or the quota is full.</summary>
    DiskFull,

    /// <summary>A newer version of the program made the database.</summary>
    NewerVersion,

    /// <summary>Another process kept the database locked for too long. A retry may succeed.</summary>
    Busy,

    /// <summary>The database server cannot be reached or is not ready. A later retry may succeed.</summary>
    Unavailable,

    /// <summary>The engine in use does not support this.</summary>
    NotSupported,

    /// <summary>The disk reported an error.</summary>
    Storage,

    /// <summary>A blob is missing.</summary>
    BlobMissing,

    /// <summary>A blob's content does not match its name.</summary>
    BlobDamaged,

    /// <summary>The row of one item makes no sense. The rest of the catalog is not affected.</summary>
    RowDamaged,
}

/// <summary>Maps file system errors to catalog faults.</summary>
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
            new(CatalogFault.DiskFull,
                $"A file in '{folder}' cannot grow any more (ulimit -f, or what the file system allows). Raise the limit and try again.",
                error),
        _ => new(
            CatalogFault.NotWritable,
            $"'{folder}' cannot be written ({error.Message}). Check that it is a folder, is not read-only, and belongs to the user that " +
            $"runs NzbDav.", error),
    };
}
