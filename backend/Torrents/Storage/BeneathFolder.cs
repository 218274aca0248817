using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace NzbDav.Torrents.Storage;

/// <summary>
/// Accesses files below one folder without following links, because a link placed there could otherwise redirect us elsewhere. On Linux each part of a path is
/// opened relative to the one before (openat(2) with O_NOFOLLOW), so no part can be swapped in between. The folder itself may be a link.
/// </summary>
/// <param name="root">The folder; created when something is created in it.</param>
internal sealed partial class BeneathFolder(string root)
{
    private const int ReadWrite = 2;
    private const int Create = 0x40;
    private const int NonBlocking = 0x800;
    private const int CloseOnExec = 0x80000;
    private const int RemoveFolder = 0x200;
    private const int WorkingFolder = -100;
    private const int NoEntry = 2;
    private const int Busy = 16;
    private const int Exists = 17;
    private const int OtherDevice = 18;
    private const int NotAFolder = 20;
    private const int IsAFolder = 21;
    private const int NotEmpty = 39;
    private const int TooManyLinks = 40;
    private const int FileMode644 = 0x1A4;
    private const int FolderMode755 = 0x1ED;

    /// <summary>The folder.</summary>
    public string Root => root;

    // The kernel numbers these by architecture (asm/fcntl.h).
    private static bool IsArm => RuntimeInformation.ProcessArchitecture is Architecture.Arm64 or Architecture.Arm;

    private static int Folder => IsArm ? 0x4000 : 0x10000;

    private static int NoFollow => IsArm ? 0x8000 : 0x20000;

    /// <summary>Opens a file for reading and writing.</summary>
    /// <param name="path">Below the folder.</param>
    /// <param name="create">Makes it, and the folders above, if they are missing.</param>
    /// <exception cref="IOException">It is missing, a link is in the way, or it is no file.</exception>
    public SafeFileHandle Open(string path, bool create)
    {
        if (!OperatingSystem.IsLinux())
            return OpenElsewhere(path, create);
        using var folder = Walk(path, create);
        var file = openat(Number(folder), Name(path), ReadWrite | NoFollow | NonBlocking | CloseOnExec | (create ? Create : 0), FileMode644);
        if (file < 0)
            throw Error(path);
        var handle = new SafeFileHandle(file, ownsHandle: true);
        try
        {
            _ = RandomAccess.GetLength(handle);
            return handle;
        }
        catch (NotSupportedException error)
        {
            handle.Dispose();
            throw new IOException($"'{path}' is not a file.", error);
        }
    }

    /// <summary>Bytes of a file; null if there is none that can be reached.</summary>
    public long? LengthOf(string path)
    {
        try
        {
            using var file = Open(path, create: false);
            return RandomAccess.GetLength(file);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <summary>True if a file is not there, or has another length than this. False also if that cannot be found out.</summary>
    public bool IsLost(string path, long length)
    {
        try
        {
            using var file = Open(path, create: false);
            return RandomAccess.GetLength(file) != length;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return error is FileNotFoundException or DirectoryNotFoundException || (OperatingSystem.IsLinux() && error.HResult == NoEntry);
        }
    }

    /// <summary>Something of that name is directly below.</summary>
    public bool Contains(string name) => Path.Exists(Path.Combine(root, name)) || new FileInfo(Path.Combine(root, name)).LinkTarget is not null;

    /// <summary>Nothing is in the folder, or it is not there.</summary>
    /// <exception cref="IOException">It cannot be read.</exception>
    public bool IsEmpty() => !Directory.Exists(root) || !Directory.EnumerateFileSystemEntries(root).Any();

    /// <summary>Removes a file if it is there. A link is removed itself, never what it leads to.</summary>
    /// <exception cref="IOException">It is there and cannot be removed.</exception>
    public void Delete(string path) => Remove(path, isFolder: false);

    /// <summary>Removes a folder if it is there and empty.</summary>
    /// <exception cref="IOException">It is there, is empty and cannot be removed.</exception>
    public void DeleteFolder(string path) => Remove(path, isFolder: true);

    /// <summary>Brings a new file's name, and those of the folders above, to the disk.</summary>
    public void FlushFolder(string path)
    {
        if (!OperatingSystem.IsLinux())
            return;
        for (var at = path; at.Length > 0; at = at[..Math.Max(0, at.LastIndexOf('/'))])
        {
            using var folder = Walk(at, create: false);
            _ = fsync(Number(folder));
        }
    }

    /// <summary>Moves a file from elsewhere in the same file system to a place that is free; false if that is not possible.</summary>
    public bool TryMoveHere(string from, string path)
    {
        if (!OperatingSystem.IsLinux() || LengthOf(path) is not null)
            return false;
        using var folder = Walk(path, create: true);
        if (renameat(WorkingFolder, from, Number(folder), Name(path)) == 0)
            return true;
        return Marshal.GetLastPInvokeError() == OtherDevice ? false : throw Error(path);
    }

    private static string Name(string path) => path[(path.LastIndexOf('/') + 1)..];

    private static int Number(SafeFileHandle folder) => (int)folder.DangerousGetHandle();

    private static IOException Error(string path)
    {
        var code = Marshal.GetLastPInvokeError();
        return new IOException($"'{path}': {Marshal.GetPInvokeErrorMessage(code)}", code);
    }

    /// <summary>The folder that a path ends in.</summary>
    private SafeFileHandle Walk(string path, bool create)
    {
        if (create)
            Directory.CreateDirectory(root);
        var folder = new SafeFileHandle(openat(WorkingFolder, root, Folder | CloseOnExec, 0), ownsHandle: true);
        if (folder.IsInvalid)
            throw Error(root);
        var parts = path.Split('/');
        foreach (var part in parts.AsSpan(0, parts.Length - 1))
        {
            using var above = folder;
            var flags = Folder | NoFollow | CloseOnExec;
            var next = openat(Number(above), part, flags, 0);
            if (next < 0 && create && Marshal.GetLastPInvokeError() == NoEntry && (mkdirat(Number(above), part, FolderMode755) == 0 || Marshal.GetLastPInvokeError() == Exists))
                next = openat(Number(above), part, flags, 0);
            if (next < 0)
                throw Error(path);
            folder = new SafeFileHandle(next, ownsHandle: true);
        }

        return folder;
    }

    private void Remove(string path, bool isFolder)
    {
        try
        {
            if (OperatingSystem.IsLinux())
            {
                using var folder = Walk(path, create: false);
                if (unlinkat(Number(folder), Name(path), isFolder ? RemoveFolder : 0) != 0)
                    throw Error(path);
                return;
            }

            ThrowIfLinked(path);
            if (isFolder)
                Directory.Delete(Path.Combine(root, path));
            else
                File.Delete(Path.Combine(root, path));
        }
        catch (Exception error) when (IsNotOurs(error, isFolder))
        {
        }
    }

    /// <summary>True if a removal failed because it is gone already or is not ours: a link, a file where a folder was, a folder with other files in it, a mount point.</summary>
    private static bool IsNotOurs(Exception error, bool isFolder) => OperatingSystem.IsLinux()
        ? error is IOException { HResult: NoEntry or NotAFolder or IsAFolder or TooManyLinks } || (isFolder && error is IOException { HResult: Busy or Exists or NotEmpty })
        : error is IOException or UnauthorizedAccessException;

    private SafeFileHandle OpenElsewhere(string path, bool create)
    {
        ThrowIfLinked(path);
        var full = Path.Combine(root, path);
        if (create)
            Directory.CreateDirectory(Path.GetDirectoryName(full)!);
        return File.OpenHandle(full, create ? FileMode.OpenOrCreate : FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete, FileOptions.RandomAccess);
    }

    private void ThrowIfLinked(string path)
    {
        for (var at = path; at.Length > 0; at = at[..Math.Max(0, at.LastIndexOf('/'))])
        {
            if (new FileInfo(Path.Combine(root, at)).LinkTarget is not null)
                throw new IOException($"'{at}' is a link.");
        }
    }

#pragma warning disable SA1300, IDE1006 // As the system calls are called.
    [LibraryImport("libc", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int openat(int folder, string path, int flags, uint mode);

    [LibraryImport("libc", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int mkdirat(int folder, string path, uint mode);

    [LibraryImport("libc", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int unlinkat(int folder, string path, int flags);

    [LibraryImport("libc", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int renameat(int oldFolder, string oldPath, int newFolder, string newPath);

    [LibraryImport("libc", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int fsync(int file);
#pragma warning restore SA1300, IDE1006
}
