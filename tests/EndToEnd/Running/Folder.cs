namespace NzbDav.EndToEnd.Tests.Running;

/// <summary>A folder of a test's own, gone at its end.</summary>
internal sealed class Folder : IDisposable
{
    public string Path { get; } = Directory.CreateTempSubdirectory("nzbdav-e2e-").FullName;

    /// <summary>Files that are left of writes that did not end: intake files and unfinished blobs.</summary>
    public IEnumerable<string> Leftovers =>
        Directory.EnumerateFiles(Path, "*.tmp", SearchOption.AllDirectories).Where(File.Exists);

    /// <summary>Writes a file into it.</summary>
    public string Write(string name, byte[] bytes)
    {
        var path = System.IO.Path.Combine(Path, name);
        File.WriteAllBytes(path, bytes);
        return path;
    }

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
