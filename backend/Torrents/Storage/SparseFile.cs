using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace NzbDav.Torrents.Storage;

/// <summary>Holes in files, on file systems that have them (Linux).</summary>
internal static partial class SparseFile
{
    /// <summary>FALLOC_FL_KEEP_SIZE | FALLOC_FL_PUNCH_HOLE.</summary>
    private const int PunchHole = 0x01 | 0x02;

    /// <summary>SEEK_DATA of lseek(2).</summary>
    private const int SeekData = 3;

    /// <summary>EOPNOTSUPP: the file system has no holes.</summary>
    private const int NotSupported = 95;

    /// <summary>ENOSYS: the kernel, or a replacement for it, does not know the call.</summary>
    private const int NoSuchCall = 38;

    /// <summary>ENXIO: nothing but a hole follows.</summary>
    private const int NothingFollows = 6;

    /// <summary>Offset of the first byte at or after <paramref name="from"/> that is not in a hole; null: there is none. Returns
    /// <paramref name="from"/> if the file system cannot tell.</summary>
    public static long? FindData(SafeFileHandle file, long from)
    {
        if (!OperatingSystem.IsLinux())
            return from;
        try
        {
            var found = Seek(file, from, SeekData);
            return found >= 0 ? found : Marshal.GetLastPInvokeError() == NothingFollows ? null : from;
        }
        catch (EntryPointNotFoundException)
        {
            return from;
        }
    }

    /// <summary>
    /// Checks whether files in a folder can free ranges, with a small file there or in the next existing folder above. True also if that
    /// file cannot be written.
    /// </summary>
    public static bool CanPunch(string folder)
    {
        if (!OperatingSystem.IsLinux())
            return false;
        while (!Directory.Exists(folder) && Path.GetDirectoryName(folder) is { } above)
            folder = above;
        var path = Path.Combine(folder, "holes.test");
        try
        {
            using var file = File.OpenHandle(path, FileMode.Create, FileAccess.ReadWrite, FileShare.None, FileOptions.DeleteOnClose);
            RandomAccess.Write(file, new byte[128 << 10], 0);
            return TryPunch(file, 0, 64 << 10) || Marshal.GetLastPInvokeError() is not (NotSupported or NoSuchCall);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return true;
        }
    }

    /// <summary>Frees the space of a range (fallocate(2)). False if the file keeps it.</summary>
    public static bool TryPunch(SafeFileHandle file, long offset, long length)
    {
        if (!OperatingSystem.IsLinux())
            return false;
        try
        {
            return FAllocate(file, PunchHole, offset, length) == 0;
        }
        catch (EntryPointNotFoundException)
        {
            return false;
        }
    }

    [LibraryImport("libc", EntryPoint = "lseek64", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial long Seek(SafeFileHandle file, long offset, int whence);

    [LibraryImport("libc", EntryPoint = "fallocate64", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int FAllocate(SafeFileHandle file, int mode, long offset, long length);
}
