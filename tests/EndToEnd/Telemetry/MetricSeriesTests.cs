using System.Diagnostics.Metrics;
using NzbDav.Host.Telemetry;

namespace NzbDav.EndToEnd.Tests.Telemetry;

/// <summary>Values that several threads add concurrently, each counted on its processor, are all in the sum.</summary>
public sealed class MetricSeriesTests
{
    private const int Threads = 8;
    private const int Each = 20_000;

    [Fact]
    public async Task Concurrent_additions_are_not_lost()
    {
        using var meter = new Meter("test");
        var series = new MetricSeries(meter.CreateHistogram<double>("waits", "s"), "waits_seconds", "");

        // Sums of quarters are exact. A value on a bound belongs to the bucket below: 0.25 is bound 6, and 20 is above all bounds.
        await Task.WhenAll(Enumerable.Range(0, Threads).Select(thread => Task.Factory.StartNew(
            () =>
            {
                for (var i = 0; i < Each; i++)
                    series.Add(thread % 2 == 0 ? 0.25 : 20);
            },
            CancellationToken.None,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default)));

        var (sum, count, buckets) = series.Read();
        Assert.Equal((Threads / 2 * Each * 20.25, Threads * Each), (sum, count));
        Assert.Equal(0.25, MetricSeries.Bounds[6]);
        var expected = new long[MetricSeries.Bounds.Length + 1];
        expected[6] = expected[^1] = Threads / 2 * Each;
        Assert.Equal(expected, buckets);
    }
}
