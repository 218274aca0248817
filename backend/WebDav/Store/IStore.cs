namespace NzbDav.WebDav.Store;

/// <summary>The tree that WebDAV serves. Implemented by the host; one instance answers all requests. Thread-safe.</summary>
public interface IStore
{
    /// <summary>
    /// Looks up a path. Called at least once for every request, so it should use only memory; nothing upstream is opened. Names are
    /// compared ordinally. Ignores <see cref="StorePath.HasTrailingSlash"/>.
    /// </summary>
    /// <returns>The item, or <see langword="null"/> if there is none. The root always exists and is a collection.</returns>
    ValueTask<IStoreItem?> GetItemAsync(StorePath path, CancellationToken cancellationToken);

    /// <summary>
    /// Looks up the parent of a file that is about to be written. A store may create it where clients expect folders to appear when they
    /// are used; otherwise a missing parent is a 409.
    /// </summary>
    ValueTask<IStoreItem?> GetParentForWriteAsync(StorePath path, CancellationToken cancellationToken);

    /// <summary>
    /// True where names that desktops create (<c>._x</c>, <c>.DS_Store</c>, <c>desktop.ini</c>) may be real: in folders that clients write
    /// to. Elsewhere they get a 404 without a lookup. Depends on the path only.
    /// </summary>
    bool MayHoldJunk(StorePath path);

    /// <summary>
    /// True where PROPFIND may list everything below with <c>Depth: infinity</c>: in small parts of the tree, such as one job. Depends on
    /// the path only.
    /// </summary>
    bool MayListDeep(StorePath path);
}

/// <summary>Reports changes of the tree, also those that another gateway made. Thread-safe.</summary>
public interface IStoreChanges
{
    /// <summary>
    /// Children of these folders (<see cref="IStoreCollection.Id"/>) were added, removed, renamed or changed. Null: any folder's may have
    /// been. Raised on any thread; handlers must return quickly.
    /// </summary>
    event Action<IReadOnlyCollection<long>?>? ChildrenChanged;
}
