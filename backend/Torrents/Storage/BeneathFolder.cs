using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace NzbDav.Torrents.Storage;

/// <summary>
/// Accesses files below one folder without following links, because a link placed there could redirect us elsewhere. On Linux each part of
/// a path is opened relative to the one before (openat(2) with O_NOFOLLOW), so no part can be swapped in between. The folder itself may be
/// a link.
/// </summary>
/// <param name="root">The folder; created when something is created in it.</param>
/// <param name="fold">For tests: maps a path to the file that a disk opens for it when the disk takes several names for one file. Null:
/// paths are used as they are.</param>
internal sealed partial class BeneathFolder(string root, Func<string, string>? fold = null)
{
    private const int ReadOnly = 0;
    private const int ReadWrite = 2;
    private const int Create = 0x40;
    private const int NonBlocking = 0x800;
    private const int CloseOnExec = 0x80000;
    private const int RemoveFolder = 0x200;
    private const int WorkingFolder = -100;
    private const int NoEntry = 2;
    private const int Busy = 16;
    private const int Exists = 17;
    private const int WindowsExists = unchecked((int)0x80070050);
    private const int OtherDevice = 18;
    private const int NotAFolder = 20;
    private const int IsAFolder = 21;
    private const int NotEmpty = 39;
    private const int TooManyLinks = 40;
    private const int Exclusive = 0x80;
    private const int FileMode644 = 0x1A4;
    private const int FolderMode755 = 0x1ED;

    /// <summary>The folder.</summary>
    public string Root => root;

    // These values depend on the architecture (asm/fcntl.h).
    private static bool IsArm => RuntimeInformation.ProcessArchitecture is Architecture.Arm64 or Architecture.Arm;

    private static int Folder => IsArm ? 0x4000 : 0x10000;

    private static int NoFollow => IsArm ? 0x8000 : 0x20000;

    /// <summary>Opens a file.</summary>
    /// <param name="path">Below the folder.</param>
    /// <param name="use">Its purpose. <see cref="FileUse.Create"/> also creates missing folders above the file.</param>
    /// <exception cref="IOException">It is missing, or is to be created and exists; a link is in the way, or it is not a file.</exception>
    public SafeFileHandle Open(string path, FileUse use)
    {
        path = fold?.Invoke(path) ?? path;
        if (!OperatingSystem.IsLinux())
            return OpenPortable(path, use);
        using var folder = Walk(path, use == FileUse.Create);
        var flags = (use == FileUse.Read ? ReadOnly : ReadWrite) | (use == FileUse.Create ? Create | Exclusive : 0);
        var file = openat(Number(folder), Name(path), flags | NoFollow | NonBlocking | CloseOnExec, FileMode644);
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

    /// <summary>Looks for a file, by opening it for reading.</summary>
    public FoundFile Inspect(string path)
    {
        try
        {
            using var file = Open(path, FileUse.Read);
            return new FoundFile(RandomAccess.GetLength(file), null, IsGone: false) { Changed = File.GetLastWriteTimeUtc(file).Ticks };
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            var isGone = IsGone(error);
            return new FoundFile(-1, isGone ? $"'{path}' is not there." : error.Message, isGone);
        }
    }

    /// <summary>
    /// True for an error that means that a file, or a folder above it, does not exist. All other errors only mean that it cannot be reached
    /// now.
    /// </summary>
    public static bool IsGone(Exception error) =>
        error is FileNotFoundException or DirectoryNotFoundException
        || (OperatingSystem.IsLinux() && error is IOException { HResult: NoEntry });

    /// <summary>True for the error of creating a file that already exists.</summary>
    public static bool IsThere(Exception error) => error is IOException { HResult: Exists or WindowsExists };

    /// <summary>
    /// True if a folder lists a file by exactly this name. A disk that ignores case or spelling opens a file by other names too.
    /// </summary>
    public bool Lists(string path)
    {
        var folder = Path.Combine(root, path[..Math.Max(0, path.LastIndexOf('/'))]);
        return Directory.EnumerateFileSystemEntries(folder).Any(found => Path.GetFileName(found) == Name(path));
    }

    /// <summary>True if the folder itself contains an entry of this name, even a broken link.</summary>
    /// <exception cref="IOException">The folder cannot be read.</exception>
    /// <exception cref="UnauthorizedAccessException">The same.</exception>
    public bool Contains(string name)
    {
        try
        {
            _ = File.GetAttributes(Path.Combine(root, name));
            return true;
        }
        catch (Exception error) when (IsGone(error))
        {
            return new FileInfo(Path.Combine(root, name)).LinkTarget is not null;
        }
    }

    /// <summary>True if the folder is empty or does not exist.</summary>
    /// <exception cref="IOException">It cannot be read.</exception>
    public bool IsEmpty() => !Directory.Exists(root) || !Directory.EnumerateFileSystemEntries(root).Any();

    /// <summary>Removes a file if it exists. If it is a link, removes the link, never its target. Only Linux reports failures.</summary>
    /// <exception cref="IOException">It exists and cannot be removed (Linux).</exception>
    public void Delete(string path) => Remove(path, isFolder: false);

    /// <summary>Removes a folder if it exists and is empty. Only Linux reports failures.</summary>
    /// <exception cref="IOException">It exists, is empty and cannot be removed (Linux).</exception>
    public void DeleteFolder(string path) => Remove(path, isFolder: true);

    /// <summary>Syncs the folders above a new file, so that its name and theirs are on disk.</summary>
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

    /// <summary>
    /// Moves a file from elsewhere in the same file system to a free path. False if the path is not free, the file system is another one,
    /// or this is not Linux.
    /// </summary>
    public bool TryMoveHere(string from, string path)
    {
        if (!OperatingSystem.IsLinux() || !Inspect(path).IsGone)
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

    /// <summary>Opens the folder that contains a path's last part.</summary>
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
            if (next < 0 && create && Marshal.GetLastPInvokeError() == NoEntry
                && (mkdirat(Number(above), part, FolderMode755) == 0 || Marshal.GetLastPInvokeError() == Exists))
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

    /// <summary>
    /// True if a removal failed because there is nothing of ours to remove: it is gone already, or is a link, a file where a folder was, a
    /// folder with other files in it, or a mount point.
    /// </summary>
    private static bool IsNotOurs(Exception error, bool isFolder) => OperatingSystem.IsLinux()
        ? error is IOException { HResult: NoEntry or NotAFolder or IsAFolder or TooManyLinks }
            || (isFolder && error is IOException { HResult: Busy or Exists or NotEmpty })
        : error is IOException or UnauthorizedAccessException;

    private SafeFileHandle OpenPortable(string path, FileUse use)
    {
        ThrowIfLinked(path);
        var full = Path.Combine(root, path);
        if (use == FileUse.Create)
            Directory.CreateDirectory(Path.GetDirectoryName(full)!);
        return File.OpenHandle(
            full,
            use == FileUse.Create ? FileMode.CreateNew : FileMode.Open,
            use == FileUse.Read ? FileAccess.Read : FileAccess.ReadWrite,
            FileShare.ReadWrite | FileShare.Delete,
            FileOptions.RandomAccess);
    }

    private void ThrowIfLinked(string path)
    {
        for (var at = path; at.Length > 0; at = at[..Math.Max(0, at.LastIndexOf('/'))])
        {
            if (new FileInfo(Path.Combine(root, at)).LinkTarget is not null)
                throw new IOException($"'{at}' is a link.");
        }
    }

#pragma warning disable SA1300, IDE1006 // Named like the system calls.
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

/// <summary>What a file is opened for.</summary>
internal enum FileUse
{
    /// <summary>Reading; also opens a file that may not be written to.</summary>
    Read,

    Write,

    /// <summary>Reading and writing. The file is created, and must not exist.</summary>
    Create,
}

/// <summary>What was found where a file should be.</summary>
/// <param name="Length">Its bytes; −1: it could not be opened.</param>
/// <param name="Reason">Why it could not be opened; null: it could.</param>
/// <param name="IsGone">True: it does not exist. False with a reason: it cannot be reached now, and may well be there.</param>
internal readonly record struct FoundFile(long Length, string? Reason, bool IsGone)
{
    /// <summary>When it was last written to, in ticks; 0: it could not be opened.</summary>
    public long Changed { get; init; }
}
