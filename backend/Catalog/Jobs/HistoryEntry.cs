namespace NzbDav.Catalog.Jobs;

/// <summary>A job that ended, and the collection that it published.</summary>
/// <param name="Job">The job.</param>
/// <param name="Collection">Names from the tree's root to what it published, as it is called now; null when it failed.</param>
public sealed record HistoryEntry(CatalogJob Job, IReadOnlyList<string>? Collection);
