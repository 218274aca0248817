using Microsoft.Win32.SafeHandles;

namespace NzbDav.Torrents.Storage;

/// <summary>
/// Writes large buffers to a file in slices small enough that the page cache can reuse memory. A file that may not grow any more (EFBIG:
/// more than the file system allows, or <c>ulimit -f</c>) causes an <see cref="IOException"/>, like all other errors of a disk; .NET throws
/// an <see cref="ArgumentOutOfRangeException"/>.
/// </summary>
internal static class SlicedFile
{
    /// <summary>
    /// Bytes per call of pwrite(2). A file system with large folios (ext4 since Linux 6.16, XFS) keeps what one call writes in one run of
    /// physical pages, up to 2 MiB long. Runs of 1 MiB are mostly found in memory that was never touched or was returned to a hypervisor,
    /// where each page costs a fault in the host. Shorter runs are left behind by other files. Measured in a virtual machine: writing 1 GiB
    /// costs 1.2–1.4 s with calls of 1 MiB, 0.25–0.4 s with calls of 64 to 512 KiB.
    /// </summary>
    public const int Slice = 256 << 10;

    /// <summary>Writes all bytes.</summary>
    /// <param name="file">Open for writing.</param>
    /// <param name="bytes">The bytes to write.</param>
    /// <param name="offset">Offset of the first byte in the file.</param>
    /// <exception cref="IOException">The disk is full or broken: a part may have been written.</exception>
    public static void Write(SafeFileHandle file, ReadOnlySpan<byte> bytes, long offset)
    {
        while (!bytes.IsEmpty)
        {
            var slice = bytes[..Math.Min(bytes.Length, Slice)];
            try
            {
                RandomAccess.Write(file, slice, offset);
            }
            catch (ArgumentOutOfRangeException error)
            {
                throw TooLarge(offset + slice.Length, error);
            }

            bytes = bytes[slice.Length..];
            offset += slice.Length;
        }
    }

    /// <summary>Sets a file's length.</summary>
    /// <param name="file">Open for writing.</param>
    /// <param name="length">In bytes.</param>
    /// <exception cref="IOException">The disk is full or broken, or does not allow files of this length.</exception>
    public static void SetLength(SafeFileHandle file, long length)
    {
        try
        {
            RandomAccess.SetLength(file, length);
        }
        catch (ArgumentOutOfRangeException error)
        {
            throw TooLarge(length, error);
        }
    }

    private static IOException TooLarge(long length, Exception error) =>
        new($"A file of {length} bytes is larger than the file system or a limit of this process (ulimit -f) allows. FAT32 allows 4 GiB.",
            error);
}
