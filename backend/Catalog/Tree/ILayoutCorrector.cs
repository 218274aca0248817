using NzbDav.Content;

namespace NzbDav.Catalog.Tree;

/// <summary>Corrects the map of a published file when volumes in it were inferred wrongly. Thread-safe.</summary>
public interface ILayoutCorrector
{
    /// <summary>Reads the headers of every volume of the file's archive.</summary>
    /// <param name="item">The file. Its row is not changed.</param>
    /// <param name="wrong">Its current map.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>The true map, of the same length and with the same encryption.</returns>
    /// <exception cref="ContentException">The layout cannot be determined, or the archive holds another file than the one
    /// published.</exception>
    Task<ExtentMap> LayOutAsync(CatalogItem item, ExtentMap wrong, CancellationToken cancellationToken);
}

/// <summary>Corrects the layout of a file inside a torrent's archives when its place was inferred wrongly. Thread-safe.</summary>
public interface ITorrentLayoutCorrector
{
    /// <summary>Reads the headers of every volume of the torrent's archives, and stores the true layout.</summary>
    /// <param name="item">The file.</param>
    /// <param name="wrong">Its current layout.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <exception cref="ContentException">The layout cannot be determined, or the archive holds another file than the one
    /// published.</exception>
    Task CorrectAsync(CatalogItem item, TorrentLayout wrong, CancellationToken cancellationToken);
}
