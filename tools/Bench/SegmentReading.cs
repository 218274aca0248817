using BenchmarkDotNet.Attributes;
using NzbDav.Bench.Contract;
using NzbDav.Bench.Samples;
using NzbDav.Content;

namespace NzbDav.Bench;

/// <summary>
/// What does the path from a received article to a reader's lease cost, with articles present and with each piece awaited?
/// </summary>
public class SegmentReading
{
    /// <summary>The number of pieces of an article with receive buffers of 256 KiB.</summary>
    private const int Pieces = 3;

    private readonly ExtentMap _map = SegmentSamples.Map(256);
    private readonly SteppedTime _time = new();
    private MapSource? _ofHere;
    private MapSource? _ofArriving;
    private SteppedFetcher? _arriving;

    public int Segments => _map.Segments.Count;

    /// <summary>Each piece is lent when it arrives.</summary>
    public int Leases => Segments * Pieces;

    [GlobalSetup]
    public void Setup()
    {
        _arriving = new(_time, Pieces);
        _ofHere = Source(new(_time, pieces: 0));
        _ofArriving = Source(_arriving);
    }

    // A segment is lent in pieces of 256 KiB, and each lease reports whether its bytes are verified.
    [Benchmark]
    [AllocationBudget(625, Per = nameof(Segments))]
    public async Task<long> Here()
    {
        long total = 0;
        await using var reader = new SegmentPrefetcher(_ofHere!, 0, _map.Length, ReadIntent.Playback);
        while (true)
        {
            using var lease = await reader.NextAsync(CancellationToken.None);
            if (lease.IsEmpty)
                break;
            total += lease.Length;
        }

        return Check(total, _ofHere!.Cache);
    }

    [Benchmark]
    [AllocationBudget(340, Per = nameof(Leases))]
    public async Task<long> Arriving()
    {
        long total = 0;
        await using var reader = new SegmentPrefetcher(_ofArriving!, 0, _map.Length, ReadIntent.Playback);
        while (true)
        {
            var next = reader.NextAsync(CancellationToken.None);
            if (!next.IsCompleted)
                _arriving!.Step();
            using var lease = await next;
            if (lease.IsEmpty)
                break;
            total += lease.Length;
        }

        return Check(total, _ofArriving!.Cache);
    }

    // Room for everything that a fast reader requests: the budget is not measured here.
    private MapSource Source(SteppedFetcher fetcher) =>
        new(_map, new SegmentCache(new BufferPool(new BufferBudget(1L << 30)), fetcher, _time), _time);

    private long Check(long total, SegmentCache cache)
    {
        // The next pass must fetch again.
        cache.Reclaim(long.MaxValue);
        return total == _map.Length ? total : throw new InvalidOperationException($"{total} bytes.");
    }
}
