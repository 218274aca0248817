using NzbDav.Catalog.Properties;
using NzbDav.WebDav.Locks;
using NzbDav.WebDav.Store;

namespace NzbDav.Library.Items;

/// <summary>Stores WebDAV locks in the catalog, shared by several gateways. Thread-safe.</summary>
public sealed class LibraryLocks(LockStore store) : ILockBook
{
    /// <inheritdoc/>
    public event Action? Changed
    {
        add => store.Changed += value;
        remove => store.Changed -= value;
    }

    /// <inheritdoc/>
    public async ValueTask<IReadOnlyList<HeldLock>> ListAsync(CancellationToken cancellationToken) =>
        [.. (await store.ListAsync(cancellationToken)).Select(ToHeld)];

    /// <inheritdoc/>
    public Task UpdateAsync(Func<IReadOnlyList<HeldLock>, IReadOnlyList<HeldLock>> change, CancellationToken cancellationToken) =>
        store.UpdateAsync(before => [.. change([.. before.Select(ToHeld)]).Select(ToStored)], cancellationToken);

    private static HeldLock ToHeld(StoredLock one) =>
        new(one.Token, StorePath.TryParse(one.Root)!, one.IsCollection, one.IsShared, one.IsDeep, one.Owner, one.Timeout, one.Expires);

    private static StoredLock ToStored(HeldLock one) => new()
    {
        Token = one.Token,
        Root = one.Root.ToString(),
        IsCollection = one.IsCollection,
        IsShared = one.IsShared,
        IsDeep = one.IsDeep,
        Owner = one.Owner,
        Timeout = one.Timeout,
        Expires = one.Expires,
    };
}
