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
        return new PageFile(path, type, immutable, Convert.ToHexStringLower(SHA256.HashData(content).AsSpan(0, 12)), LengthOf(path + ".br"),
            LengthOf(path + ".gz"), content.Length);
    }

    private static long? LengthOf(string path) => new FileInfo(path) is { Exists: true } file ? file.Length : null;
}

/// <summary>A file of the built page on disk.</summary>
/// <param name="Path">Its path on disk.</param>
/// <param name="ContentType">Its media type, with a charset for text.</param>
/// <param name="IsImmutable">True if its name contains a hash of its content: browsers may cache it forever.</param>
/// <param name="Hash">Hash of its content. The ETags of compressed copies append their coding.</param>
/// <param name="Brotli">Length of the copy at <c>Path.br</c>; null: there is none.</param>
/// <param name="Gzip">Length of the copy at <c>Path.gz</c>; null: there is none.</param>
/// <param name="Length">Bytes.</param>
internal sealed record PageFile(string Path, string ContentType, bool IsImmutable, string Hash, long? Brotli, long? Gzip, long Length);

/// <summary>The folder of the built page, next to the program. Thread-safe.</summary>
internal sealed class PageFolder
{
    private volatile PageBundle? _bundle;

    /// <summary>The folder. Tests use another one.</summary>
    public string Path { get; set; } = System.IO.Path.Combine(AppContext.BaseDirectory, "page");

    /// <summary>
    /// The latest build of the page; null if it is not built. Checks the time of one file, and reads everything again when that has
    /// changed: the page may be built while the server runs.
    /// </summary>
    public PageBundle? Current
    {
        get
        {
            var known = _bundle;
            if (known is not null && File.GetLastWriteTimeUtc(System.IO.Path.Combine(Path, "index.html")) == known.BuiltAt)
                return known;
            return _bundle = PageBundle.TryRead(Path) ?? known;
        }
    }

    /// <summary>The page as last read, without accessing the disk.</summary>
    public PageBundle? Known => _bundle ?? Current;
}
