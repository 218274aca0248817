using System.Diagnostics;
using System.Security.Cryptography;

namespace NzbDav.EndToEnd.Tests.Running;

/// <summary>A temporary folder, deleted on disposal.</summary>
/// <param name="inside">Where it is made; null: where all are.</param>
internal sealed class Folder(string? inside = null) : IDisposable
{
    public string Path { get; } = inside is null
        ? Directory.CreateTempSubdirectory("nzbdav-e2e-").FullName
        : Directory.CreateDirectory(System.IO.Path.Combine(inside, "config")).FullName;

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

    /// <summary>
    /// A copy of the folder as a kill of its server would leave it at this moment: what was written is in the page cache, which outlives a
    /// process. Another process copies, because closing a file releases the locks that this one has on it.
    /// </summary>
    public Folder Fork()
    {
        var copy = new Folder();
        using var cp = Process.Start("cp", ["-r", Path + "/.", copy.Path]);
        cp.WaitForExit();
        Assert.Equal(0, cp.ExitCode);
        return copy;
    }

    /// <summary>What a server with this folder has logged so far.</summary>
    public string Log() => string.Concat(Directory.GetFiles(System.IO.Path.Combine(Path, "logs")).Select(static file =>
    {
        using var stream = new FileStream(file, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        return new StreamReader(stream).ReadToEnd();
    }));

    /// <summary>The hash of each file, by path.</summary>
    public Dictionary<string, string> Digests() => Directory.EnumerateFiles(Path, "*", SearchOption.AllDirectories)
        .ToDictionary(path => path, path => Convert.ToHexString(SHA256.HashData(File.ReadAllBytes(path))), StringComparer.Ordinal);

    public void Dispose()
    {
        TestEngine.Drop(Path);
        Directory.Delete(Path, recursive: true);
    }
}
