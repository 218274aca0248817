using System.IO.Pipelines;

namespace NzbDav.WebDav;

/// <summary>A folder.</summary>
public interface IStoreCollection : IStoreItem
{
    /// <summary>What Finder and <c>df</c> show as free and used space. Asked for by name only, so a constant is fine.</summary>
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
    /// <param name="body">The bytes; the callee reads to the end but need not complete it. Exceptions of the transport pass through.</param>
    /// <param name="length">Bytes to come if the client said so.</param>
    /// <param name="cancellationToken">Fires when the client is gone.</param>
    ValueTask<StoreWriteResult> PutAsync(string name, PipeReader body, long? length, CancellationToken cancellationToken);

    /// <summary>Deletes a child with all below it.</summary>
    ValueTask<StoreWriteResult> DeleteAsync(string name, CancellationToken cancellationToken);
}
