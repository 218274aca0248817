namespace NzbDav.WebDav.Store;

/// <summary>The tree that WebDAV serves. Implemented by the host; one instance answers all requests. Thread-safe.</summary>
public interface IStore
{
    /// <summary>
    /// Looks a path up. Called at least once for every request, so it should be answered from memory; nothing upstream is opened.
    /// Names compare ordinally. The store ignores <see cref="StorePath.HasTrailingSlash"/>.
    /// </summary>
    /// <returns>The item, or <see langword="null"/> if there is none. The root always exists and is a collection.</returns>
    ValueTask<IStoreItem?> GetItemAsync(StorePath path, CancellationToken cancellationToken);

    /// <summary>
    /// Looks up the parent of a file that is about to be written. A store may create it where clients expect folders to be created
    /// by use; otherwise a missing parent is 409.
    /// </summary>
    ValueTask<IStoreItem?> GetParentForWriteAsync(StorePath path, CancellationToken cancellationToken);

    /// <summary>
    /// True where names that desktops invent (<c>._x</c>, <c>.DS_Store</c>, <c>desktop.ini</c>) may be real: in folders that clients write
    /// to. Elsewhere they are answered with 404 without a lookup. Judges the path alone.
    /// </summary>
    bool MayHoldJunk(StorePath path);

    /// <summary>
    /// True where PROPFIND may list all that is below with <c>Depth: infinity</c>: in small parts of the tree, such as one job. Judges
    /// the path alone.
    /// </summary>
    bool MayListDeep(StorePath path);
}
