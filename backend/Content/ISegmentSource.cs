namespace NzbDav.Content;

/// <summary>A file made of segments, read by a <see cref="SegmentPrefetcher"/>. Thread-safe.</summary>
public interface ISegmentSource
{
    /// <summary>The current map. A correction replaces it by another; a map itself never changes.</summary>
    ExtentMap Map { get; }

    /// <summary>The cache that the segments are read through.</summary>
    SegmentCache Cache { get; }

    /// <summary>Clock for rates.</summary>
    TimeProvider Time { get; }

    /// <summary>
    /// Finds the true layout after a segment arrived intact but is not the part that <paramref name="map"/> expects: its header states
    /// another offset or size.
    /// </summary>
    /// <returns>The corrected map, of the same length; null when the segment is the wrong one and no map can correct that.</returns>
    ValueTask<ExtentMap?> CorrectAsync(ExtentMap map, int segment, SegmentFlight flight, CancellationToken cancellationToken);

    /// <summary>
    /// False while the map's entry for a segment is unconfirmed: its bytes must not be lent before <see cref="ProveAsync"/> has checked it.
    /// </summary>
    bool IsProven(ExtentMap map, int segment) => true;

    /// <summary>Checks the map's entry for a segment; if it is wrong, finds the true layout.</summary>
    /// <returns>The map to continue with: <paramref name="map"/> itself, or another one of the same length.</returns>
    /// <exception cref="ContentException">The layout cannot be determined.</exception>
    ValueTask<ExtentMap> ProveAsync(ExtentMap map, int segment, FetchPriority priority, CancellationToken cancellationToken) => new(map);
}
