using NzbDav.WebDav.Store;

namespace NzbDav.Mount;

/// <summary>
/// The last listings of large folders: media servers list them again and again, and reading 10,000 items from the catalog takes longer than
/// to write them. Each is kept until its folder changes. Thread-safe.
/// </summary>
internal sealed class FolderListings
{
    /// <summary>Smaller folders are read from the catalog in a few milliseconds.</summary>
    public const int LeastItems = 200;

    /// <summary>Items of all listings. The nodes hold nearly all of them anyway, so a listing costs its references.</summary>
    public const int MostItems = 100_000;

    private readonly Lock _gate = new();

    /// <summary>The one used last is at the end.</summary>
    private readonly List<(Node Folder, string Version, List<IStoreItem> Items)> _listings = [];

    /// <summary>The listing of a folder; null: it is not kept. It must not be changed.</summary>
    /// <param name="folder">The folder.</param>
    /// <param name="version">Its present version: a change by another process is reported late, or not at all.</param>
    public List<IStoreItem>? Find(Node folder, string version)
    {
        lock (_gate)
        {
            if (_listings.FindIndex(kept => kept.Folder == folder && kept.Version == version) is var at and >= 0)
            {
                var found = _listings[at];
                _listings.RemoveAt(at);
                _listings.Add(found);
                return found.Items;
            }
        }

        return null;
    }

    /// <summary>Keeps a listing if it is worth it.</summary>
    /// <param name="folder">The folder.</param>
    /// <param name="version">Its version from before it was read.</param>
    /// <param name="items">All its items.</param>
    /// <param name="changes"><see cref="Node.Changes"/> from before it was read: what has changed since, it may lack.</param>
    public void Keep(Node folder, string version, List<IStoreItem> items, int changes)
    {
        if (items.Count is < LeastItems or > MostItems)
            return;
        lock (_gate)
        {
            // Under the lock: a change counts first, and drops the listing then.
            if (folder.Changes != changes || folder.IsDetached)
                return;
            _listings.RemoveAll(kept => kept.Folder == folder);
            _listings.Add((folder, version, items));
            while (_listings.Sum(static kept => kept.Items.Count) > MostItems)
                _listings.RemoveAt(0);
        }
    }

    /// <summary>The folder has changed.</summary>
    public void Drop(Node folder)
    {
        lock (_gate)
            _listings.RemoveAll(kept => kept.Folder == folder);
    }
}
