namespace NzbDav.Content.Recording;

/// <summary>Consecutive posted files of one shape that hold a file's bytes.</summary>
/// <param name="Count">How many.</param>
/// <param name="Articles">Articles in each.</param>
/// <param name="Bytes">Bytes of the file in each.</param>
/// <param name="ArticleSize">Decoded bytes of each article but the last.</param>
public readonly record struct RecordedVolume(int Count, int Articles, long Bytes, int ArticleSize)
{
    /// <summary>How a map's segments were posted. Runs of identical volumes are merged. Where articles of a volume differ in size, the largest stands for all.</summary>
    public static IReadOnlyList<RecordedVolume> Of(ExtentMap map)
    {
        ArgumentNullException.ThrowIfNull(map);
        var list = new List<RecordedVolume>();
        long bytes = 0, last = -1;
        var (articles, size, before) = (0, 0, -1);
        foreach (ref readonly var extent in map.Extents)
        {
            var begin = map.Segments.Begin(extent.Segment);
            if (articles > 0 && extent.Segment != before && begin <= last)
                Close();
            if (extent.Segment != before)
                articles++;
            (before, last) = (extent.Segment, begin);
            size = Math.Max(size, map.Segments.Size(extent.Segment));
            bytes += extent.Length;
        }

        if (articles > 0)
            Close();
        return list;

        void Close()
        {
            var volume = new RecordedVolume(1, articles, bytes, size);
            if (list.Count > 0 && list[^1] with { Count = 1 } == volume)
                list[^1] = list[^1] with { Count = list[^1].Count + 1 };
            else
                list.Add(volume);
            (articles, size, bytes) = (0, 0, 0);
        }
    }
}
