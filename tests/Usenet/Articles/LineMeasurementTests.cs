using System.Diagnostics;
using System.Globalization;
using NzbDav.Content;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Faults;

namespace NzbDav.Usenet.Tests.Articles;

/// <summary>
/// What is asked for twice on a slow line, and what is left of a fast one when connections stall. The provider is in the same process.
/// Figures are printed, never asserted. <c>NZBDAV_MEASURE_MB</c> says how much each stream reads: the default only shows that the
/// measurement works; figures worth anything come from 128 and a release build.
/// </summary>
public sealed class LineMeasurementTests(ITestOutputHelper output)
{
    private const int FewMegabytes = 4;

    private static readonly int Megabytes = int.TryParse(Environment.GetEnvironmentVariables()["NZBDAV_MEASURE_MB"] as string,
        NumberStyles.None, CultureInfo.InvariantCulture, out var asked) ? asked : FewMegabytes;

    private static int Rounds => Megabytes == FewMegabytes ? 1 : 3;

    [Theory(Explicit = true)]
    [InlineData(50, null)]
    [InlineData(100, null)]
    [InlineData(160, null)]
    [InlineData(0, 8 << 20)]
    public async Task Duplicate_requests_on_a_slow_line(int megabitsPerSecond, int? speedLimit)
    {
        var rate = megabitsPerSecond * 1_000_000L / 8;
        await using var usenet = new UsenetFixture(
            [new() { Latency = TimeSpan.FromMilliseconds(30), Jitter = TimeSpan.FromMilliseconds(6), TotalRate = rate }],
                static (options, _) => options with { MaxConnections = 20 }, budget: 90 << 20);
        usenet.Client.SpeedLimit = speedLimit;
        var files = Post(usenet, streams: 1);
        var (seconds, bytes) = await ReadAsync(usenet, files);
        var needed = files.Sum(static file => file.Segments.Count);
        var bodies = usenet.Mock.Stats.Commands["BODY"];
        output.WriteLine(
            $"{(speedLimit is null ? $"line of {megabitsPerSecond} Mbit/s" : $"limit of {speedLimit / 1e6:F1} MB/s")}: " +
            $"{bytes / seconds / 1e6:F2} MB/s of payload, {usenet.Mock.Stats.WireBytes / seconds / 1e6:F2} MB/s on the wire, "
            + $"{bodies} articles asked for, {needed} needed: {(double)bodies / needed:F3}, hedged " +
                $"{100.0 * (bodies - needed) / needed:F1} %");
    }

    /// <summary>Without and with stalls in turn, as the machine's other work moves both.</summary>
    [Theory(Explicit = true)]
    [InlineData(0)]
    [InlineData(1)]
    public async Task Bodies_that_stall(int secondPriority)
    {
        await ReadWithStallsAsync(secondPriority, stalled: 0, "to warm up");
        var ratios = new List<double>();
        for (var round = 1; round <= Rounds; round++)
        {
            var free = await ReadWithStallsAsync(secondPriority, stalled: 0, $"round {round}");
            ratios.Add(await ReadWithStallsAsync(secondPriority, stalled: 0.01, $"round {round}") / free);
        }

        output.WriteLine(
            $"second provider at priority {secondPriority}, with over without stalls: " +
            $"{string.Join(", ", ratios.Select(static ratio => ratio.ToString("F2", CultureInfo.InvariantCulture)))}");
    }

    private async Task<double> ReadWithStallsAsync(int secondPriority, double stalled, string what)
    {
        var latency = TimeSpan.FromMilliseconds(20);
        await using var usenet = new UsenetFixture(
            [new() { Name = "first", Latency = latency, MaxConnections = 20 }, new() { Name = "second", Latency = latency }],
            (options, index) => options with { MaxConnections = 20, Priority = index == 0 ? 0 : secondPriority },
            budget: 90 << 20);

        // A body that stalls holds its connection, and its place under the cap, for all of that time: whether the client has left or not.
        usenet.Mock.Faults.Add(Fault.Stall(duration: TimeSpan.FromSeconds(30)), FaultTarget.Rate(stalled), timesEach: 1);
        var files = Post(usenet, streams: 8);
        var (seconds, bytes) = await ReadAsync(usenet, files);
        var first = usenet.Client.Providers[0].Status;
        output.WriteLine(
            $"{what}, {stalled:P0} stalled: {bytes / seconds / 1e6:F0} MB/s in {seconds:F1} s, " +
            $"{usenet.Mocks.Sum(static mock => mock.Stats.Commands.GetValueOrDefault("BODY"))} articles asked for, "
            + $"{files.Sum(static file => file.Segments.Count)} needed; first provider: {first.OpenConnections} of " +
                $"{first.MaxConnections} connections, {first.Articles} articles, {usenet.Mock.Stats.ConnectionsRefused} refused");
        return bytes / seconds;
    }

    private static PostedFile[] Post(UsenetFixture usenet, int streams)
    {
        var files = Enumerable.Range(0, streams).Select(i => usenet.Post(Megabytes * 1_000_000L, name: $"stream{i}.mkv")).ToArray();

        // Encoded beforehand, so that the mock's work is sending.
        Parallel.ForEach(files.SelectMany(static file => file.Segments), static segment => _ = segment.Body);
        return files;
    }

    /// <summary>Reads all of the files at once. That the bytes are right is for other tests: every article has its checksum.</summary>
    private static async Task<(double Seconds, long Bytes)> ReadAsync(UsenetFixture usenet, PostedFile[] files)
    {
        var began = Stopwatch.GetTimestamp();
        await Task.WhenAll(files.Select(file => Task.Run(() => ReadAsync(usenet.Client.Open(UsenetFixture.TrueMap(file)), file.Length))));
        return (Stopwatch.GetElapsedTime(began).TotalSeconds, files.Sum(static file => file.Length));
    }

    private static async Task ReadAsync(IContent content, long length)
    {
        await using var reader = content.OpenReader(0, length, ReadIntent.Playback);
        while (true)
        {
            using var lease = await reader.NextAsync(CancellationToken.None);
            if (lease.IsEmpty)
                break;
        }

        Assert.Equal(length, reader.Position);
    }
}
