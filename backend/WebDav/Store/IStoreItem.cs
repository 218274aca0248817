namespace NzbDav.WebDav.Store;

/// <summary>A file or a collection: a snapshot that does not change while a request uses it. Either <see cref="IStoreFile"/> or
/// <see cref="IStoreCollection"/>.</summary>
public interface IStoreItem
{
    /// <summary>The decoded name as stored (no normalisation); unique among its siblings, without <c>/</c>. Empty for the root.</summary>
    string Name { get; }

    /// <summary>Creation time: real and stable, not before 1970, for virtual folders too (macOS refuses a mount otherwise).</summary>
    DateTimeOffset CreatedAt { get; }

    /// <summary>When its bytes (or its list of children) last changed: stable, not before 1970.</summary>
    DateTimeOffset ModifiedAt { get; }

    /// <summary>
    /// The strong entity tag with its quotes, such as <c>"1f2e-77"</c>. For a file the same for its whole life and across restarts,
    /// another one after its bytes were replaced. Visible ASCII without further quotes.
    /// </summary>
    string ETag { get; }

    /// <summary>Whether it can be locked and keeps properties that clients make up. Default: neither.</summary>
    StoreKeeping Keeping => StoreKeeping.Nothing;

    /// <summary>True for a collection.</summary>
    sealed bool IsCollection => this is IStoreCollection;
}

/// <summary>What an item keeps of what clients attach to it: decides about locks and properties.</summary>
public enum StoreKeeping
{
    /// <summary>Nothing: LOCK and PROPPATCH are refused with 403, as this part of the tree belongs to the program.</summary>
    Nothing,

    /// <summary>
    /// Takes uploads that go elsewhere: locks are given, as Finder and Explorer ask for one before each upload; the file times and
    /// attributes that Explorer sets afterwards are answered with 200 and forgotten, other properties refused.
    /// </summary>
    Uploads,

    /// <summary>Locks, and all properties, for as long as the item lives.</summary>
    Everything,
}
