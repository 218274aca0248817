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
}
