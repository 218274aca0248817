using NzbDav.Content;

namespace NzbDav.Catalog;

/// <summary>Lays a published file out anew, when what its map was reckoned from turned out to be wrong. Thread-safe.</summary>
public interface ILayoutMender
{
    /// <summary>Reads all headers of the file's archive again, reckoning nothing.</summary>
    /// <param name="item">The file. Its row is left as it is.</param>
    /// <param name="wrong">Its map.</param>
    /// <param name="cancellationToken">Nobody wants to know any more.</param>
    /// <returns>The true map, of the same length; how the file comes out of it has not changed.</returns>
    /// <exception cref="ContentException">It cannot be found out, or the file is another one than was published.</exception>
    Task<ExtentMap> LayOutAsync(CatalogItem item, ExtentMap wrong, CancellationToken cancellationToken);
}
