using System.Globalization;
using System.Text;
using NzbDav.Catalog.Database;
using NzbDav.Content;
using NzbDav.WebDav.Store;

namespace NzbDav.Library.Scratch;

/// <summary>
/// A folder on disk that clients may write to freely: <c>/scratch</c>. Files are written beside it and renamed into place, so that each is
/// complete or absent. Links are not followed and not shown. Thread-safe.
/// </summary>
public sealed class ScratchFolder
{
    /// <summary>Its name at the top of the tree.</summary>
    internal const string Top = "scratch";

    private const int LongestName = 255;

    private readonly string _temporary;
    private readonly TimeProvider _time;
    private long _lastStamp;

    /// <summary>Opens the folder, creates it if it is missing, and deletes what an earlier process left unfinished.</summary>
    /// <param name="folder">May be on a disk of its own. <c>files/</c> and <c>unfinished/</c> are created in it.</param>
    /// <param name="pool">Lends read buffers.</param>
    /// <param name="time">Clock.</param>
    public ScratchFolder(string folder, BufferPool pool, TimeProvider time)
    {
        ArgumentNullException.ThrowIfNull(folder);
        Root = Path.Combine(Path.GetFullPath(folder), "files");
        _temporary = Path.Combine(Path.GetFullPath(folder), "unfinished");
        Pool = pool;
        _time = time;
        Directory.CreateDirectory(Root);
        if (Directory.Exists(_temporary))
            Directory.Delete(_temporary, recursive: true);
        Directory.CreateDirectory(_temporary);
    }

    internal string Root { get; }

    internal BufferPool Pool { get; }

    /// <summary>A new path for an unfinished item.</summary>
    internal string Unfinished() => Path.Combine(_temporary, Guid.NewGuid().ToString("N"));

    /// <summary>
    /// Sets the modification time of a finished file: now, but later than that of every file before it. It is part of the entity tag, and
    /// the disk's own clock may stand still for milliseconds.
    /// </summary>
    internal void Stamp(string path)
    {
        while (true)
        {
            var last = Interlocked.Read(ref _lastStamp);

            // Microseconds: every current file system stores them.
            var next = Math.Max(_time.GetUtcNow().UtcTicks / 10 * 10, last + 10);
            if (Interlocked.CompareExchange(ref _lastStamp, next, last) != last)
                continue;
            File.SetLastWriteTimeUtc(path, new DateTime(next, DateTimeKind.Utc));
            return;
        }
    }

    /// <summary>The result of a write that an exception of the file system ended.</summary>
    internal StoreWriteResult Failed(Exception error) => error switch
    {
        DirectoryNotFoundException or FileNotFoundException => StoreWriteResult.Conflict("The folder or the file is not there any more."),
        PathTooLongException => StoreWriteResult.Invalid("The name or the path is too long for the disk."),
        _ => FileFaults.WhileWriting(error, Root) switch
        {
            { Fault: CatalogFault.DiskFull } => StoreWriteResult.InsufficientStorage,
            var fault => StoreWriteResult.Unavailable(fault.Message),
        },
    };

    /// <summary>True for a name that the disk accepts.</summary>
    internal static bool IsName(string name) =>
        Encoding.UTF8.GetByteCount(name) <= LongestName && name.AsSpan().IndexOfAny(Path.GetInvalidFileNameChars()) < 0
        && (!OperatingSystem.IsWindows() || name[^1] is not ('.' or ' '));

    internal static string Tag(FileSystemInfo info, long size) =>
        string.Create(CultureInfo.InvariantCulture, $"\"{size:x}-{info.LastWriteTimeUtc.Ticks:x}\"");
}

/// <summary>Finds the items of a scratch folder on its disk. Links are not followed. Stateless, thread-safe.</summary>
internal static class ScratchTree
{
    /// <summary>The item at a path of names below the folder; null if there is none.</summary>
    public static IStoreItem? Find(ScratchFolder folder, ReadOnlySpan<string> names)
    {
        var path = folder.Root;
        for (var i = 0; i < names.Length; i++)
        {
            if (!ScratchFolder.IsName(names[i]))
                return null;
            path = Path.Combine(path, names[i]);

            // Checked at each level: a link in the middle could lead out of the folder.
            if (Item(folder, path) is not { } item || (item is ScratchFile && i < names.Length - 1))
                return null;
        }

        return names.IsEmpty ? new ScratchCollection(folder, new DirectoryInfo(folder.Root), ScratchFolder.Top) : Item(folder, path);
    }

    /// <summary>The item at a path on the disk; null if there is none, or it is a link.</summary>
    public static IStoreItem? Item(ScratchFolder folder, string path)
    {
        var directory = new DirectoryInfo(path);
        if (directory.Exists)
            return directory.LinkTarget is null ? new ScratchCollection(folder, directory, directory.Name) : null;
        var file = new FileInfo(path);
        return file.Exists && file.LinkTarget is null ? new ScratchFile(folder, file) : null;
    }
}
