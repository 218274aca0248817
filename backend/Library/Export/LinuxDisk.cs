using System.Buffers.Binary;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace NzbDav.Library.Export;

/// <summary>
/// An exported folder on Linux. All calls but <see cref="RemoveTree"/> are relative to one handle, and a new file takes three: open, write,
/// close.
/// </summary>
internal sealed class LinuxDisk : IExportDisk
{
    private const uint FileMode = 0x1B6; // 0666; the umask applies
    private const uint FolderMode = 0x1FF; // 0777
    private const int TypeMask = 0xF000;

    private readonly SafeFileHandle _root;
    private readonly int _number;
    private readonly string _folder;

    /// <exception cref="IOException">It is not a folder, or cannot be opened.</exception>
    public LinuxDisk(string folder)
    {
        _folder = folder;
        _number = LinuxCalls.openat(LinuxCalls.WorkingFolder, folder, LinuxCalls.Folder | LinuxCalls.CloseOnExec, 0);
        if (_number < 0)
            throw Error("");
        _root = new SafeFileHandle(_number, ownsHandle: true);
    }

    public bool IsInPlace()
    {
        Span<byte> open = stackalloc byte[LinuxCalls.StatLength];
        Span<byte> named = stackalloc byte[LinuxCalls.StatLength];
        return LinuxCalls.statx(_number, "", LinuxCalls.EmptyPath, LinuxCalls.MaskNumber, open) == 0
            && LinuxCalls.statx(LinuxCalls.WorkingFolder, _folder, 0, LinuxCalls.MaskNumber, named) == 0
            && IdentityOf(open) == IdentityOf(named);

        // struct statx: stx_ino at 32, stx_dev_major and stx_dev_minor at 136.
        static (ulong File, ulong Device) IdentityOf(ReadOnlySpan<byte> stat) =>
            (BinaryPrimitives.ReadUInt64LittleEndian(stat[32..]), BinaryPrimitives.ReadUInt64LittleEndian(stat[136..]));
    }

    public DiskEntry Stat(string path)
    {
        Span<byte> result = stackalloc byte[LinuxCalls.StatLength];
        if (LinuxCalls.statx(_number, path, LinuxCalls.SymlinkNoFollow, LinuxCalls.MaskTypeAndSize, result) != 0)
            return Marshal.GetLastPInvokeError() is LinuxCalls.NoEntry or LinuxCalls.NotAFolder ? default : throw Error(path);

        // struct statx: stx_mode at 28, stx_size at 40.
        var kind = (BinaryPrimitives.ReadUInt16LittleEndian(result[28..]) & TypeMask) switch
        {
            0x8000 => DiskKind.File,
            0xA000 => DiskKind.Link,
            0x4000 => DiskKind.Folder,
            _ => DiskKind.Other,
        };
        return new DiskEntry(kind, BinaryPrimitives.ReadInt64LittleEndian(result[40..]));
    }

    public void MakeFolder(string path)
    {
        if (LinuxCalls.mkdirat(_number, path, FolderMode) != 0)
            throw Error(path);
    }

    public void WriteFile(string path, ReadOnlySpan<byte> bytes)
    {
        const int Flags = LinuxCalls.WriteOnly | LinuxCalls.Create | LinuxCalls.Exclusive | LinuxCalls.CloseOnExec;
        var file = LinuxCalls.openat(_number, path, Flags | LinuxCalls.NoFollow, FileMode);
        if (file < 0)
            throw Error(path);
        IOException? error = null;
        while (!bytes.IsEmpty && error is null)
        {
            // Short writes happen on network file systems and full disks.
            var written = LinuxCalls.write(file, bytes, bytes.Length);
            if (written <= 0)
                error = Error(path);
            else
                bytes = bytes[(int)written..];
        }

        // Network file systems report here what they could not store.
        if (LinuxCalls.close(file) != 0)
            error ??= Error(path);
        if (error is not null)
            throw error;
    }

    public void WriteLink(string path, string target)
    {
        if (LinuxCalls.symlinkat(target, _number, path) != 0)
            throw Error(path);
    }

    public byte[]? Read(string path, int most)
    {
        var buffer = new byte[most + 1];
        var length = LinuxCalls.readlinkat(_number, path, buffer, buffer.Length);
        if (length >= 0)
            return length <= most ? buffer[..(int)length] : null;
        var file = LinuxCalls.openat(_number, path, LinuxCalls.NoFollow | LinuxCalls.NonBlocking | LinuxCalls.CloseOnExec, 0);
        if (file < 0)
            return null;
        var end = 0;
        nint count;
        while (end <= most && (count = LinuxCalls.read(file, buffer.AsSpan(end), buffer.Length - end)) != 0)
        {
            if (count < 0)
            {
                end = most + 1;
                break;
            }

            end += (int)count;
        }

        _ = LinuxCalls.close(file);
        return end <= most ? buffer[..end] : null;
    }

    public bool Move(string from, string to, bool replace)
    {
        if (LinuxCalls.renameat2(_number, from, _number, to, replace ? 0 : LinuxCalls.NoReplace) == 0)
            return true;
        var code = Marshal.GetLastPInvokeError();
        if (!replace && code is LinuxCalls.Invalid or LinuxCalls.NotImplemented)
        {
            // NFS, CIFS and FUSE do not support the flag: check first, then rename.
            if (Stat(to).Kind != DiskKind.None)
                return false;
            if (LinuxCalls.renameat2(_number, from, _number, to, 0) == 0)
                return true;
            code = Marshal.GetLastPInvokeError();
        }

        return code is LinuxCalls.Exists or LinuxCalls.NotEmpty ? false : throw Error(to);
    }

    public void Remove(string path)
    {
        if (LinuxCalls.unlinkat(_number, path, 0) != 0 && Marshal.GetLastPInvokeError() != LinuxCalls.NoEntry)
            throw Error(path);
    }

    public bool RemoveFolder(string path)
    {
        if (LinuxCalls.unlinkat(_number, path, LinuxCalls.RemoveFolder) == 0 || Marshal.GetLastPInvokeError() == LinuxCalls.NoEntry)
            return true;
        return Marshal.GetLastPInvokeError() is LinuxCalls.NotEmpty or LinuxCalls.Exists or LinuxCalls.NotAFolder
            ? false : throw Error(path);
    }

    public void RemoveTree(string path) => Directory.Delete(Path.Combine(_folder, path), recursive: true);

    public void Sync()
    {
        if (LinuxCalls.syncfs(_number) != 0)
            throw Error("");
    }

    public void Dispose() => _root.Dispose();

    private IOException Error(string path)
    {
        var code = Marshal.GetLastPInvokeError();
        return new IOException(
            $"'{(path.Length == 0 ? _folder : Path.Combine(_folder, path))}': {Marshal.GetPInvokeErrorMessage(code)}", code);
    }
}

/// <summary>The system calls for small files, relative to a folder's handle.</summary>
internal static partial class LinuxCalls
{
    public const int WorkingFolder = -100;
    public const int WriteOnly = 1;
    public const int Create = 0x40;
    public const int Exclusive = 0x80;
    public const int NonBlocking = 0x800;
    public const int CloseOnExec = 0x80000;
    public const int RemoveFolder = 0x200;
    public const int SymlinkNoFollow = 0x100;
    public const int EmptyPath = 0x1000;
    public const uint MaskTypeAndSize = 0x201;
    public const uint MaskNumber = 0x100;
    public const uint NoReplace = 1;

    public const int NoEntry = 2;
    public const int Exists = 17;
    public const int NotAFolder = 20;
    public const int Invalid = 22;
    public const int NotImplemented = 38;
    public const int NotEmpty = 39;

    /// <summary>Size of struct statx in bytes, the same on all architectures.</summary>
    public const int StatLength = 256;

    // These values depend on the architecture (asm/fcntl.h).
    private static readonly bool IsArm = RuntimeInformation.ProcessArchitecture is Architecture.Arm64 or Architecture.Arm;

    public static int Folder => IsArm ? 0x4000 : 0x10000;

    public static int NoFollow => IsArm ? 0x8000 : 0x20000;

#pragma warning disable SA1300, IDE1006 // As the system calls are called.
    [LibraryImport("libc", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    public static partial int openat(int folder, string path, int flags, uint mode);

    [LibraryImport("libc", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    public static partial nint write(int file, ReadOnlySpan<byte> bytes, nint count);

    [LibraryImport("libc", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    public static partial nint read(int file, Span<byte> bytes, nint count);

    [LibraryImport("libc", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    public static partial int close(int file);

    [LibraryImport("libc", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    public static partial int mkdirat(int folder, string path, uint mode);

    [LibraryImport("libc", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    public static partial int symlinkat(string target, int folder, string path);

    [LibraryImport("libc", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    public static partial nint readlinkat(int folder, string path, Span<byte> target, nint length);

    [LibraryImport("libc", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    public static partial int statx(int folder, string path, int flags, uint mask, Span<byte> result);

    [LibraryImport("libc", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    public static partial int renameat2(int oldFolder, string oldPath, int newFolder, string newPath, uint flags);

    [LibraryImport("libc", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    public static partial int unlinkat(int folder, string path, int flags);

    [LibraryImport("libc", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    public static partial int syncfs(int file);
#pragma warning restore SA1300, IDE1006
}
