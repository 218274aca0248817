using NzbDav.WebDav.Store;
using NzbDav.WebDav.Xml;

namespace NzbDav.WebDav.Properties;

/// <summary>
/// Where the properties are kept that clients make up, by the path of their item. Provided by the host; only asked about items whose
/// <see cref="IStoreItem.Keeping"/> is <see cref="StoreKeeping.Everything"/>. Durable; thread-safe.
/// </summary>
public interface IDeadProperties
{
    /// <summary>How many properties one item may have.</summary>
    const int MaxPerItem = 1000;

    /// <summary>The properties of an item, in a stable order.</summary>
    ValueTask<IReadOnlyList<DeadProperty>> ReadAsync(StorePath path, CancellationToken cancellationToken);

    /// <summary>True if any direct child of a collection has properties: a listing of those that have none costs one question.</summary>
    ValueTask<bool> HaveChildrenAnyAsync(StorePath collection, CancellationToken cancellationToken);

    /// <summary>Applies changes in order, all or none.</summary>
    /// <returns>False if the item would have more than <see cref="MaxPerItem"/>; nothing was changed.</returns>
    ValueTask<bool> WriteAsync(StorePath path, IReadOnlyList<PropertyChange> changes, CancellationToken cancellationToken);

    /// <summary>Gives a copy the properties of its original; what the destination had is gone.</summary>
    /// <param name="from">The original.</param>
    /// <param name="to">The copy.</param>
    /// <param name="recursive">With all below.</param>
    /// <param name="cancellationToken">Cancels the operation before anything is done.</param>
    ValueTask CopyAsync(StorePath from, StorePath to, bool recursive, CancellationToken cancellationToken);

    /// <summary>Takes the properties of an item and of all below it along; what the destination had is gone.</summary>
    ValueTask MoveAsync(StorePath from, StorePath to, CancellationToken cancellationToken);

    /// <summary>Forgets the properties of an item and of all below it.</summary>
    ValueTask RemoveAsync(StorePath path, CancellationToken cancellationToken);
}

/// <summary>A property that a client made up.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Xml">The whole element with every namespace that it uses declared on itself.</param>
public sealed record DeadProperty(PropertyName Name, string Xml);

/// <summary>One instruction of a PROPPATCH.</summary>
/// <param name="Name">Which property.</param>
/// <param name="Xml">Its element (see <see cref="DeadProperty.Xml"/>); null removes it.</param>
public readonly record struct PropertyChange(PropertyName Name, string? Xml);
