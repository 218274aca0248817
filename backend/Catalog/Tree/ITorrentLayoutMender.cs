using NzbDav.Content;

namespace NzbDav.Catalog;

/// <summary>Finds out where a file lies inside archives of a torrent, when what was reckoned turned out to be wrong. Thread-safe.</summary>
public interface ITorrentLayoutMender
{
    /// <summary>Reads all headers of the torrent's archives, reckoning nothing, and stores the true layout.</summary>
    /// <param name="item">The file.</param>
    /// <param name="wrong">Its layout.</param>
    /// <param name="cancellationToken">Nobody wants to know any more.</param>
    /// <exception cref="ContentException">It cannot be found out, or the file is another one than was published.</exception>
    Task MendAsync(CatalogItem item, TorrentLayout wrong, CancellationToken cancellationToken);
}
