namespace NzbDav.Catalog;

/// <summary>What an error of the file system means for the catalog.</summary>
public static class FileFaults
{
    // errno: ENOSPC, EDQUOT on Linux and macOS. .NET hands errno through as HResult. The last two are what Windows says.
    private const int NoSpace = 28;
    private const int LinuxQuota = 122;
    private const int MacQuota = 69;
    private const int WindowsDiskFull = unchecked((int)0x80070070);
    private const int WindowsHandleDiskFull = unchecked((int)0x80070027);

    /// <summary>True for what the file system says no with.</summary>
    public static bool IsFault(Exception error) => error is IOException or UnauthorizedAccessException or ArgumentOutOfRangeException;

    /// <summary>The typed exception for an error met while writing in <paramref name="folder"/>.</summary>
    public static CatalogException WhileWriting(Exception error, string folder) => error switch
    {
        CatalogException known => known,
        IOException { HResult: NoSpace or LinuxQuota or MacQuota or WindowsDiskFull or WindowsHandleDiskFull } =>
            new(CatalogFault.DiskFull, $"The disk that holds '{folder}' is full. Free some space and try again.", error),

        // .NET's word for EFBIG: the limit of the process or of the file system for one file. To whoever writes it is a full disk.
        ArgumentOutOfRangeException =>
            new(CatalogFault.DiskFull, $"A file in '{folder}' cannot grow any more (ulimit -f, or what the file system allows). Raise the limit and try again.", error),
        _ => new(CatalogFault.NotWritable, $"'{folder}' cannot be written ({error.Message}). Check that it is a folder, is not read-only, and belongs to the user that runs NzbDav.", error),
    };
}
