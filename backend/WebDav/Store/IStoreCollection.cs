using System.IO.Pipelines;

namespace NzbDav.WebDav.Store;

/// <summary>A folder.</summary>
public interface IStoreCollection : IStoreItem
{
    /// <summary>The reported quota (Finder, <c>df</c>). A constant is enough: clients ask for it only by name.</summary>
    StoreQuota Quota => StoreQuota.Ample;

    /// <summary>
    /// The folder's id in the tree, the same wherever the folder is shown; <see cref="IStoreChanges"/> names it. Null: its children are not
    /// watched.
    /// </summary>
    long? Id => null;

    /// <summary>
    /// The direct children, each once, in any stable order. Yields them as they are found: entries are sent while the rest is still being
    /// read. An enumeration that is no longer needed is disposed.
    /// </summary>
    IAsyncEnumerable<IStoreItem> GetChildrenAsync(CancellationToken cancellationToken);

    /// <summary>
    /// Creates or replaces a file. A collection that accepts no files returns <see cref="StoreWriteResult.Forbidden"/> without touching
    /// <paramref name="body"/>: the client sends the body only once it is read.
    /// </summary>
    /// <param name="name">Decoded name of the child; never that of a collection, which is refused before.</param>
    /// <param name="body">The bytes. The callee reads to the end but need not complete it. Exceptions of the transport pass
    /// through.</param>
    /// <param name="length">Number of bytes, if the client stated it.</param>
    /// <param name="cancellationToken">Fires when the client is gone.</param>
    ValueTask<StoreWriteResult> PutAsync(string name, PipeReader body, long? length, CancellationToken cancellationToken);

    /// <summary>Deletes a child and everything below it.</summary>
    ValueTask<StoreWriteResult> DeleteAsync(string name, CancellationToken cancellationToken);

    /// <summary>Creates an empty child collection. The name was free a moment ago.</summary>
    ValueTask<StoreWriteResult> CreateCollectionAsync(string name, CancellationToken cancellationToken) =>
        ValueTask.FromResult(StoreWriteResult.Forbidden);

    /// <summary>
    /// Whether COPY or MOVE of a child would be refused for its kind, its place or its new name. Called before an existing item at the
    /// destination is deleted. A collection that overrides <see cref="CopyAsync"/> or <see cref="MoveAsync"/> must override this too.
    /// </summary>
    /// <param name="destination">A collection of the same store.</param>
    /// <param name="newName">The child's name there.</param>
    /// <param name="isMove">False for COPY.</param>
    /// <returns>The refusal; null if no reason is known.</returns>
    StoreWriteResult? RefusalOf(IStoreCollection destination, string newName, bool isMove) => StoreWriteResult.Forbidden;

    /// <summary>
    /// Copies a child. The new name is free (Created) or, if both are files, that of a file which is replaced in one step (Replaced): any
    /// other existing item has been deleted. Copies only the bytes; locks stay, and the caller copies the properties.
    /// </summary>
    /// <param name="name">The child.</param>
    /// <param name="destination">A collection of the same store; not the child, nor below it.</param>
    /// <param name="newName">The child's name there.</param>
    /// <param name="recursive">True: with everything below it; false: a collection is copied without its children.</param>
    /// <param name="cancellationToken">Fires when the client is gone.</param>
    ValueTask<StoreWriteResult> CopyAsync(
        string name, IStoreCollection destination, string newName, bool recursive, CancellationToken cancellationToken) =>
        ValueTask.FromResult(StoreWriteResult.Forbidden);

    /// <summary>Moves or renames a child and everything below it.</summary>
    /// <inheritdoc cref="CopyAsync"/>
    ValueTask<StoreWriteResult> MoveAsync(string name, IStoreCollection destination, string newName, CancellationToken cancellationToken) =>
        ValueTask.FromResult(StoreWriteResult.Forbidden);
}

/// <summary>The space that WebDAV reports (RFC 4331).</summary>
/// <param name="Available">Bytes that may still be written, at least 0.</param>
/// <param name="Used">Bytes used, at least 0.</param>
public readonly record struct StoreQuota(long Available, long Used)
{
    /// <summary>1 TiB free, nothing used: no client refuses a copy, and no client's arithmetic overflows.</summary>
    public static StoreQuota Ample => new(1L << 40, 0);
}
