using NzbDav.Catalog;

namespace NzbDav.Seeding;

/// <summary>What is being done with a torrent, for its view. Immutable.</summary>
/// <param name="Phase">What.</param>
/// <param name="Totals">What it moved, as of now; null: as stored.</param>
/// <param name="Held">Verified bytes that are there; null: not known.</param>
internal sealed record TorrentRun(TorrentPhase Phase, TorrentTotals? Totals = null, long? Held = null)
{
    public static TorrentRun Idle { get; } = new(TorrentPhase.Idle);
}
