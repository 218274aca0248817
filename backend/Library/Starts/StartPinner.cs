using NzbDav.Catalog.Database;
using NzbDav.Catalog.Tree;
using NzbDav.Content;
using NzbDav.Library.Opening;
using NzbDav.Library.Pins;

namespace NzbDav.Library.Starts;

/// <summary>Pins the start of a file: the bytes that players and library scans read first. Thread-safe.</summary>
public sealed class StartPinner(ContentOpener opener, PinStore store)
{
    /// <summary>Reads the start and writes it to disk, unless it is pinned already.</summary>
    /// <param name="item">A file of a post. Nothing is pinned for a torrent's file: torrents keep the heads of their files
    /// themselves.</param>
    /// <param name="intent">How urgent it is.</param>
    /// <param name="cancellationToken">Cancels the operation; nothing is left behind.</param>
    /// <returns>False when nothing could be kept: the file's layout was corrected meanwhile, or the start exceeds the limit.</returns>
    /// <exception cref="ContentException">The bytes cannot be read.</exception>
    /// <exception cref="CatalogException">Its map cannot be read.</exception>
    /// <exception cref="IOException">The disk is full or broken.</exception>
    /// <exception cref="UnauthorizedAccessException">The folder cannot be written.</exception>
    public async Task<bool> PinAsync(CatalogItem item, ReadIntent intent, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(item);
        if (item is not { ExtentMap: { } map, Torrent: null, Size: > 0 } || store.Limit == 0)
            return true;
        if (store.Has(new PinKey(item.Id, map, item.Size)))
            return true;
        var content = await opener.OpenAsync(item, cancellationToken);
        var ranges = await StartPlan.ReadAsync(content, item.Name, intent, cancellationToken);
        return await store.PinAsync(new PinKey(item.Id, map, content.Length), content, ranges, intent, cancellationToken);
    }
}
