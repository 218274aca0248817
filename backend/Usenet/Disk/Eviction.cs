namespace NzbDav.Usenet.Disk;

/// <summary>Chooses the file to evict when room is needed.</summary>
internal static class Eviction
{
    /// <summary>
    /// Files watched once leave before files watched again, the longest unused first, as long as they take more than a quarter of the room; otherwise the file unused for longest leaves. So a month of
    /// films watched once does not push out the one watched every week, and last year's favourite does not stay for ever.
    /// </summary>
    /// <param name="segments">The candidates.</param>
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
