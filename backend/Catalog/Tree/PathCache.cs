namespace NzbDav.Catalog.Tree;

/// <summary>
/// Caches recent path lookups. Bounded; when full, it drops the least recently used half. Does not cache absence, so it never hides a new
/// item. Thread-safe.
/// </summary>
internal sealed class PathCache(int capacity)
{
    private readonly Lock _gate = new();
    private Dictionary<string, CatalogItem> _young = new(StringComparer.Ordinal);
    private Dictionary<string, CatalogItem> _old = new(StringComparer.Ordinal);
    private long _generation;

    /// <summary>Read this before a query, and pass it to <see cref="Add"/> after the query.</summary>
    public long Generation => Interlocked.Read(ref _generation);

    public CatalogItem? Find(string path)
    {
        lock (_gate)
        {
            if (_young.TryGetValue(path, out var item))
                return item;
            if (_old.Remove(path, out item))
                Put(path, item);
            return item;
        }
    }

    /// <summary>Caches the result of a query, unless the tree changed since that query began.</summary>
    public void Add(string path, CatalogItem item, long generation)
    {
        lock (_gate)
        {
            if (generation == _generation)
                Put(path, item);
        }
    }

    public void Clear()
    {
        lock (_gate)
        {
            Interlocked.Increment(ref _generation);
            _young.Clear();
            _old.Clear();
        }
    }

    private void Put(string path, CatalogItem item)
    {
        if (_young.Count >= Math.Max(1, capacity / 2))
            (_old, _young) = (_young, new Dictionary<string, CatalogItem>(StringComparer.Ordinal));
        _young[path] = item;
    }
}
