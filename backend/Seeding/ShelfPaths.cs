using NzbDav.Catalog.Tree;

namespace NzbDav.Seeding;

/// <summary>Finds the paths of a torrent's files in the tree.</summary>
/// <param name="tree">The tree.</param>
/// <param name="slot">The torrent.</param>
internal sealed class ShelfPaths(TreeStore tree, ShelfSlot slot)
{
    /// <summary>
    /// Returns the paths of files below the torrent's published folder, joined with '/', by item. Files elsewhere are left out.
    /// </summary>
    public async ValueTask<Dictionary<long, string>> FindAsync(IEnumerable<CatalogItem> files, CancellationToken cancellationToken)
    {
        var paths = new Dictionary<long, string>();
        var folders = new Dictionary<long, string?>();
        foreach (var file in files)
        {
            if (file.ParentId is not { } parent)
                continue;
            if (!folders.TryGetValue(parent, out var folder))
                folders[parent] = folder = Below(await tree.GetPathAsync(parent, cancellationToken));
            if (folder is not null)
                paths[file.Id] = folder.Length == 0 ? file.Name : $"{folder}/{file.Name}";
        }

        return paths;
    }

    /// <summary>The path below the published folder; null if the given path is not in it.</summary>
    private string? Below(IReadOnlyList<string>? path)
    {
        // The first name is that of the content folder.
        var depth = slot.Path.Count + 1;
        return slot.Path.Count == 2 && path is not null && path.Count >= depth
            && path.Skip(1).Take(2).SequenceEqual(slot.Path, StringComparer.Ordinal) ? string.Join('/', path.Skip(depth)) : null;
    }
}
