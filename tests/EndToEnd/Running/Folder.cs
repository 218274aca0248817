using System.Security.Cryptography;

namespace NzbDav.EndToEnd.Tests.Running;

/// <summary>A temporary folder, deleted on disposal.</summary>
internal sealed class Folder : IDisposable
{
    public string Path { get; } = Directory.CreateTempSubdirectory("nzbdav-e2e-").FullName;

    /// <summary>Leftovers of interrupted writes: intake files and unfinished blobs.</summary>
    public IEnumerable<string> Leftovers =>
        Directory.EnumerateFiles(Path, "*.tmp", SearchOption.AllDirectories).Where(File.Exists);

    /// <summary>Writes a file into the folder.</summary>
    public string Write(string name, byte[] bytes)
    {
        var path = System.IO.Path.Combine(Path, name);
        File.WriteAllBytes(path, bytes);
        return path;
    }

    /// <summary>The hash of each file, by path.</summary>
    public Dictionary<string, string> Digests() => Directory.EnumerateFiles(Path, "*", SearchOption.AllDirectories)
        .ToDictionary(path => path, path => Convert.ToHexString(SHA256.HashData(File.ReadAllBytes(path))), StringComparer.Ordinal);

    public void Dispose()
    {
        TestEngine.Drop(Path);
        Directory.Delete(Path, recursive: true);
    }
}
