using System.IO.Pipelines;

namespace NzbDav.WebDav.Store;

/// <summary>A folder.</summary>
public interface IStoreCollection : IStoreItem
{
    /// <summary>The reported quota (Finder, <c>df</c>). A constant is enough: clients ask for it only by name.</summary>
    StoreQuota Quota => StoreQuota.Ample;

    /// <summary>
    /// The direct children, each once, in any stable order. Yields them as they are found: entries go out while the rest is still
    /// being read, and an enumeration that is no longer wanted is disposed.
    /// </summary>
    IAsyncEnumerable<IStoreItem> GetChildrenAsync(CancellationToken cancellationToken);

    /// <summary>
    /// Creates or replaces a file. A collection that does not take files answers <see cref="StoreWriteResult.Forbidden"/> without
    /// touching <paramref name="body"/>: reading it is what makes the client send.
    /// </summary>
    /// <param name="name">Decoded name of the child; never a collection's (that was refused before).</param>
    /// <param name="body">The bytes; the callee reads to the end but need not complete it. Exceptions of the transport pass
    /// through.</param>
    /// <param name="length">Bytes to come if the client said so.</param>
    /// <param name="cancellationToken">Fires when the client is gone.</param>
    ValueTask<StoreWriteResult> PutAsync(string name, PipeReader body, long? length, CancellationToken cancellationToken);

    /// <summary>Deletes a child with all below it.</summary>
    ValueTask<StoreWriteResult> DeleteAsync(string name, CancellationToken cancellationToken);

    /// <summary>Makes an empty child collection. The name is free, or was a moment ago.</summary>
    ValueTask<StoreWriteResult> CreateCollectionAsync(string name, CancellationToken cancellationToken) =>
        ValueTask.FromResult(StoreWriteResult.Forbidden);

    /// <summary>
    /// Whether COPY or MOVE of a child would be refused for its kind, its place or its new name. Asked before anything that is in the way
    /// is deleted. A collection that overrides <see cref="CopyAsync"/> or <see cref="MoveAsync"/> overrides this too.
    /// </summary>
    /// <param name="destination">A collection of the same store.</param>
    /// <param name="newName">What the child is called there.</param>
    /// <param name="isMove">False for COPY.</param>
    /// <returns>The refusal; null if nothing is known against it.</returns>
    StoreWriteResult? RefusalOf(IStoreCollection destination, string newName, bool isMove) => StoreWriteResult.Forbidden;

    /// <summary>
    /// Copies a child. The new name is free (Created) or, if both are files, that of a file which is replaced in one step (Replaced):
    /// whatever else was in the way has been deleted. Carries the bytes only; locks stay where they are, properties are copied by the
    /// caller.
    /// </summary>
    /// <param name="name">The child.</param>
    /// <param name="destination">A collection of the same store; not the child, nor below it.</param>
    /// <param name="newName">What it is called there.</param>
    /// <param name="recursive">With all below it; false copies an empty collection.</param>
    /// <param name="cancellationToken">Fires when the client is gone.</param>
    ValueTask<StoreWriteResult> CopyAsync(
        string name, IStoreCollection destination, string newName, bool recursive, CancellationToken cancellationToken) =>
        ValueTask.FromResult(StoreWriteResult.Forbidden);

    /// <summary>Moves or renames a child with all below it.</summary>
    /// <inheritdoc cref="CopyAsync"/>
    ValueTask<StoreWriteResult> MoveAsync(string name, IStoreCollection destination, string newName, CancellationToken cancellationToken) =>
        ValueTask.FromResult(StoreWriteResult.Forbidden);
}

/// <summary>The space that WebDAV reports (RFC 4331).</summary>
/// <param name="Available">Bytes that may still be written, at least 0.</param>
/// <param name="Used">Bytes taken, at least 0.</param>
public readonly record struct StoreQuota(long Available, long Used)
{
    /// <summary>1 TiB free, nothing used: no client refuses a copy, and none overflows.</summary>
    public static StoreQuota Ample => new(1L << 40, 0);
}
