using System.Runtime.InteropServices;
using NzbDav.Catalog.Blobs;

namespace NzbDav.Catalog.Backup;

/// <summary>Creates a hard link to a file, which costs no space, or a copy where the file system has no hard links.</summary>
internal static partial class FileLink
{
    private const int AlreadyThere = 17;
    private const int BufferSize = 4096;

    /// <summary>Links or copies the file. An existing target stays.</summary>
    /// <returns>False if the file does not exist.</returns>
    /// <exception cref="IOException">It can be neither linked nor copied.</exception>
    public static bool Put(string source, string target)
    {
        if (File.Exists(target))
            return true;
        if (!File.Exists(source))
            return false;
        if (!OperatingSystem.IsWindows() && (Link(source, target) == 0 || Marshal.GetLastPInvokeError() == AlreadyThere))
            return true;
        try
        {
            using var from = new FileStream(source, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
            Write(from, target);
            return true;
        }
        catch (Exception e) when (e is FileNotFoundException or DirectoryNotFoundException)
        {
            return false;
        }
    }

    /// <summary>Writes a temporary file beside the target, syncs it and renames it.</summary>
    public static void Write(Stream source, string target)
    {
        var unfinished = $"{target}.{Guid.NewGuid():n}{BlobFile.TemporarySuffix}";
        try
        {
            using (var file = Create(unfinished))
            {
                source.CopyTo(file);
                file.Flush(flushToDisk: true);
            }

            File.Move(unfinished, target, overwrite: true);
        }
        finally
        {
            File.Delete(unfinished);
        }
    }

    /// <summary>Writes a file without a sync, for a folder that is synced as a whole later.</summary>
    public static void WriteUnsynced(Stream source, string target)
    {
        using var file = Create(target);
        source.CopyTo(file);
    }

    /// <summary>Creates a file that only its owner may read: backups hold keys and passwords.</summary>
    public static FileStream Create(string path) => Create(path, BufferSize);

    /// <summary>Like <see cref="Create(string)"/>, for a single write.</summary>
    public static FileStream CreateUnbuffered(string path) => Create(path, bufferSize: 0);

    /// <summary>Creates a folder that only its owner may enter.</summary>
    public static void CreateFolder(string path)
    {
        if (OperatingSystem.IsWindows())
            Directory.CreateDirectory(path);
        else
            Directory.CreateDirectory(path, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
    }

    private static FileStream Create(string path, int bufferSize)
    {
        var options = new FileStreamOptions { Mode = FileMode.CreateNew, Access = FileAccess.ReadWrite, BufferSize = bufferSize };
        if (!OperatingSystem.IsWindows())
            options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        return new FileStream(path, options);
    }

    [LibraryImport("libc", EntryPoint = "link", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int Link(string source, string target);
}
