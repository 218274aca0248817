using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace NzbDav.Torrents.Pieces;

/// <summary>Gives the space of a range of a file back to the file system (Linux fallocate(2)); elsewhere the file keeps its size.</summary>
internal static partial class HolePuncher
{
    /// <summary>FALLOC_FL_KEEP_SIZE | FALLOC_FL_PUNCH_HOLE.</summary>
    private const int PunchHole = 0x01 | 0x02;

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

    [LibraryImport("libc", EntryPoint = "fallocate64", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int FAllocate(SafeFileHandle file, int mode, long offset, long length);
}
