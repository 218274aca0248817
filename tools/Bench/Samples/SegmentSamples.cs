using System.Globalization;
using NzbDav.Content;

namespace NzbDav.Bench.Samples;

/// <summary>Posted files as maps of whole articles.</summary>
internal static class SegmentSamples
{
    /// <summary>A file of articles of the most common size.</summary>
    public static ExtentMap Map(int segments)
    {
        var table = new SegmentTable.Builder();
        for (var i = 0; i < segments; i++)
            table.Add(string.Create(CultureInfo.InvariantCulture, $"{i:x8}Part0001of0063xxxx@news.local"), (long)i * YencSamples.PartSize,
                YencSamples.PartSize);
        return ExtentMap.OfWholeSegments(table.Build());
    }
}

/// <summary>A file with an exact map.</summary>
internal sealed class MapSource(ExtentMap map, SegmentCache cache, TimeProvider time) : ISegmentSource
{
    public ExtentMap Map => map;

    public SegmentCache Cache => cache;

    public TimeProvider Time => time;

    public ValueTask<ExtentMap?> CorrectAsync(ExtentMap map, int segment, SegmentFlight flight, CancellationToken cancellationToken) =>
        new((ExtentMap?)null);
}
