using NzbDav.Content;

namespace NzbDav.Catalog.Tree;

/// <summary>Lays a published file out again when volumes of its map were inferred wrongly. Thread-safe.</summary>
public interface ILayoutCorrector
{
    /// <summary>Reads the headers of every volume of the file's archive.</summary>
    /// <param name="item">The file. Its row is left as it is.</param>
    /// <param name="wrong">Its map.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>The true map, of the same length; how the file comes out of it has not changed.</returns>
    /// <exception cref="ContentException">It cannot be found out, or the file is another one than was published.</exception>
    Task<ExtentMap> LayOutAsync(CatalogItem item, ExtentMap wrong, CancellationToken cancellationToken);
}

/// <summary>Finds out where a file lies inside archives of a torrent, when its place was inferred wrongly. Thread-safe.</summary>
public interface ITorrentLayoutCorrector
{
    /// <summary>Reads the headers of every volume of the torrent's archives, and stores the true layout.</summary>
    /// <param name="item">The file.</param>
    /// <param name="wrong">Its layout.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <exception cref="ContentException">It cannot be found out, or the file is another one than was published.</exception>
    Task CorrectAsync(CatalogItem item, TorrentLayout wrong, CancellationToken cancellationToken);
}
