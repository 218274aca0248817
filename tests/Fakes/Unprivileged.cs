using System.Runtime.InteropServices;

namespace NzbDav.Fakes;

/// <summary>Accesses files without superuser rights, even in tests that run as root, so that permissions take effect.</summary>
public static partial class Unprivileged
{
    private const uint Nobody = 65_534;

    /// <summary>Runs on this thread with the file rights of <c>nobody</c> if the process has those of root.</summary>
    /// <param name="work">Starts no task: a thread of the pool that begins meanwhile would keep those rights.</param>
    public static T Run<T>(Func<T> work)
    {
        ArgumentNullException.ThrowIfNull(work);
        if (!OperatingSystem.IsLinux())
            return work();
        var before = SetFileUser(Nobody);
        try
        {
            return work();
        }
        finally
        {
            _ = SetFileUser((uint)before);
        }
    }

    /// <summary>Sets the permissions of a file or folder.</summary>
    public static void SetMode(string path, UnixFileMode mode)
    {
        if (!OperatingSystem.IsWindows())
            File.SetUnixFileMode(path, mode);
    }

    // setfsuid(2): the file rights of one thread. Gives who it was before; fails in silence where that is not allowed, which is where it is
    // not needed.
    [LibraryImport("libc", EntryPoint = "setfsuid")]
    private static partial int SetFileUser(uint user);
}
