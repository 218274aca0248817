using System.Runtime.InteropServices;

namespace NzbDav.Catalog.Blobs;

/// <summary>Makes the names in a folder durable: after a rename, the file's content is safe but its name is not yet.</summary>
internal static partial class DirectorySync
{
    private const int InvalidArgument = 22;

    /// <exception cref="IOException">The disk reported an error.</exception>
    public static void Flush(string folder)
    {
        // Windows writes names through its journal and has no such call.
        if (OperatingSystem.IsWindows())
            return;
        var descriptor = Open(folder, 0);
        if (descriptor < 0)
            throw Failure(folder);
        try
        {
            // EINVAL: the file system (some network ones) cannot do this for folders.
            if (Synchronise(descriptor) != 0 && Marshal.GetLastPInvokeError() != InvalidArgument)
                throw Failure(folder);
        }
        finally
        {
            _ = Close(descriptor);
        }
    }

    /// <summary>Flushes all file systems. For many folders at once, where one call for each would take minutes.</summary>
    public static void FlushEverything()
    {
        if (!OperatingSystem.IsWindows())
            SynchroniseAll();
    }

    /// <summary>Flushes the file system that holds the folder; on Linux without waiting for other disks.</summary>
    /// <exception cref="IOException">The disk reported an error.</exception>
    public static void FlushFileSystem(string folder)
    {
        if (!OperatingSystem.IsLinux())
        {
            FlushEverything();
            return;
        }

        var descriptor = Open(folder, 0);
        if (descriptor < 0)
            throw Failure(folder);
        try
        {
            if (SynchroniseFileSystem(descriptor) != 0)
                throw Failure(folder);
        }
        finally
        {
            _ = Close(descriptor);
        }
    }

    private static IOException Failure(string folder) =>
        new($"{Marshal.GetLastPInvokeErrorMessage()} : '{folder}'", Marshal.GetLastPInvokeError());

    [LibraryImport("libc", EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int Open(string path, int flags);

    [LibraryImport("libc", EntryPoint = "fsync", SetLastError = true)]
    private static partial int Synchronise(int descriptor);

    [LibraryImport("libc", EntryPoint = "syncfs", SetLastError = true)]
    private static partial int SynchroniseFileSystem(int descriptor);

    [LibraryImport("libc", EntryPoint = "sync")]
    private static partial void SynchroniseAll();

    [LibraryImport("libc", EntryPoint = "close")]
    private static partial int Close(int descriptor);
}
