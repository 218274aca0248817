using NzbDav.Catalog.Properties;
using NzbDav.WebDav.Properties;
using NzbDav.WebDav.Store;

namespace NzbDav.Library.Items;

/// <summary>Stores in the catalog the properties that clients attach to items. Thread-safe.</summary>
public sealed class LibraryProperties(PropertyStore store) : IDeadProperties
{
    /// <inheritdoc/>
    public async ValueTask<IReadOnlyList<DeadProperty>> ReadAsync(StorePath path, CancellationToken cancellationToken)
    {
        var stored = await store.ReadAsync(Key(path), cancellationToken);
        return stored.Count == 0
            ? [] : [.. stored.Select(property => new DeadProperty(new(property.Namespace, property.Name), property.Value!))];
    }

    /// <inheritdoc/>
    public ValueTask<bool> HaveChildrenAnyAsync(StorePath collection, CancellationToken cancellationToken) =>
        store.HaveChildrenAnyAsync(Key(collection), cancellationToken);

    /// <inheritdoc/>
    public ValueTask<bool> WriteAsync(StorePath path, IReadOnlyList<PropertyChange> changes, CancellationToken cancellationToken) =>
        store.WriteAsync(
            Key(path), [.. changes.Select(change => new StoredProperty(change.Name.Namespace, change.Name.Local, change.Xml))],
            IDeadProperties.MaxPerItem, cancellationToken);

    /// <inheritdoc/>
    public async ValueTask CopyAsync(StorePath from, StorePath to, bool recursive, CancellationToken cancellationToken) =>
        await store.CopyAsync(Key(from), Key(to), recursive, cancellationToken);

    /// <inheritdoc/>
    public async ValueTask MoveAsync(StorePath from, StorePath to, CancellationToken cancellationToken) =>
        await store.MoveAsync(Key(from), Key(to), cancellationToken);

    /// <inheritdoc/>
    public async ValueTask RemoveAsync(StorePath path, CancellationToken cancellationToken) =>
        await store.RemoveAsync(Key(path), cancellationToken);

    private static string Key(StorePath path)
    {
        ArgumentNullException.ThrowIfNull(path);
        return path.ToString();
    }
}
