using NzbDav.Content;

namespace NzbDav.Fakes;

/// <summary>
/// A file over the product's own reader, cache and flights, on a network in which nothing happens unless the test says so
/// (<see cref="Fetcher"/>). Its segments are named s0, s1, … and have one size but for the last.
/// </summary>
public sealed class ManualContent : IContent, ISegmentSource
{
    private readonly byte[] _bytes;
    private readonly int _segmentSize;

    /// <param name="bytes">The content; not copied.</param>
    /// <param name="segmentSize">Bytes of a segment.</param>
    /// <param name="pool">Where buffers come from.</param>
    /// <param name="time">Clock.</param>
    public ManualContent(byte[] bytes, int segmentSize, BufferPool pool, TimeProvider time)
    {
        ArgumentNullException.ThrowIfNull(bytes);
        (_bytes, _segmentSize) = (bytes, segmentSize);
        Time = time;
        Cache = new SegmentCache(pool, Fetcher, time);
        var table = new SegmentTable.Builder();
        for (var at = 0; at < bytes.Length; at += segmentSize)
            table.Add($"s{table.Count}", at, Math.Min(segmentSize, bytes.Length - at));
        Map = ExtentMap.OfWholeSegments(table.Build());
    }

    /// <summary>The network.</summary>
    public ManualSegmentFetcher Fetcher { get; } = new();

    /// <inheritdoc/>
    public ExtentMap Map { get; }

    /// <inheritdoc/>
    public SegmentCache Cache { get; }

    /// <inheritdoc/>
    public TimeProvider Time { get; }

    /// <inheritdoc/>
    public long Length => _bytes.Length;

    /// <summary>A copy of the bytes that a segment has.</summary>
    public byte[] BytesOf(ManualSegment segment)
    {
        ArgumentNullException.ThrowIfNull(segment);
        return _bytes.AsSpan((int)segment.Key.Begin, segment.Key.Size).ToArray();
    }

    /// <inheritdoc/>
    public ContentReader OpenReader(long start, long end, ReadIntent intent) => new SegmentPrefetcher(this, start, end, intent);

    /// <summary>Returns no correction: segments always match the map.</summary>
    public ValueTask<ExtentMap?> CorrectAsync(ExtentMap map, int segment, SegmentFlight flight, CancellationToken cancellationToken) =>
        throw new NotSupportedException();
}
