using NzbDav.WebDav.Store;
using NzbDav.WebDav.Xml;

namespace NzbDav.WebDav.Properties;

/// <summary>
/// Stores dead properties, which clients define, by the path of their item. Implemented by the host; only used for items whose
/// <see cref="IStoreItem.Keeping"/> is <see cref="StoreKeeping.Everything"/>. Durable; thread-safe.
/// </summary>
public interface IDeadProperties
{
    /// <summary>Most properties of one item.</summary>
    const int MaxPerItem = 1000;

    /// <summary>The properties of an item, in a stable order.</summary>
    ValueTask<IReadOnlyList<DeadProperty>> ReadAsync(StorePath path, CancellationToken cancellationToken);

    /// <summary>True if any direct child of a collection has properties. If none has, a listing costs only this one query.</summary>
    ValueTask<bool> HaveChildrenAnyAsync(StorePath collection, CancellationToken cancellationToken);

    /// <summary>Applies changes in order, all or none.</summary>
    /// <returns>False if the item would have more than <see cref="MaxPerItem"/>; nothing was changed.</returns>
    ValueTask<bool> WriteAsync(StorePath path, IReadOnlyList<PropertyChange> changes, CancellationToken cancellationToken);

    /// <summary>Copies the properties of an item to its copy; those of the destination are removed.</summary>
    /// <param name="from">The original.</param>
    /// <param name="to">The copy.</param>
    /// <param name="recursive">True: also for everything below.</param>
    /// <param name="cancellationToken">Cancels the operation before anything is done.</param>
    ValueTask CopyAsync(StorePath from, StorePath to, bool recursive, CancellationToken cancellationToken);

    /// <summary>Moves the properties of an item and of everything below it; those of the destination are removed.</summary>
    ValueTask MoveAsync(StorePath from, StorePath to, CancellationToken cancellationToken);

    /// <summary>Removes the properties of an item and of everything below it.</summary>
    ValueTask RemoveAsync(StorePath path, CancellationToken cancellationToken);
}

/// <summary>A property that a client defined (RFC 4918 §4).</summary>
/// <param name="Name">Its name.</param>
/// <param name="Xml">The whole element; it declares all namespaces that it uses.</param>
public sealed record DeadProperty(PropertyName Name, string Xml);

/// <summary>One instruction of a PROPPATCH.</summary>
/// <param name="Name">The property.</param>
/// <param name="Xml">Its element (see <see cref="DeadProperty.Xml"/>); null: it is removed.</param>
public readonly record struct PropertyChange(PropertyName Name, string? Xml);
