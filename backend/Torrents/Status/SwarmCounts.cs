namespace NzbDav.Torrents.Status;

/// <summary>What trackers tell of a torrent's swarm.</summary>
/// <param name="Seeds">Peers that have all of it, by the tracker that knows most; null: no tracker told.</param>
/// <param name="Leechers">Peers that do not, by the tracker that knows most; null: no tracker told.</param>
/// <param name="Tracker">The first tracker that answers, as <see cref="TrackerStatus.Url"/>; null: none does.</param>
public sealed record SwarmCounts(int? Seeds, int? Leechers, string? Tracker)
{
    /// <summary>Nothing is known.</summary>
    public static SwarmCounts Unknown { get; } = new(null, null, null);

    /// <summary>Of these trackers together. A peer may be known to several: their counts are not added up.</summary>
    public static SwarmCounts Of(IReadOnlyList<TrackerStatus> trackers)
    {
        ArgumentNullException.ThrowIfNull(trackers);
        return new SwarmCounts(
            trackers.Max(static tracker => tracker.Seeds), trackers.Max(static tracker => tracker.Leechers), trackers.FirstOrDefault(static tracker => tracker.State == TrackerState.Working)?.Url);
    }
}
