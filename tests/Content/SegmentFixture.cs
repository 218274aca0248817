using NzbDav.Fakes;

namespace NzbDav.Content.Tests;

/// <summary>
/// A cache over a network that does what the test says, on a pool that finds leaks. Disposal asserts that nothing leaked.
/// </summary>
internal sealed class SegmentFixture : ISegmentSource, IDisposable
{
    public const int MiB = 1 << 20;

    private readonly DiagnosticBufferPool _pool;

    public SegmentFixture(ExtentMap? map = null, long budget = 64 * MiB)
    {
        Map = map ?? Regular(10, 100_000);
        _pool = new DiagnosticBufferPool(new BufferBudget(budget));
        Cache = new SegmentCache(_pool, Fetcher, Clock);
    }

    public ManualTimeProvider Clock { get; } = new();

    public ManualSegmentFetcher Fetcher { get; } = new();

    public SegmentCache Cache { get; }

    public BufferBudget Budget => _pool.Budget;

    public int Rented => _pool.Rented;

    public ExtentMap Map { get; set; }

    /// <summary>What a wrong segment leads to; null: no map can make it right.</summary>
    public Func<ExtentMap, int, SegmentFlight, Task<ExtentMap?>>? Correct { get; set; }

    public int Corrections { get; private set; }

    TimeProvider ISegmentSource.Time => Clock;

    /// <summary>Segments s0, s1, … of one size, one after the other.</summary>
    public static ExtentMap Regular(int count, int size) => Whole([.. Enumerable.Repeat(size, count)]);

    public static ExtentMap Whole(params int[] sizes)
    {
        var table = new SegmentTable.Builder();
        long begin = 0;
        for (var i = 0; i < sizes.Length; i++)
        {
            table.Add($"s{i}", begin, sizes[i]);
            begin += sizes[i];
        }

        return ExtentMap.OfWholeSegments(table.Build());
    }

    /// <summary>The bytes of a file, from the map and nothing else.</summary>
    public static byte[] Oracle(ExtentMap map)
    {
        var file = new byte[map.Length];
        foreach (var extent in map.Extents)
        {
            ManualSegment.BytesOf(map.Segments.Id(extent.Segment), map.Segments.Size(extent.Segment))
                .AsSpan(extent.Offset, extent.Length).CopyTo(file.AsSpan((int)extent.Start));
        }

        return file;
    }

    public ValueTask<ExtentMap?> CorrectAsync(ExtentMap map, int segment, SegmentFlight flight, CancellationToken cancellationToken)
    {
        Corrections++;
        return new ValueTask<ExtentMap?>(Correct?.Invoke(map, segment, flight) ?? Task.FromResult<ExtentMap?>(null));
    }

    public SegmentPrefetcher Open(long start = 0, long? end = null, ReadIntent intent = ReadIntent.Playback) =>
        new(this, start, end ?? Map.Length, intent);

    /// <summary>Opens or joins a flight by hand.</summary>
    public SegmentFlight Fly(SegmentKey key, FetchPriority priority = FetchPriority.Waiting)
    {
        Assert.True(Cache.TryOpen(key, priority, waiter: null, out var flight));
        return flight;
    }

    public SegmentFlight Fly(string id = "s0", int size = 100_000) => Fly(new SegmentKey(id, 0, size));

    /// <summary>Reads that many bytes and compares each with what the map says; no lease may pass them.</summary>
    public async Task ReadAsync(ContentReader reader, long count)
    {
        var oracle = Oracle(Map);
        while (count > 0)
        {
            var at = (int)reader.Position;
            using var lease = await reader.NextAsync(CancellationToken.None);
            Assert.InRange(lease.Length, 1, count);
            Assert.True(oracle.AsSpan(at, lease.Length).SequenceEqual(lease.Memory.Span), $"wrong bytes at {at}");
            Assert.Equal(at + lease.Length, reader.Position);
            count -= lease.Length;
        }
    }

    public void Dispose()
    {
        Assert.Equal(0, Cache.Open);
        Cache.Reclaim(long.MaxValue);
        Assert.Equal(0, Cache.Count);
        _pool.AssertAllReturned();
        _pool.AssertNothingReserved();
    }
}
