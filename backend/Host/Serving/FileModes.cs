using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace NzbDav.Host.Serving;

/// <summary>Keeps other users of the machine away from what is in the configuration folder: names, passwords of archives, keys.</summary>
internal static partial class FileModes
{
    /// <summary>Writing for the group, and everything for others: what new files must not have.</summary>
    private const uint Mask = 0b000_010_111;

    private const UnixFileMode Own = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute;
    private const UnixFileMode Group = UnixFileMode.GroupRead | UnixFileMode.GroupExecute;

    /// <summary>Files that this process makes from now on are 0640 at most, folders 0750; the user's own umask may take away more.</summary>
    public static void Restrict()
    {
        if (OperatingSystem.IsWindows())
            return;
        var former = SetMask(Mask);
        _ = SetMask(former | Mask);
    }

    /// <summary>Takes from what is there already what <see cref="Restrict"/> keeps from new files; of keys also what the group may do. What belongs to another user stays as it is.</summary>
    /// <param name="folder">The configuration folder.</param>
    public static void Tighten(string folder)
    {
        if (OperatingSystem.IsWindows())
            return;
        var root = new DirectoryInfo(folder);
        foreach (var file in root.EnumerateFiles())
            Limit(file, Own | Group);

        // Below these the folder's own mode keeps others out, however many files there are.
        foreach (var name in (string[])["backups", "blobs", "cache", "logs", "scratch"])
            Limit(new DirectoryInfo(Path.Combine(folder, name)), Own | Group);
        var logs = new DirectoryInfo(Path.Combine(folder, "logs"));
        foreach (var file in logs.Exists ? logs.EnumerateFiles() : [])
            Limit(file, Own | Group);
        var keys = new DirectoryInfo(Path.Combine(folder, "keys"));
        Limit(keys, Own);
        foreach (var file in keys.Exists ? keys.EnumerateFiles() : [])
            Limit(file, Own);
    }

    [UnsupportedOSPlatform("windows")]
    private static void Limit(FileSystemInfo item, UnixFileMode most)
    {
        try
        {
            if (item.Exists && item.LinkTarget is null && (item.UnixFileMode & ~most) != 0)
                item.UnixFileMode &= most;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // Another user's, or a file system without modes.
        }
    }

    [LibraryImport("libc", EntryPoint = "umask")]
    private static partial uint SetMask(uint mask);
}
