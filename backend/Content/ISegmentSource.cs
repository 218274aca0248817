namespace NzbDav.Content;

/// <summary>A file made of segments: what a <see cref="SegmentPrefetcher"/> reads. Thread-safe.</summary>
public interface ISegmentSource
{
    /// <summary>The map as it is known now; replaced, never changed, when it is corrected.</summary>
    ExtentMap Map { get; }

    /// <summary>Where the segments come from.</summary>
    SegmentCache Cache { get; }

    /// <summary>Clock for rates.</summary>
    TimeProvider Time { get; }

    /// <summary>
    /// A segment is intact but not the part that <paramref name="map"/> says (its header tells another place or size).
    /// Finds out the true layout.
    /// </summary>
    /// <returns>The corrected map, of the same length; null when the segment simply is the wrong one and no map can make it right.</returns>
    ValueTask<ExtentMap?> CorrectAsync(ExtentMap map, int segment, SegmentFlight flight, CancellationToken cancellationToken);

    /// <summary>False while nothing has shown yet that the map tells the truth about a segment: then its bytes stay where they are until <see cref="ProveAsync"/> has found out.</summary>
    bool IsProven(ExtentMap map, int segment) => true;

    /// <summary>Finds out whether the map tells the truth about a segment; if not, finds out the truth.</summary>
    /// <returns>The map to go on with: <paramref name="map"/> itself, or another one of the same length.</returns>
    /// <exception cref="ContentException">The truth cannot be had.</exception>
    ValueTask<ExtentMap> ProveAsync(ExtentMap map, int segment, FetchPriority priority, CancellationToken cancellationToken) => new(map);
}
