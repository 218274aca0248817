namespace NzbDav.Torrents.Status;

/// <summary>Size of a torrent's swarm according to its trackers.</summary>
/// <param name="Seeds">Peers that have all of it, by the tracker that reports most; null: no tracker reports it.</param>
/// <param name="Leechers">Peers that do not, by the tracker that reports most; null: no tracker reports it.</param>
/// <param name="Tracker">The first tracker that answers, as <see cref="TrackerStatus.Url"/>; null: none does.</param>
public sealed record SwarmCounts(int? Seeds, int? Leechers, string? Tracker)
{
    /// <summary>Nothing is known.</summary>
    public static SwarmCounts Unknown { get; } = new(null, null, null);

    /// <summary>The largest counts of these trackers. They are not added up, because several trackers may know the same peer.</summary>
    public static SwarmCounts Of(IReadOnlyList<TrackerStatus> trackers)
    {
        ArgumentNullException.ThrowIfNull(trackers);
        return new SwarmCounts(
            trackers.Max(static tracker => tracker.Seeds), trackers.Max(static tracker => tracker.Leechers), trackers.FirstOrDefault(static tracker => tracker.State == TrackerState.Working)?.Url);
    }
}
