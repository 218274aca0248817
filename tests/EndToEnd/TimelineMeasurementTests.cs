using System.Diagnostics;
using System.Globalization;
using Microsoft.Extensions.Logging.Abstractions;
using NzbDav.Content;
using NzbDav.Content.Recording;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Usenet;

namespace NzbDav.EndToEnd.Tests;

/// <summary>
/// What the time line costs a reader: the same file read with and without it, in turns, in one process, from a provider on loopback. Prints
/// its figures; asserts only what does not depend on the machine's speed. <c>NZBDAV_MEASURE_TIMELINE</c> sets the number of rounds; the
/// default only shows that the measurement works.
/// </summary>
public sealed class TimelineMeasurementTests(ITestOutputHelper output)
{
    private const int Size = 64_000_000;

    private static readonly int Rounds = int.TryParse(Environment.GetEnvironmentVariables()["NZBDAV_MEASURE_TIMELINE"] as string,
        NumberStyles.None, CultureInfo.InvariantCulture, out var asked) ? asked : 1;

    [Fact(Explicit = true)]
    public async Task Reading_with_the_time_line_compared_with_reading_without()
    {
        await using var news = new NewsServers();
        var file = news.Post("film.mkv", Size);
        await news.Store.EncodeAllAsync();
        var segments = new SegmentTable.Builder();
        foreach (var segment in file.Segments)
            segments.Add(segment.MessageId, segment.Offset, segment.Size);
        var map = ExtentMap.OfWholeSegments(segments.Build());
        var timeline = new Timeline(TimeProvider.System);
        var (with, without) = (new List<double>(), new List<double>());
        for (var round = 0; round < Rounds + 1; round++)
        {
            var (first, second) = round % 2 == 0 ? (timeline, (Timeline?)null) : (null, timeline);
            foreach (var line in new[] { first, second })
            {
                var seconds = await ReadAsync(news, map, line);

                // The first round warms up the JIT compiler.
                if (round > 0)
                    (line is null ? without : with).Add(seconds);
            }
        }

        Assert.Equal(file.Segments.Count, timeline.Providers.Since(0).Where(entry =>
            entry is { Kind: TimelineKind.Article, Outcome: (byte)ArticleResult.Found }).Select(entry => entry.Id).Distinct().Count());
        with.Sort();
        without.Sort();
        output.WriteLine(
            string.Create(
            CultureInfo.InvariantCulture,
            $"with {Size / 1e6 / with[with.Count / 2]:0} MB/s, without {Size / 1e6 / without[without.Count / 2]:0} MB/s (medians of " +
            $"{Rounds}); ratio {without[without.Count / 2] / with[with.Count / 2]:0.000}, of the best {without[0] / with[0]:0.000}"));
    }

    private static async Task<double> ReadAsync(NewsServers news, ExtentMap map, Timeline? timeline)
    {
        await using var usenet = new UsenetClient(news.Accounts, new BufferPool(new BufferBudget(64 << 20)), TimeProvider.System,
            NullLogger<UsenetClient>.Instance, timeline: timeline);
        usenet.Start();
        await Deadline.UntilAsync(() => usenet.Providers[0].Status.OpenConnections == 8, "the connections are open");
        var began = Stopwatch.GetTimestamp();
        long total = 0;
        await using var reader = usenet.Open(map).OpenReader(0, map.Length, ReadIntent.Playback);
        while (true)
        {
            using var lease = await reader.NextAsync(Deadline.Token);
            if (lease.IsEmpty)
                break;
            total += lease.Length;
        }

        Assert.Equal(map.Length, total);
        return Stopwatch.GetElapsedTime(began).TotalSeconds;
    }
}
