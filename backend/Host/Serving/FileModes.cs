using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace NzbDav.Host.Serving;

/// <summary>Restricts file modes in the configuration folder, which contains names, archive passwords and keys.</summary>
internal static partial class FileModes
{
    /// <summary>Bits that new files must not have: writing for the group, and everything for others.</summary>
    private const uint Mask = 0b000_010_111;

    private const UnixFileMode Own = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute;
    private const UnixFileMode Group = UnixFileMode.GroupRead | UnixFileMode.GroupExecute;

    /// <summary>
    /// Limits files that this process creates from now on to 0640, and folders to 0750; the user's umask may remove more.
    /// </summary>
    public static void Restrict()
    {
        if (OperatingSystem.IsWindows())
            return;
        var former = SetMask(Mask);
        _ = SetMask(former | Mask);
    }

    /// <summary>
    /// Removes from existing files the bits that <see cref="Restrict"/> keeps from new ones, and from keys also all bits of the group.
    /// Files of other users stay unchanged.
    /// </summary>
    /// <param name="folder">The configuration folder.</param>
    public static void Tighten(string folder)
    {
        if (OperatingSystem.IsWindows())
            return;
        var root = new DirectoryInfo(folder);
        foreach (var file in root.EnumerateFiles())
            Limit(file, Own | Group);

        // Below these folders the folder's own mode keeps others out, however many files there are.
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
            // It belongs to another user, or the file system has no modes.
        }
    }

    [LibraryImport("libc", EntryPoint = "umask")]
    private static partial uint SetMask(uint mask);
}
