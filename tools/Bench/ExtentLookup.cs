using BenchmarkDotNet.Attributes;
using NzbDav.Bench.Contract;
using NzbDav.Bench.Samples;
using NzbDav.Content;

namespace NzbDav.Bench;

/// <summary>What does it cost to find the article that holds a byte, in a film of 1 GB and in a pack of 500 GB?</summary>
public class ExtentLookup
{
    private long[] _offsets = [];
    private ExtentMap _map = SegmentSamples.Map(1);

    [Params(1_500, 700_000)]
    public int Extents { get; set; }

    public int Lookups => 1024;

    [GlobalSetup]
    public void Setup()
    {
        _map = SegmentSamples.Map(Extents);
        var random = new Random(1);
        _offsets = [.. Enumerable.Range(0, Lookups).Select(_ => random.NextInt64(_map.Length))];
    }

    [Benchmark]
    [AllocationBudget(0, Per = nameof(Lookups))]
    public long Find()
    {
        long sum = 0;
        foreach (var offset in _offsets)
            sum += _map.Find(offset);
        return sum;
    }
}
