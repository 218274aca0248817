using System.Collections.Concurrent;
using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using Microsoft.Extensions.Logging;
using Microsoft.Win32.SafeHandles;
using NzbDav.Content;

namespace NzbDav.Usenet.Articles;

/// <summary>
/// Stores patches: articles that no provider has, repaired from recovery data. One file each, in a folder per post. An index in memory
/// answers lookups without disk access; without patches a reader pays nothing. A damaged file counts as missing. Thread-safe.
/// </summary>
public sealed partial class PatchFolder
{
    /// <summary>Suffix of a file being written.</summary>
    internal const string Unfinished = ".new";

    /// <summary>Most bytes of an article. Usual ones have several hundred kilobytes, the largest ever posted a few megabytes.</summary>
    private const int LargestArticle = SegmentKey.Most;

    private readonly string _folder;
    private readonly ILogger _logger;
    private readonly ConcurrentDictionary<string, string> _paths = new(StringComparer.Ordinal);

    /// <summary>Indexes the folder. Removes files left unfinished by a crash.</summary>
    /// <param name="folder">Created with the first patch, or by <see cref="EnsureRoom"/>.</param>
    /// <param name="logger">Logs files that cannot be read.</param>
    public PatchFolder(string folder, ILogger<PatchFolder> logger)
    {
        _folder = folder;
        _logger = logger;
        if (!Directory.Exists(folder))
            return;
        foreach (var path in Directory.EnumerateFiles(folder, "*", SearchOption.AllDirectories))
        {
            if (path.EndsWith(Unfinished, StringComparison.Ordinal))
                File.Delete(path);
            else
                _paths[Path.GetFileName(path)] = path;
        }
    }

    /// <summary>Path of the folder inside the configuration folder.</summary>
    public static string In(string configFolder) => Path.Combine(configFolder, "patches");

    /// <summary>Free bytes of the disk that holds a folder. Tests replace it.</summary>
    internal Func<string, long> Free { get; set; } = static folder => new DriveInfo(folder).AvailableFreeSpace;

    /// <summary>Number of patches.</summary>
    public int Count => _paths.Count;

    /// <summary>True if an article has a patch.</summary>
    /// <param name="ids">The article's ids as a segment stores them.</param>
    public bool Has(string ids) => !_paths.IsEmpty && _paths.ContainsKey(NameOf(ids));

    /// <summary>Creates the folder and checks that its disk has enough free space, if that is known.</summary>
    /// <param name="bytes">Bytes of the articles to be stored.</param>
    /// <exception cref="IOException">The folder cannot be created, or the disk has too little space.</exception>
    /// <exception cref="UnauthorizedAccessException">Creating the folder is not permitted.</exception>
    public void EnsureRoom(long bytes)
    {
        Directory.CreateDirectory(_folder);
        if (FreeBytes() is { } free && free < bytes)
            throw new IOException(string.Create(CultureInfo.InvariantCulture,
                $"They need {bytes / 1e6:0.#} MB in '{_folder}', and its disk has {free / 1e6:0.#} MB left. Free some space."));
    }

    /// <summary>
    /// Opens an empty scratch file for repair data that does not fit in memory. It is deleted when its handle is disposed; after a crash,
    /// the next start removes it.
    /// </summary>
    /// <param name="bytes">Space that the disk must have.</param>
    /// <exception cref="IOException">The folder cannot be created, or the disk has too little space.</exception>
    /// <exception cref="UnauthorizedAccessException">Writing there is not permitted.</exception>
    public SafeFileHandle OpenScratch(long bytes)
    {
        EnsureRoom(bytes);
        var path = Path.Combine(_folder, Guid.NewGuid().ToString("N") + Unfinished);
        return File.OpenHandle(
            path, FileMode.CreateNew, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete, FileOptions.DeleteOnClose);
    }

    /// <summary>Stores an article. It is on disk when this returns.</summary>
    /// <param name="post">Id of its post: letters, digits, '-' and '_'.</param>
    /// <param name="patch">The article.</param>
    /// <exception cref="IOException">The disk is full or broken.</exception>
    public void Add(string post, ArticlePatch patch)
    {
        ArgumentNullException.ThrowIfNull(patch);
        var folder = Path.Combine(_folder, post);
        Directory.CreateDirectory(folder);
        var name = NameOf(patch.Ids);
        var path = Path.Combine(folder, name);
        PatchFile.Write(path, patch);
        _paths[name] = path;
    }

    /// <summary>Reads an article; null if there is none, or it cannot be read.</summary>
    public ArticlePatch? TryRead(string ids)
    {
        var name = NameOf(ids);
        if (!_paths.TryGetValue(name, out var path))
            return null;
        if (PatchFile.TryRead(path, ids, LargestArticle) is { } patch)
            return patch;
        LogUnreadable(_logger, path);
        _paths.TryRemove(name, out _);
        return null;
    }

    /// <summary>The post that the patch of an article belongs to; null: it has none.</summary>
    /// <param name="ids">The article's ids as a segment stores them.</param>
    public string? PostOf(string ids) => !_paths.IsEmpty && _paths.TryGetValue(NameOf(ids), out var path) ? PostAt(path) : null;

    /// <summary>The posts that have patches.</summary>
    public IReadOnlyCollection<string> ListPosts() => [.. _paths.Values.Select(PostAt).Distinct(StringComparer.Ordinal)];

    /// <summary>
    /// Removes the patches of a post. If another post also has a patch of an article, the article belongs to that post from then on.
    /// </summary>
    /// <param name="post">As given to <see cref="Add"/>.</param>
    /// <exception cref="IOException">The disk is broken, or files cannot be removed.</exception>
    /// <exception cref="UnauthorizedAccessException">Removing files is not permitted.</exception>
    public void Remove(string post)
    {
        var removed = _paths.Where(entry => PostAt(entry.Value) == post).ToArray();
        foreach (var entry in removed)
            _paths.TryRemove(entry);
        var folder = Path.Combine(_folder, post);
        if (Directory.Exists(folder))
            Directory.Delete(folder, recursive: true);
        if (removed.Length == 0)
            return;
        foreach (var other in Directory.EnumerateDirectories(_folder))
        {
            foreach (var (name, _) in removed)
            {
                if (Path.Combine(other, name) is var path && File.Exists(path))
                    _paths.TryAdd(name, path);
            }
        }
    }

    private long? FreeBytes()
    {
        try
        {
            return Free(_folder);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            return null;
        }
    }

    private static string PostAt(string path) => Path.GetFileName(Path.GetDirectoryName(path))!;

    private static string NameOf(string ids) => Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(ids)).AsSpan(0, 16));

    [LoggerMessage(130, LogLevel.Warning, "{Path} cannot be read, or is damaged: the article that it holds is taken as gone.")]
    private static partial void LogUnreadable(ILogger logger, string path);
}
