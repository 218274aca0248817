using System.Diagnostics;
using System.Globalization;
using Microsoft.Extensions.Logging.Abstractions;
using NzbDav.Content;
using NzbDav.Fakes.Archives;
using NzbDav.Import.Options;
using NzbDav.Import.Steps;
using NzbDav.MockUsenet.Archives;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.Import.Tests;

/// <summary>
/// What an import saves by inferring the middle volumes of a long RAR set, over a provider that is 50 ms away. Figures are printed, never
/// asserted. <c>NZBDAV_MEASURE_INFERENCE</c> says how many MB a volume has: the default only shows that the measurement works.
/// </summary>
public sealed class InferenceMeasurementTests(ITestOutputHelper output)
{
    private static readonly int? Asked = int.TryParse(Environment.GetEnvironmentVariables()["NZBDAV_MEASURE_INFERENCE"] as string,
        NumberStyles.None, CultureInfo.InvariantCulture, out var asked) ? asked : null;

    public static TheoryData<int, int, long> Sets
    {
        get
        {
            var sets = new TheoryData<int, int, long>();
            if (Asked is null)
            {
                sets.Add(10, 8, 0);
                return sets;
            }

            foreach (var volumes in (int[])[100, 400])
            {
                foreach (var connections in (int[])[8, 20])
                {
                    sets.Add(volumes, connections, 0);
                    sets.Add(volumes, connections, 12_500_000);
                }
            }

            return sets;
        }
    }

    [Theory(Explicit = true)]
    [MemberData(nameof(Sets))]
    public async Task An_import_that_infers_fetches_fewer_articles_than_one_that_reads_every_volume(int volumes, int connections, long rate)
    {
        var every = await MeasureAsync(volumes, connections, rate, readsEveryVolume: true);
        var inferred = await MeasureAsync(volumes, connections, rate, readsEveryVolume: false);
        Assert.InRange(inferred, 1, every - (volumes - 3));
    }

    private async Task<long> MeasureAsync(int volumes, int connections, long rate, bool readsEveryVolume)
    {
        await using var fixture = await ImportFixture.OpenAsync(
            [new() { Latency = TimeSpan.FromMilliseconds(50), TotalRate = rate }], options =>
                options with { MaxConnections = connections }, TimeProvider.System, ImportFixture.Options with { MaxNzbBytes = 64 << 20 },
            new BufferPool(new BufferBudget(256 << 20)));
        var posted = fixture.Store.AddPost([.. Volumes("Film.mkv", "set", volumes, (Asked ?? 1) * 1_000_000)]);
        foreach (var file in posted)
            _ = file.Segments[0].Body;
        await WarmUpAsync(fixture);
        await fixture.EnqueueAsync(NzbWriter.ToBytes(posted));
        var job = await fixture.ClaimAsync();
        fixture.Mocks[0].ResetStats();
        var watch = Stopwatch.StartNew();
        var run = new ImportRun(job, Tools(fixture)) { ReadsEveryVolume = readsEveryVolume };
        Assert.Null(await run.RunAsync(CancellationToken.None));
        var took = watch.Elapsed;
        var stats = fixture.Mocks[0].Stats;
        output.WriteLine(
            $"{volumes} volumes of {Asked ?? 1} MB, {connections} connections, " +
            $"{(rate == 0 ? "no limit" : $"{rate / 1_000_000.0:F1} MB/s")}, {(readsEveryVolume ? "every volume read" : "inferred")}: "
            + $"{took.TotalMilliseconds:F0} ms " +
                $"({string.Join(", ", run.Timings.Select(step => $"{step.Step} {step.Duration.TotalMilliseconds:F0}"))}), " +
                $"{stats.ArticlesServed} articles, {stats.WireBytes / 1e6:F1} MB, "
            + $"{stats.Commands.GetValueOrDefault("STAT")} STATs");
        return stats.ArticlesServed;
    }

    private static ImportTools Tools(ImportFixture fixture) =>
        new(fixture.Jobs, fixture.Blobs, fixture.Maps, fixture.Usenet, ImportFixture.Options with { MaxNzbBytes = 64 << 20 },
            fixture.Events, TimeProvider.System, NullLogger.Instance);

    /// <summary>Compiles the code and opens the connections that the measured import uses.</summary>
    private static async Task WarmUpAsync(ImportFixture fixture)
    {
        var set = PostedSmall(fixture);
        await fixture.EnqueueAsync(NzbWriter.ToBytes(set));
        Assert.Null(
            await new ImportRun(await fixture.ClaimAsync(), Tools(fixture)) { ReadsEveryVolume = true }.RunAsync(CancellationToken.None));
    }

    private static IReadOnlyList<PostedFile> PostedSmall(ImportFixture fixture)
    {
        return fixture.Store.AddPost([.. Volumes("Warm.mkv", "warm", 40, 20_000)]);
    }

    /// <summary>The volumes of a set whose file is made up.</summary>
    private static IEnumerable<(string Name, IArticleSource Source)> Volumes(string file, string set, int count, int volumeSize)
    {
        // The last volume is not quite full.
        var volumes = StoredRar.Lay(file, new SeededSource(1, "film", (long)count * (volumeSize - 500)), volumeSize);
        return VolumeNaming.Part(set, volumes.Count).Zip(volumes);
    }
}
