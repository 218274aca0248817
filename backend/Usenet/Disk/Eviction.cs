namespace NzbDav.Usenet.Disk;

/// <summary>Which file leaves when room is needed.</summary>
internal static class Eviction
{
    /// <summary>
    /// What was watched once leaves before what was watched again, the longest unused first, as long as it takes more than a quarter of the room; else whatever was not used for longest. So a month of
    /// films that pass once does not drive out the one that is watched every week, and what was loved last year does not stay for good.
    /// </summary>
    /// <param name="segments">All that may leave.</param>
    /// <param name="limit">Room of the cache in bytes.</param>
    /// <returns>Null if there is none.</returns>
    public static CacheSegment? Pick(IReadOnlyCollection<CacheSegment> segments, long limit)
    {
        long once = 0;
        CacheSegment? oldest = null, oldestOnce = null;
        foreach (var segment in segments)
        {
            if (oldest is null || IsBefore(segment, oldest))
                oldest = segment;
            if (segment.IsReused)
                continue;
            once += segment.Size;
            if (oldestOnce is null || IsBefore(segment, oldestOnce))
                oldestOnce = segment;
        }

        return oldestOnce is not null && once > limit / 4 ? oldestOnce : oldest;
    }

    private static bool IsBefore(CacheSegment one, CacheSegment other) => (one.Used, one.Number).CompareTo((other.Used, other.Number)) < 0;
}
