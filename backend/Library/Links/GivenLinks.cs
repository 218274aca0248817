using NzbDav.Catalog;

namespace NzbDav.Library;

/// <summary>Remembers which stable paths were given away; asks the catalog once for each file, not for each range. Thread-safe; bounded.</summary>
internal sealed class GivenLinks(LinkStore links)
{
    // Eight bytes each and their share of the table: some 3 MB.
    private const int MaxKnown = 100_000;

    private readonly Lock _gate = new();
    private readonly HashSet<long> _known = [];

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
}
