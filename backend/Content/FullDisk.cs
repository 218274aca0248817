namespace NzbDav.Content;

/// <summary>Recognises a full disk among the errors of a file system.</summary>
public static class FullDisk
{
    // errno: ENOSPC, EDQUOT on Linux and macOS. .NET passes errno through as HResult. The last two are the Windows codes.
    private const int NoSpace = 28;
    private const int LinuxQuota = 122;
    private const int MacQuota = 69;
    private const int WindowsDiskFull = unchecked((int)0x80070070);
    private const int WindowsHandleDiskFull = unchecked((int)0x80070027);

    /// <summary>True if the file system has no room, or the quota of its user is used up.</summary>
    public static bool Is(Exception error) =>
        error is IOException { HResult: NoSpace or LinuxQuota or MacQuota or WindowsDiskFull or WindowsHandleDiskFull };
}
