using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace NzbDav.Usenet.Disk;

/// <summary>The file system as the disk cache uses it. Tests override members to inject faults. Thread-safe.</summary>
/// <param name="use">How to use the page cache.</param>
internal partial class CacheFiles(PageCacheUse use = PageCacheUse.Bypassed)
{
    private const int SetStatusFlags = 4; // F_SETFL
    private const int DontNeed = 4; // POSIX_FADV_DONTNEED
    private const uint WriteAndWait = 7; // SYNC_FILE_RANGE_WAIT_BEFORE | _WRITE | _WAIT_AFTER

    private volatile bool _refusesDirect;

    /// <summary>The mode in effect: a configured mode is given up when the file system refuses it.</summary>
    public PageCacheUse Use =>
        !OperatingSystem.IsLinux() ? PageCacheUse.Kept : use == PageCacheUse.Bypassed && _refusesDirect ? PageCacheUse.Dropped : use;

    public virtual SafeFileHandle Create(string path) =>
        Prepare(File.OpenHandle(path, FileMode.Create, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete));

    public virtual SafeFileHandle Open(string path, FileAccess access) =>
        Prepare(File.OpenHandle(path, FileMode.Open, access, FileShare.ReadWrite | FileShare.Delete));

    public virtual void Write(SafeFileHandle file, ReadOnlySpan<byte> bytes, long offset)
    {
        RandomAccess.Write(file, bytes, offset);
        if (Use != PageCacheUse.Dropped)
            return;

        // Only pages already written to the disk can be dropped.
        _ = SyncFileRange(file, offset, bytes.Length, WriteAndWait);
        _ = Advise(file, offset, bytes.Length, DontNeed);
    }

    /// <returns>Bytes read: fewer only at the end of the file.</returns>
    public virtual int Read(SafeFileHandle file, Span<byte> bytes, long offset)
    {
        var filled = 0;
        while (filled < bytes.Length)
        {
            var count = RandomAccess.Read(file, bytes[filled..], offset + filled);
            filled += count;
            if (count == 0 || filled % CacheRecord.Block != 0)
                break;
        }

        if (Use == PageCacheUse.Dropped)
            _ = Advise(file, offset, bytes.Length, DontNeed);
        return filled;
    }

    public virtual void Delete(string path) => File.Delete(path);

    /// <summary>Bytes that can still be written to the file system of a folder.</summary>
    public virtual long FreeBytes(string folder) => new DriveInfo(folder).AvailableFreeSpace;

    private SafeFileHandle Prepare(SafeFileHandle file)
    {
        // File systems without O_DIRECT return EINVAL.
        if (Use == PageCacheUse.Bypassed && Control(file, SetStatusFlags, DirectFlag) != 0)
            _refusesDirect = true;
        return file;
    }

    /// <summary>O_DIRECT as defined by the kernel headers of the architecture.</summary>
    private static int DirectFlag => RuntimeInformation.ProcessArchitecture is Architecture.Arm or Architecture.Arm64 ? 0x10000 : 0x4000;

    [LibraryImport("libc", EntryPoint = "fcntl")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int Control(SafeFileHandle file, int command, int argument);

    [LibraryImport("libc", EntryPoint = "posix_fadvise")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int Advise(SafeFileHandle file, long offset, long length, int advice);

    [LibraryImport("libc", EntryPoint = "sync_file_range")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int SyncFileRange(SafeFileHandle file, long offset, long length, uint flags);
}

/// <summary>
/// How the files use the system's page cache. Articles that are read repeatedly stay in this program's memory, so the system's copy would
/// only evict pages that others need.
/// </summary>
internal enum PageCacheUse
{
    /// <summary>O_DIRECT: bypasses it. Falls back to <see cref="Dropped"/> where the file system refuses O_DIRECT.</summary>
    Bypassed,

    /// <summary>Uses it, but drops the pages after each write and read.</summary>
    Dropped,

    /// <summary>Uses it.</summary>
    Kept,
}

/// <summary>Unmanaged memory at an address suitable for O_DIRECT. Owned by one thread.</summary>
internal sealed unsafe class AlignedMemory : IDisposable
{
    private void* _pointer;
    private int _size;

    /// <summary>Returns memory of at least this size. If it must grow, the previous contents are lost.</summary>
    public Span<byte> EnsureSize(int bytes)
    {
        if (bytes > _size)
        {
            Dispose();
            _pointer = NativeMemory.AlignedAlloc((nuint)bytes, CacheRecord.Block);
            _size = bytes;
        }

        return new Span<byte>(_pointer, bytes);
    }

    public void Dispose()
    {
        NativeMemory.AlignedFree(_pointer);
        _pointer = null;
        _size = 0;
    }
}
