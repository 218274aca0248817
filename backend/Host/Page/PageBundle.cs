using System.Collections.Frozen;
using System.Security.Cryptography;

namespace NzbDav.Host.Page;

/// <summary>A built page: the output of <c>npm run build</c> in a folder. Immutable.</summary>
internal sealed class PageBundle
{
    /// <summary>Below this folder each file name contains a hash of the content.</summary>
    private const string Hashed = "assets/";

    private static readonly FrozenDictionary<string, string> Types = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase)
    {
        [".js"] = "text/javascript; charset=utf-8",
        [".css"] = "text/css; charset=utf-8",
        [".svg"] = "image/svg+xml",
        [".json"] = "application/json",
        [".webmanifest"] = "application/manifest+json",
        [".txt"] = "text/plain; charset=utf-8",
        [".png"] = "image/png",
        [".webp"] = "image/webp",
        [".ico"] = "image/x-icon",
        [".woff2"] = "font/woff2",
    }.ToFrozenDictionary(StringComparer.OrdinalIgnoreCase);

    private readonly FrozenDictionary<string, PageFile> _files;

    private PageBundle(string index, DateTime builtAt, FrozenDictionary<string, PageFile> files)
    {
        Index = index;
        BuiltAt = builtAt;
        _files = files;
    }

    /// <summary>Text of index.html.</summary>
    public string Index { get; }

    /// <summary>When index.html was written, which is the last step of a build.</summary>
    public DateTime BuiltAt { get; }

    /// <summary>Reads the folder; null if it holds no built page.</summary>
    public static PageBundle? TryRead(string folder)
    {
        var index = Path.Combine(folder, "index.html");
        if (!File.Exists(index))
            return null;
        try
        {
            var builtAt = File.GetLastWriteTimeUtc(index);
            var files = new Dictionary<string, PageFile>(StringComparer.Ordinal);
            foreach (var path in Directory.EnumerateFiles(folder, "*", SearchOption.AllDirectories))
            {
                var name = Path.GetRelativePath(folder, path).Replace('\\', '/');
                if (Types.TryGetValue(Path.GetExtension(path), out var type))
                    files[name] = Describe(path, type, name.StartsWith(Hashed, StringComparison.Ordinal));
            }

            return new PageBundle(File.ReadAllText(index), builtAt, files.ToFrozenDictionary(StringComparer.Ordinal));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // A build is in progress.
            return null;
        }
    }

    /// <summary>The file at a path, which begins with a slash; null if there is none.</summary>
    public PageFile? Find(string path) => _files.GetValueOrDefault(path.TrimStart('/'));

    private static PageFile Describe(string path, string type, bool immutable)
    {
        using var content = File.OpenRead(path);
        return new PageFile(path, type, immutable, Convert.ToHexStringLower(SHA256.HashData(content).AsSpan(0, 12)), LengthOf(path + ".br"), LengthOf(path + ".gz"), content.Length);
    }

    private static long? LengthOf(string path) => new FileInfo(path) is { Exists: true } file ? file.Length : null;
}
