using NzbDav.Catalog.Database;
using NzbDav.Catalog.Links;

namespace NzbDav.Library.Links;

/// <summary>
/// Records files whose stable paths clients have read; asks the catalog once per file, not per range. Thread-safe; bounded.
/// </summary>
internal sealed class GivenLinks(LinkStore links, HoldStore holds, TimeProvider time)
{
    // Eight bytes each and their share of the table: some 3 MB.
    private const int MaxKnown = 100_000;

    private readonly Lock _gate = new();
    private readonly HashSet<long> _known = [];

    /// <summary>The file is opened by its stable path.</summary>
    public ValueTask OpenedAsync(long itemId, CancellationToken cancellationToken) =>
        holds.IsHidden(itemId) ? ReturnAsync(itemId, cancellationToken) : AddAsync(itemId, cancellationToken);

    /// <summary>The file's stable path is read.</summary>
    public async ValueTask AddAsync(long itemId, CancellationToken cancellationToken)
    {
        lock (_gate)
        {
            if (_known.Contains(itemId))
                return;
        }

        await links.GiveAsync(itemId, cancellationToken);
        lock (_gate)
        {
            if (_known.Count >= MaxKnown)
                _known.Clear();
            _known.Add(itemId);
        }
    }

    // A client follows a link that no configured library has: the file is shown again, and its time begins anew. One that a program read
    // once, such as a scanner, does not stay for good.
    private async ValueTask ReturnAsync(long itemId, CancellationToken cancellationToken)
    {
        await AddAsync(itemId, cancellationToken);
        try
        {
            await holds.ReturnAsync(itemId, time.GetUtcNow(), cancellationToken);
        }
        catch (CatalogException)
        {
            // Ignored: playback continues, and the next read shows the file again.
        }
    }
}
