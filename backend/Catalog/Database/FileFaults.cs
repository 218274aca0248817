namespace NzbDav.Catalog;

/// <summary>What an error of the file system means for the catalog.</summary>
internal static class FileFaults
{
    // errno: ENOSPC, EDQUOT on Linux and macOS. .NET hands errno through as HResult. The last two are what Windows says.
    private const int NoSpace = 28;
    private const int LinuxQuota = 122;
    private const int MacQuota = 69;
    private const int WindowsDiskFull = unchecked((int)0x80070070);
    private const int WindowsHandleDiskFull = unchecked((int)0x80070027);

    /// <summary>The typed exception for an error met while writing in <paramref name="folder"/>.</summary>
    public static CatalogException WhileWriting(Exception error, string folder) => error switch
    {
        CatalogException known => known,
        IOException { HResult: NoSpace or LinuxQuota or MacQuota or WindowsDiskFull or WindowsHandleDiskFull } =>
            new(CatalogFault.DiskFull, $"The disk that holds '{folder}' is full. Free some space and try again.", error),
        _ => new(CatalogFault.NotWritable, $"'{folder}' cannot be written ({error.Message}). Check that it is a folder, is not read-only, and belongs to the user that runs NzbDav.", error),
    };
}
