using NzbDav.Catalog.Tree;

namespace NzbDav.Library.Links;

/// <summary>
/// The names of one folder's files in the style of addresses: <c>video.strm</c>, and <c>video.mkv.strm</c> where <c>video.mp4</c> stands beside it. Names do not depend on
/// what is listed, so none changes while the others are taken away. Immutable.
/// </summary>
internal sealed class AddressNames
{
    private readonly Dictionary<string, string> _shown = new(StringComparer.Ordinal);
    private readonly Dictionary<string, string> _files = new(StringComparer.Ordinal);

    /// <param name="children">All that is in the folder.</param>
    public AddressNames(IReadOnlyCollection<CatalogItem> children)
    {
        // Mounts may be case-insensitive.
        var files = children.Where(child => !child.IsCollection && !LinkNames.IsSideFile(child.Name)).Select(child => child.Name).ToList();
        var taken = children.Where(child => child.IsCollection || LinkNames.IsSideFile(child.Name)).Select(child => child.Name).ToHashSet(StringComparer.OrdinalIgnoreCase);
        var whole = new HashSet<string>(StringComparer.Ordinal);
        for (var before = -1; before < whole.Count;)
        {
            // A longer name may equal another file's short one: repeat until nothing changes.
            before = whole.Count;
            whole.UnionWith(files.GroupBy(Name, StringComparer.OrdinalIgnoreCase).Where(group => group.Count() > 1 || taken.Contains(group.Key)).SelectMany(group => group));
        }

        foreach (var file in files)
            Add(file, Name(file));
        foreach (var side in children.Where(child => !child.IsCollection && LinkNames.IsSideFile(child.Name)))
            Add(side.Name, side.Name);

        string Name(string file) => whole.Contains(file) ? file + LinkNames.Address : LinkNames.AddressOf(file);
    }

    /// <summary>The name under which a file of the folder is shown.</summary>
    public string Of(string file) => _shown.GetValueOrDefault(file) ?? file + LinkNames.Address;

    /// <summary>The file that a shown name stands for; null if it stands for none.</summary>
    public string? FileOf(string shown) => _files.GetValueOrDefault(shown);

    private void Add(string file, string shown)
    {
        _shown[file] = shown;
        _files.TryAdd(shown, file);
    }
}
