using NzbDav.Catalog.Tree;
using NzbDav.Content;
using NzbDav.Library.Media;

namespace NzbDav.Library.Opening;

/// <summary>Reads the media information of files and caches the most recent. Thread-safe.</summary>
public sealed class FileMedia(ContentOpener opener)
{
    private const int MostKept = 500;

    private readonly Lock _gate = new();
    private readonly Dictionary<string, MediaInfo> _known = new(StringComparer.Ordinal);
    private readonly Queue<string> _order = new();

    /// <summary>
    /// Reads the file's head, and its tail where the container needs that. If it cannot be read now, the result has the reason and is not
    /// cached.
    /// </summary>
    /// <param name="item">A file.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async ValueTask<MediaInfo> ReadAsync(CatalogItem item, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(item);
        lock (_gate)
        {
            if (_known.TryGetValue(item.ETag, out var known))
                return known;
        }

        MediaInfo info;
        try
        {
            info = await MediaReader.ReadAsync(await opener.OpenAsync(item, cancellationToken), cancellationToken);
        }
        catch (ContentException e)
        {
            return new MediaInfo(null, null, null, [], e.Message);
        }

        lock (_gate)
        {
            if (_known.TryAdd(item.ETag, info))
                _order.Enqueue(item.ETag);
            if (_order.Count > MostKept)
                _known.Remove(_order.Dequeue());
        }

        return info;
    }
}
