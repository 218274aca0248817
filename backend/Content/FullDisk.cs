namespace NzbDav.Content;

/// <summary>Recognises a full disk among the errors of a file system.</summary>
public static class FullDisk
{
    // errno of Linux and macOS: ENOSPC, EDQUOT, which .NET passes through as HResult. The last two are Windows codes.
    private const int NoSpace = 28;
    private const int LinuxQuota = 122;
    private const int MacQuota = 69;
    private const int WindowsDiskFull = unchecked((int)0x80070070);
    private const int WindowsHandleDiskFull = unchecked((int)0x80070027);

    /// <summary>True if the file system is full, or the user's quota is used up.</summary>
    public static bool Is(Exception error) =>
        error is IOException { HResult: NoSpace or LinuxQuota or MacQuota or WindowsDiskFull or WindowsHandleDiskFull };
}
