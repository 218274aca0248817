namespace NzbDav.Catalog.Places;

/// <summary>A torrent that files of the tree, or an unfinished job, come from.</summary>
/// <param name="InfoHash">40 lower-case hexadecimal digits.</param>
/// <param name="Name">Of its job, else of its file.</param>
/// <param name="ItemId">What it was published as, or its first file; null for one that was not published yet.</param>
/// <param name="JobId">The job that brought it, while that is remembered.</param>
/// <param name="Size">Bytes of its files in the tree; 0 for one that was not published yet.</param>
public sealed record CatalogTorrent(string InfoHash, string Name, long? ItemId, long? JobId, long Size);
