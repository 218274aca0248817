namespace NzbDav.Usenet.Disk;

/// <summary>A file of records. Written once from beginning to end, deleted as a whole. Guarded by the cache's lock.</summary>
/// <param name="number">Unique in the folder, from 1.</param>
/// <param name="path">The file.</param>
/// <param name="created">When it was begun.</param>
internal sealed class CacheSegment(uint number, string path, DateTimeOffset created)
{
    public const string Ending = ".articles";

    /// <summary>
    /// A read sooner than this after the file was begun (after a restart: finished) belongs to the same viewing: the reader jumped back, or
    /// a player reconnected.
    /// </summary>
    public static readonly TimeSpan SameEvening = TimeSpan.FromMinutes(10);

    public uint Number => number;

    public string Path => path;

    public DateTimeOffset Created { get; } = created;

    /// <summary>Bytes of the file.</summary>
    public long Size { get; set; }

    /// <summary>Records in the file.</summary>
    public int Articles { get; set; }

    /// <summary>When it was last written or read.</summary>
    public DateTimeOffset Used { get; set; } = created;

    /// <summary>When <see cref="Used"/> was last stored, as the file's modification time.</summary>
    public DateTimeOffset UseStoredAt { get; set; } = created;

    /// <summary>True when a part of it was read again in a later viewing.</summary>
    public bool IsReused { get; set; }

    public static string NameOf(uint number) => number.ToString("x8", System.Globalization.CultureInfo.InvariantCulture) + Ending;

    /// <summary>The number in a file's name; 0 if it is no file of the cache.</summary>
    public static uint NumberOf(string path) =>
        path.EndsWith(Ending, StringComparison.Ordinal)
        && uint.TryParse(System.IO.Path.GetFileNameWithoutExtension(path), System.Globalization.NumberStyles.AllowHexSpecifier,
            System.Globalization.CultureInfo.InvariantCulture, out var number)
        && System.IO.Path.GetFileName(path) == NameOf(number)
            ? number
            : 0;
}

/// <summary>Chooses the file to evict when space is needed.</summary>
internal static class Eviction
{
    /// <summary>
    /// While files read in one viewing only take more than a quarter of the limit, the least recently used of these is chosen; otherwise
    /// the least recently used of all. So a month of films watched once does not evict the one watched every week, but last year's
    /// favourite does not stay for ever.
    /// </summary>
    /// <param name="segments">The candidates.</param>
    /// <param name="limit">Size limit of the cache in bytes.</param>
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
