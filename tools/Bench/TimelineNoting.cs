using BenchmarkDotNet.Attributes;
using NzbDav.Bench.Contract;
using NzbDav.Content.Recording;

namespace NzbDav.Bench;

/// <summary>What does it cost to record an article in the timeline: the hash of its id, and the entry in the ring?</summary>
public class TimelineNoting
{
    private const string Id = "part412of700.Zq3xHk8TsW1vB6nY@powerpost2000AA.local";

    private readonly Timeline _timeline = new(TimeProvider.System);

    /// <summary>Articles recorded per call.</summary>
    public int Articles => 1_000;

    [GlobalSetup]
    public void Setup() => _timeline.Providers.Add(default);

    [Benchmark]
    [AllocationBudget(0)]
    public long Note()
    {
        for (var i = 0; i < Articles; i++)
            _timeline.Providers.Add(new TimelineEntry
            {
                Kind = TimelineKind.Article,
                At = i,
                Id = Timeline.HashOf(Id),
                A = 1,
                B = 2,
                C = 3,
                D = 4,
                Bytes = 716_800,
                Connection = 7
            });
        return _timeline.Providers.Next;
    }
}
