using NzbDav.Content;

namespace NzbDav.Bench.Samples;

/// <summary>A file with an exact map.</summary>
internal sealed class MapSource(ExtentMap map, SegmentCache cache, TimeProvider time) : ISegmentSource
{
    public ExtentMap Map => map;

    public SegmentCache Cache => cache;

    public TimeProvider Time => time;

    public ValueTask<ExtentMap?> CorrectAsync(ExtentMap map, int segment, SegmentFlight flight, CancellationToken cancellationToken) => new((ExtentMap?)null);
}
