using System.Buffers;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace NzbDav.Torrents.Storage;

/// <summary>Copies a range of one file to another.</summary>
internal static partial class FileRange
{
    /// <summary>
    /// Copies with copy_file_range(2) where possible, otherwise through a buffer. File systems that can share blocks between files (Btrfs,
    /// XFS, bcachefs) then share the aligned ones, and no bytes are moved; others copy inside the kernel.
    /// </summary>
    /// <exception cref="IOException">The disk is full, or the source ends before the range does.</exception>
    public static void Copy(SafeFileHandle from, long fromOffset, SafeFileHandle to, long toOffset, long length)
    {
        while (length > 0 && OperatingSystem.IsLinux())
        {
            var count = CopyFileRange(from, ref fromOffset, to, ref toOffset, (nint)Math.Min(length, 1 << 30), 0);
            if (count <= 0)
                break;
            length -= count;
        }

        if (length == 0)
            return;
        var buffer = ArrayPool<byte>.Shared.Rent(SlicedFile.Slice);
        try
        {
            while (length > 0)
            {
                var count = RandomAccess.Read(from, buffer.AsSpan(0, (int)Math.Min(length, SlicedFile.Slice)), fromOffset);
                if (count == 0)
                    throw new IOException("The file ends before the range that is copied.");
                SlicedFile.Write(to, buffer.AsSpan(0, count), toOffset);
                fromOffset += count;
                toOffset += count;
                length -= count;
            }
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    [LibraryImport("libc", EntryPoint = "copy_file_range", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial nint CopyFileRange(
        SafeFileHandle from, ref long fromOffset, SafeFileHandle to, ref long toOffset, nint length, uint flags);
}
