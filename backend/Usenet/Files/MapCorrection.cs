using NzbDav.Content;

namespace NzbDav.Usenet.Files;

/// <summary>
/// Corrects the map of a file that lies in pieces in several posted files (a file stored in volumes), when the articles of one of those are
/// found at other offsets than computed. The offsets of the pieces in the posted file remain; the articles that contain them change.
/// </summary>
internal static class MapCorrection
{
    /// <summary>
    /// The articles around one that belong to the same posted file: each begins after the one before. The next posted file begins at offset
    /// 0 again, so a decrease marks the boundary.
    /// </summary>
    public static (int First, int Last) Neighbours(SegmentTable segments, int segment)
    {
        int first = segment, last = segment;
        while (first > 0 && segments.Begin(first - 1) < segments.Begin(first))
            first--;
        while (last + 1 < segments.Count && segments.Begin(last + 1) > segments.Begin(last))
            last++;
        return (first, last);
    }

    /// <summary>The same file with the real offsets of the articles.</summary>
    /// <param name="map">The map to correct.</param>
    /// <param name="first">Index of the first article in <paramref name="places"/>.</param>
    /// <param name="places">The real offsets and sizes of the articles from there on, in order.</param>
    /// <returns>Null when a piece lies in none of these articles.</returns>
    public static ExtentMap? Apply(ExtentMap map, int first, SegmentTable places)
    {
        var old = map.Segments;
        var last = first + places.Count - 1;
        var table = new SegmentTable.Builder { PostedDay = old.PostedDay };
        for (var i = 0; i < old.Count; i++)
        {
            var moved = i >= first && i <= last;
            var (from, at) = moved ? (places, i - first) : (old, i);
            table.Add(from.IdUtf8(at), from.Begin(at), from.Size(at));
        }

        var extents = new List<Extent>(map.Extents.Length + places.Count);
        long start = 0;
        foreach (ref readonly var extent in map.Extents)
        {
            if (extent.Segment < first || extent.Segment > last)
            {
                extents.Add(extent);
                start += extent.Length;
                continue;
            }

            var posted = old.Begin(extent.Segment) + extent.Offset;
            for (var left = extent.Length; left > 0;)
            {
                if (Find(places, posted) is not (>= 0 and var at))
                    return null;
                var offset = (int)(posted - places.Begin(at));
                var length = Math.Min(left, places.Size(at) - offset);
                Append(extents, new Extent(start, first + at, offset, length));
                start += length;
                posted += length;
                left -= length;
            }
        }

        return new ExtentMap([.. extents], table.Build());
    }

    private static void Append(List<Extent> extents, Extent extent)
    {
        if (extents.Count > 0 && extents[^1] is var last && last.Segment == extent.Segment && last.Offset + last.Length == extent.Offset)
            extents[^1] = last with { Length = last.Length + extent.Length };
        else
            extents.Add(extent);
    }

    private static int Find(SegmentTable places, long posted)
    {
        int low = 0, high = places.Count - 1;
        while (low <= high)
        {
            var middle = (low + high) / 2;
            if (posted < places.Begin(middle))
                high = middle - 1;
            else if (posted >= places.Begin(middle) + places.Size(middle))
                low = middle + 1;
            else
                return middle;
        }

        return -1;
    }
}
