using System.Runtime.InteropServices;

namespace NzbDav.Catalog;

/// <summary>Gives a file a second name, which costs no space; copies it where the file system cannot.</summary>
internal static partial class FileLink
{
    private const int AlreadyThere = 17;
    private const int BufferSize = 4096;

    /// <summary>Puts the file there. One that is there already stays.</summary>
    /// <returns>False if there is no such file.</returns>
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

    /// <summary>Writes a file beside its place, brings it to the disk and renames it.</summary>
    public static void Write(Stream source, string target)
    {
        var unfinished = $"{target}.{Guid.NewGuid():n}{BlobStore.TemporarySuffix}";
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

    /// <summary>Writes a file of a state that counts only once all of it was brought to the disk.</summary>
    public static void WriteUnsynced(Stream source, string target)
    {
        using var file = Create(target);
        source.CopyTo(file);
    }

    /// <summary>A new file that its user alone may read: backups hold keys and passwords.</summary>
    public static FileStream Create(string path) => Create(path, BufferSize);

    /// <summary>As <see cref="Create(string)"/>, for one write.</summary>
    public static FileStream CreateUnbuffered(string path) => Create(path, bufferSize: 0);

    /// <summary>A folder that its user alone may enter.</summary>
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
