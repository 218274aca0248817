using NzbDav.Catalog.Database;
using NzbDav.Catalog.Links;

namespace NzbDav.Library.Links;

/// <summary>
/// Records that clients have read the stable paths of files. Writes to the catalog once per file, not per range. Thread-safe; bounded.
/// </summary>
internal sealed class LinkReadRecorder(LinkStore links, UnwantedItems unwanted, TimeProvider time)
{
    // Eight bytes each and their share of the table: some 3 MB in total.
    private const int MaxKnown = 100_000;

    private readonly Lock _gate = new();
    private readonly HashSet<long> _known = [];

    /// <summary>Called when a file is opened by its stable path. A hidden file is shown again.</summary>
    public ValueTask OpenedAsync(long itemId, CancellationToken cancellationToken) =>
        unwanted.IsHidden(itemId) ? ReturnAsync(itemId, cancellationToken) : AddAsync(itemId, cancellationToken);

    /// <summary>Called when the stable path of a file is read.</summary>
    public async ValueTask AddAsync(long itemId, CancellationToken cancellationToken)
    {
        lock (_gate)
        {
            if (_known.Contains(itemId))
                return;
        }

        await links.MarkLinkReadAsync(itemId, cancellationToken);
        lock (_gate)
        {
            if (_known.Count >= MaxKnown)
                _known.Clear();
            _known.Add(itemId);
        }
    }

    // A client follows a link that no configured library has: the file is shown again, and its period begins again. A file that was read
    // only once, for instance by a scanner, is hidden again later.
    private async ValueTask ReturnAsync(long itemId, CancellationToken cancellationToken)
    {
        await AddAsync(itemId, cancellationToken);
        try
        {
            await unwanted.ReturnAsync(itemId, time.GetUtcNow(), cancellationToken);
        }
        catch (CatalogException)
        {
            // Ignored: playback continues, and the next read shows the file again.
        }
    }
}
