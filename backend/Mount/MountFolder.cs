using Microsoft.Extensions.Logging;
using NzbDav.Mount.Protocol;

namespace NzbDav.Mount;

/// <summary>Turns a folder into a mount.</summary>
internal static partial class MountFolder
{
    /// <summary>Mounts. A dead mount that an earlier process left at the folder is taken over.</summary>
    /// <param name="folder">The folder: absolute, existing, and empty.</param>
    /// <param name="allowsOthers">True: other users may use the mount.</param>
    /// <param name="user">The user whose mount it is; null: that of this process.</param>
    /// <param name="group">The group; null: that of this process.</param>
    /// <param name="logger">Logs that a dead mount was found.</param>
    /// <returns>The descriptor that serves the mount; owned by the caller.</returns>
    /// <exception cref="MountException">It cannot be mounted; the message says why and what to do.</exception>
    public static int Mount(string folder, bool allowsOthers, uint? user, uint? group, ILogger logger)
    {
        if (!OperatingSystem.IsLinux())
            throw new MountException("A mount needs Linux and its FUSE. Elsewhere, connect over WebDAV.");
        if (!Path.IsPathRooted(folder))
            throw new MountException($"The mount's folder must be an absolute path, not \"{folder}\".");
        TakeOver(folder, logger);
        if (!Directory.Exists(folder))
            throw new MountException($"{folder} does not exist: create it, as an empty folder.");
        if (FuseDevice.IsMounted(folder))
            throw new MountException($"{folder} is the mount of another server that runs: choose another folder, or stop that server.");
        if (Directory.EnumerateFileSystemEntries(folder).Any())
            throw new MountException($"{folder} is not empty: a mount would hide what is in it.");
        var descriptor = FuseDevice.Mount(folder, allowsOthers, user, group);
        FuseDevice.SetReadAhead(folder, FuseDevice.ReadAhead);
        return descriptor;
    }

    /// <summary>Unmounts the dead mount of an earlier process, if there is one.</summary>
    /// <exception cref="MountException">It cannot be unmounted.</exception>
    public static void TakeOver(string folder, ILogger logger)
    {
        if (!FuseDevice.IsDead(folder))
            return;
        LogDead(logger, folder);
        if (!FuseDevice.Unmount(folder))
            throw new MountException($"{folder} is the mount of a process that has ended, and cannot be unmounted: umount -l {folder}");
    }

    [LoggerMessage(1811, LogLevel.Information, "{Folder} is the mount of a process that has ended: it is mounted anew.")]
    private static partial void LogDead(ILogger logger, string folder);
}
