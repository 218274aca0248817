using System.Collections.Frozen;
using NzbDav.Catalog.Tree;
using NzbDav.WebDav.Store;

namespace NzbDav.Library.Links;

/// <summary>The names of files in <c>/completed-symlinks</c>.</summary>
internal static class LinkNames
{
    /// <summary>rclone's suffix for symbolic links.</summary>
    public const string Link = IStoreLink.Suffix;

    /// <summary>The extension of text files with an address, as media servers know it.</summary>
    public const string Address = ".strm";

    /// <summary>Extensions of small files that media servers read beside a video: they are copied, not played.</summary>
    private static readonly FrozenSet<string> SideFiles = new[]
    {
        ".srt", ".sub", ".idx", ".ass", ".ssa", ".vtt", ".sup", ".smi", ".nfo", ".txt", ".xml", ".json", ".jpg", ".jpeg", ".png", ".gif",
            ".webp", ".bmp", ".cue", ".log", ".m3u", ".lrc",
    }.ToFrozenSet(StringComparer.OrdinalIgnoreCase);

    /// <summary>The name of a file's link.</summary>
    public static string LinkOf(string file) => file + Link;

    /// <summary>The file that a link's name stands for; null if it is not the name of a link.</summary>
    public static string? FileOfLink(string shown) =>
        shown.EndsWith(Link, StringComparison.Ordinal) && shown.Length > Link.Length ? shown[..^Link.Length] : null;

    /// <summary>
    /// The usual name of a file with an address: <c>video.strm</c> for <c>video.mkv</c>. A suffix that is not a known extension stays.
    /// </summary>
    public static string AddressOf(string file)
    {
        var stem = Path.GetFileNameWithoutExtension(file);
        return (stem.Length > 0 && MediaTypes.FromName(file) != MediaTypes.Default ? stem : file) + Address;
    }

    /// <summary>True if the file itself is listed where others are listed as addresses.</summary>
    public static bool IsSideFile(string file) => SideFiles.Contains(Path.GetExtension(file));
}

/// <summary>
/// The names of one folder's files as addresses: <c>video.strm</c>, or <c>video.mkv.strm</c> where <c>video.mp4</c> stands beside it. They
/// depend on all files of the folder, listed or not, so no name changes when others leave the list. Immutable.
/// </summary>
internal sealed class AddressNames
{
    private readonly Dictionary<string, string> _shown = new(StringComparer.Ordinal);
    private readonly Dictionary<string, string> _files = new(StringComparer.Ordinal);

    /// <param name="children">All items of the folder.</param>
    public AddressNames(IReadOnlyCollection<CatalogItem> children)
    {
        // Mounts may be case-insensitive.
        var files = children.Where(child => !child.IsCollection && !LinkNames.IsSideFile(child.Name)).Select(child => child.Name).ToList();
        var taken = children.Where(child => child.IsCollection || LinkNames.IsSideFile(child.Name)).Select(child => child.Name)
            .ToHashSet(StringComparer.OrdinalIgnoreCase);
        var whole = new HashSet<string>(StringComparer.Ordinal);
        for (var before = -1; before < whole.Count;)
        {
            // A longer name may equal another file's short one: repeat until nothing changes.
            before = whole.Count;
            whole.UnionWith(files.GroupBy(Name, StringComparer.OrdinalIgnoreCase)
                .Where(group => group.Count() > 1 || taken.Contains(group.Key)).SelectMany(group => group));
        }

        foreach (var file in files)
            Add(file, Name(file));
        foreach (var side in children.Where(child => !child.IsCollection && LinkNames.IsSideFile(child.Name)))
            Add(side.Name, side.Name);

        string Name(string file) => whole.Contains(file) ? file + LinkNames.Address : LinkNames.AddressOf(file);
    }

    /// <summary>The name under which a file of the folder is listed.</summary>
    public string Of(string file) => _shown.GetValueOrDefault(file) ?? file + LinkNames.Address;

    /// <summary>The file that a listed name stands for; null if there is none.</summary>
    public string? FileOf(string shown) => _files.GetValueOrDefault(shown);

    private void Add(string file, string shown)
    {
        _shown[file] = shown;
        _files.TryAdd(shown, file);
    }
}
