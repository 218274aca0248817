using System.Text;

namespace NzbDav.Library.Export;

/// <summary>
/// An exported folder on systems other than Linux, by the framework's file functions. Every call resolves its path again.
/// </summary>
/// <param name="folder">The folder.</param>
internal sealed class PortableDisk(string folder) : IExportDisk
{
    // A path that is resolved again for every call always leads to the current folder.
    public bool IsInPlace() => true;

    public DiskEntry Stat(string path)
    {
        var file = new FileInfo(Full(path));
        if (file.LinkTarget is { } target)
            return new DiskEntry(DiskKind.Link, Encoding.UTF8.GetByteCount(target));
        if (file.Exists)
            return new DiskEntry(DiskKind.File, file.Length);
        return new DiskEntry(Directory.Exists(Full(path)) ? DiskKind.Folder : DiskKind.None, 0);
    }

    public void MakeFolder(string path) => Directory.CreateDirectory(Full(path));

    public void WriteFile(string path, ReadOnlySpan<byte> bytes)
    {
        using var file = new FileStream(Full(path), FileMode.CreateNew, FileAccess.Write, FileShare.None, bufferSize: 0);
        file.Write(bytes);
    }

    public void WriteLink(string path, string target) => File.CreateSymbolicLink(Full(path), target);

    public byte[]? Read(string path, int most)
    {
        var entry = Stat(path);
        if (entry.Size > most)
            return null;
        return entry.Kind switch
        {
            DiskKind.Link => Encoding.UTF8.GetBytes(new FileInfo(Full(path)).LinkTarget!),
            DiskKind.File => File.ReadAllBytes(Full(path)),
            _ => null,
        };
    }

    public bool Move(string from, string to, bool replace)
    {
        var there = Stat(to).Kind;
        if (there == DiskKind.Folder || (there != DiskKind.None && !replace))
            return false;
        if (Stat(from).Kind == DiskKind.Folder)
            Directory.Move(Full(from), Full(to));
        else
            File.Move(Full(from), Full(to), replace);
        return true;
    }

    public void Remove(string path) => File.Delete(Full(path));

    public bool RemoveFolder(string path)
    {
        var full = Full(path);
        if (!Directory.Exists(full))
            return true;
        if (new DirectoryInfo(full).LinkTarget is not null || Directory.EnumerateFileSystemEntries(full).Any())
            return false;
        Directory.Delete(full);
        return true;
    }

    public void RemoveTree(string path) => Directory.Delete(Full(path), recursive: true);

    /// <summary>Does nothing: .NET has no call for this, and the system writes the files soon by itself.</summary>
    public void Sync()
    {
    }

    public void Dispose()
    {
    }

    private string Full(string path) => Path.Combine(folder, path.Replace('/', Path.DirectorySeparatorChar));
}
