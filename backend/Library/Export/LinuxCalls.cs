using System.Runtime.InteropServices;

namespace NzbDav.Library.Export;

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
    public const int LookAtLink = 0x100;
    public const int LookAtHandle = 0x1000;
    public const uint MaskTypeAndSize = 0x201;
    public const uint MaskNumber = 0x100;
    public const uint NoReplace = 1;

    public const int NoEntry = 2;
    public const int Exists = 17;
    public const int NotAFolder = 20;
    public const int Invalid = 22;
    public const int NotImplemented = 38;
    public const int NotEmpty = 39;

    /// <summary>Bytes of a struct statx, which is the same on all architectures.</summary>
    public const int StatLength = 256;

    // The kernel numbers these by architecture (asm/fcntl.h).
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
