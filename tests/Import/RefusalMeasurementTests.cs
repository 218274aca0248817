using System.Diagnostics;
using NzbDav.Catalog.Jobs;
using NzbDav.Import.Tests.Corpus;

namespace NzbDav.Import.Tests;

/// <summary>
/// How long a post that must be refused goes on after the last of its files was probed, over a provider that is 10 ms away; all refused
/// shapes of the corpus. Figures are printed, never asserted.
/// </summary>
public sealed class RefusalMeasurementTests(ITestOutputHelper output)
{
    [Fact(Explicit = true)]
    public async Task Refusals_after_the_last_probe()
    {
        var all = new List<(string Shape, TimeSpan After)>();
        foreach (var (name, make) in RefusedShapes.All)
            all.Add((name, await MeasureAsync(make())));
        output.WriteLine($"{all.Count} refusals, after the last probed article: median {all.Order(Comparer<(string, TimeSpan After)>.Create((a, b) => a.After.CompareTo(b.After))).ElementAt(all.Count / 2).After.TotalMilliseconds:F0} ms; the longest:");
        foreach (var (shape, after) in all.OrderByDescending(one => one.After).Take(5))
            output.WriteLine($"{after.TotalMilliseconds,6:F0} ms  {shape}");
    }

    private static async Task<TimeSpan> MeasureAsync(PostShape shape)
    {
        await using var fixture = await ImportFixture.OpenAsync(
            [new() { Latency = TimeSpan.FromMilliseconds(10) }], options =>
                options with { MaxConnections = 20 }, TimeProvider.System, shape.Rules);
        var probed = 0L;
        fixture.Events.Progressed += progress =>
        {
            if (progress.Progress.Step is "parse" or "probe")
                probed = Stopwatch.GetTimestamp();
        };
        var job = await shape.RunAsync(fixture);
        var after = Stopwatch.GetElapsedTime(probed);
        Assert.Equal((JobState.Failed, shape.Code), (job.State, job.FailureCode));
        return after;
    }
}
