namespace NzbDav.Content;

/// <summary>An item's place in a cache. Guarded by the cache's lock.</summary>
/// <typeparam name="T">The item.</typeparam>
internal struct CacheEntry<T>
    where T : class
{
    /// <summary>Readers that hold the item.</summary>
    public int References { get; set; }

    /// <summary>Its place in the list of items that nobody holds; null while somebody does.</summary>
    public LinkedListNode<T>? Node { get; set; }
}
