using NzbDav.Catalog;

namespace NzbDav.Library;

/// <summary>Remembers whose stable paths somebody may have; asks the catalog once for each file, not for each range. Thread-safe; bounded.</summary>
internal sealed class GivenLinks(LinkStore links, HoldStore holds, TimeProvider time)
{
    // Eight bytes each and their share of the table: some 3 MB.
    private const int MaxKnown = 100_000;

    private readonly Lock _gate = new();
    private readonly HashSet<long> _known = [];

    /// <summary>The file is opened by its stable path.</summary>
    public ValueTask OpenedAsync(long itemId, CancellationToken cancellationToken) => holds.IsHidden(itemId) ? ReturnAsync(itemId, cancellationToken) : AddAsync(itemId, cancellationToken);

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

    // Somebody follows a link that no library has which is configured: it stays.
    private async ValueTask ReturnAsync(long itemId, CancellationToken cancellationToken)
    {
        await AddAsync(itemId, cancellationToken);
        try
        {
            await holds.KeepAsync(itemId, time.GetUtcNow(), cancellationToken);
        }
        catch (CatalogException)
        {
            // It plays all the same, and is shown again the next time.
        }
    }
}
