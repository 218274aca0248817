using NzbDav.Catalog.Torrents;

namespace NzbDav.Seeding;

/// <summary>Current activity of a torrent, for its view. Immutable.</summary>
/// <param name="Phase">The activity.</param>
/// <param name="Totals">Current totals; null: the stored ones.</param>
/// <param name="Held">Verified bytes that are present; null: unknown.</param>
/// <param name="WaitsFor">That it waits for room on the disk, for the user; null: it does not.</param>
internal sealed record TorrentRun(TorrentPhase Phase, TorrentTotals? Totals = null, long? Held = null, string? WaitsFor = null)
{
    public static TorrentRun Idle { get; } = new(TorrentPhase.Idle);
}
