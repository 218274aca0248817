namespace NzbDav.WebDav.Store;

/// <summary>A file or a collection: a snapshot that does not change while a request uses it. Either <see cref="IStoreFile"/> or
/// <see cref="IStoreCollection"/>.</summary>
public interface IStoreItem
{
    /// <summary>The decoded name as stored (no normalisation); unique among its siblings, without <c>/</c>. Empty for the root.</summary>
    string Name { get; }

    /// <summary>Creation time: real and stable, not before 1970, also for virtual folders (macOS refuses a mount otherwise).</summary>
    DateTimeOffset CreatedAt { get; }

    /// <summary>When its bytes (or its list of children) last changed: stable, not before 1970.</summary>
    DateTimeOffset ModifiedAt { get; }

    /// <summary>
    /// The strong entity tag with its quotes, such as <c>"1f2e-77"</c>. Stays the same for a file across restarts, and changes when its
    /// bytes are replaced. Visible ASCII without further quotes.
    /// </summary>
    string ETag { get; }

    /// <summary>Whether it can be locked and stores dead properties. Default: neither.</summary>
    StoreKeeping Keeping => StoreKeeping.Nothing;

    /// <summary>True for a collection.</summary>
    sealed bool IsCollection => this is IStoreCollection;
}

/// <summary>Which client-defined data an item stores: locks and dead properties.</summary>
public enum StoreKeeping
{
    /// <summary>Nothing: LOCK and PROPPATCH are refused with 403, because this part of the tree belongs to the program.</summary>
    Nothing,

    /// <summary>
    /// Accepts uploads that are processed elsewhere. Locks are granted, because Finder and Explorer request one before each upload. The
    /// file times and attributes that Explorer sets afterwards are accepted with 200 and discarded; other properties are refused.
    /// </summary>
    Uploads,

    /// <summary>Locks and all properties, as long as the item exists.</summary>
    Everything,
}
