using System.Diagnostics;
using System.Globalization;
using NzbDav.Catalog.Tree;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Fakes.Archives;
using NzbDav.Import.Probing;
using NzbDav.Import.Tests.Corpus;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.Import.Tests;

/// <summary>
/// What a stored archive costs against the plain file when it is read from end to end, and whether it is felt where volumes meet. All
/// shapes in one run, in turns, from a provider in the same process. Figures are printed, never asserted. <c>NZBDAV_MEASURE_MB</c> says how
/// big the file is: the default only shows that the measurement works; figures worth anything come from 128 and a release build. A reader
/// that is faster than the line takes what was sent for at once in one go and then waits for the next batch: at the same distances from
/// where it began, of the plain file too. So each round begins at another place of the first volume, and beside each set stands what the
/// plain file does at its articles that are nearest to the set's borders: what the same places and as many samples show where there is no
/// border.
/// </summary>
public sealed class ReadingMeasurementTests(ITestOutputHelper output)
{
    private const int FewMegabytes = 8;

    private static readonly int Megabytes = int.TryParse(Environment.GetEnvironmentVariables()["NZBDAV_MEASURE_MB"] as string,
        NumberStyles.None, CultureInfo.InvariantCulture, out var asked) ? asked : FewMegabytes;

    private static readonly int Rounds = Megabytes > FewMegabytes ? 11 : 2;

    [Theory(Explicit = true)]
    [InlineData(0, 50_000_000)]
    [InlineData(10, 50_000_000)]
    [InlineData(10, 3_000_000)]
    [InlineData(10, 4_100_000)]
    public async Task Sequential_reading(int latency, int volume)
    {
        await using var fixture = await ImportFixture.OpenAsync(
            [new() { Latency = TimeSpan.FromMilliseconds(latency) }], options =>
                options with { MaxConnections = 10 }, TimeProvider.System, ImportFixture.Options with { MaxNzbBytes = 512 << 20 },
            new BufferPool(new BufferBudget(96 << 20)));
        volume = Math.Min(volume, Megabytes * 100_000);
        var film = PostShape.Film(1, Megabytes * 1_000_000);
        PackedFile[] packed = [new("Film.mkv", film)];
        string[] Parts(int count) => VolumeNaming.Part("volume", count);
        string[] Numbered(int count) => VolumeNaming.Numeric("volume.7z", count);
        var shapes = new List<Shape>
        {
            await PostAsync(fixture, "plain", [("Film.mkv", film)]),
            await PostAsync(fixture, "RAR5", PostShape.Named(new Rar5Writer { VolumeSize = volume }.Write(packed), Parts)),
            await PostAsync(fixture, "7z", PostShape.Named(new SevenZipWriter { VolumeSize = volume }.Write(packed), Numbered)),
            await PostAsync(fixture, "RAR5, AES-256",
                PostShape.Named(new Rar5Writer { VolumeSize = volume, Password = "secret" }.Write(packed), Parts)),
            await PostAsync(fixture, "7z, AES-256",
                PostShape.Named(new SevenZipWriter { VolumeSize = volume, Password = "secret" }.Write(packed), Numbered)),
        };
        foreach (var shape in shapes)
        {
            var content = await fixture.Opener.OpenAsync(shape.Film, CancellationToken.None);
            var read = await ContentBytes.ReadAsync(content, 0, film.Length, ReadIntent.Download, CancellationToken.None);
            Assert.True(film.AsSpan().SequenceEqual(read), shape.Name);
        }

        for (var round = -1; round < Rounds; round++)
        {
            for (var i = 0; i < shapes.Count; i++)
                await ReadAsync(
                    fixture, shapes[(i + Math.Max(0, round)) % shapes.Count], (long)volume * Math.Max(0, round) / Rounds, keep: round >= 0);
        }

        output.WriteLine(
            $"{Megabytes} MB, volumes of {volume} bytes, {latency} ms away, {Rounds} rounds, {(IsOptimised ? "release" : "DEBUG")} build:");
        var plain = shapes[0];
        foreach (var shape in shapes)
        {
            var (near, far) = plain.Like(shape);
            var ratios = shape.Speeds.Zip(plain.Speeds, (one, other) => one / other).Order().ToArray();
            output.WriteLine(
                $"{shape.Name,-14} median {Median(shape.Speeds),6:F0} MB/s ({shape.Speeds.Min():F0} to {shape.Speeds.Max():F0}), of " +
                $"plain in the same round: median {Median(ratios):F3} ({ratios[0]:F3} to {ratios[^1]:F3}); "
                + $"wait for an article p50 {At(shape.Elsewhere, 0.5):F2} p99 {At(shape.Elsewhere, 0.99):F2} ms " +
                    $"({shape.Elsewhere.Count}), at a volume border p50 {At(shape.Borders, 0.5):F2} p99 {At(shape.Borders, 0.99):F2} ms " +
                    $"({shape.Borders.Count}), "
                + $"p99 ratio {At(shape.Borders, 0.99) / At(shape.Elsewhere, 0.99):F2}, of the plain file at the same places " +
                    $"{At(near, 0.99) / At(far, 0.99):F2}; longest waits: {shape.Longest()}");
        }
    }

#if DEBUG
    private static bool IsOptimised => false;
#else
    private static bool IsOptimised => true;
#endif

    private static async Task<Shape> PostAsync(ImportFixture fixture, string name, IEnumerable<(string Name, byte[] Bytes)> files)
    {
        var posted = fixture.Store.AddPost([.. files.Select(file => (file.Name, (IArticleSource)new MemorySource(file.Bytes)))]);

        // Encoded beforehand, so that the mock's work is sending.
        foreach (var segment in posted.SelectMany(file => file.Segments))
            _ = segment.Body;
        await fixture.EnqueueAsync(NzbWriter.ToBytes(posted), name, "secret");
        var job = await fixture.RunAsync();
        Assert.Null(job.FailureMessage);
        CatalogItem? film = null;
        await foreach (var item in fixture.Tree.ListAsync(job.ItemId!.Value, after: null, CancellationToken.None))
            film = item;
        var stored = await fixture.Maps.ReadAsync(film!.ExtentMap!.Value, CancellationToken.None);
        return new Shape(name, film, stored.Map);
    }

    private static async Task ReadAsync(ImportFixture fixture, Shape shape, long from, bool keep)
    {
        // Empties the cache first.
        await Until.TrueAsync(() => fixture.Usenet.Cache.Open == 0);
        fixture.Usenet.Cache.Reclaim(long.MaxValue);
        fixture.Mocks[0].ResetStats();
        var content = await fixture.Opener.OpenAsync(shape.Film, CancellationToken.None);
        var waits = new List<(long Start, long End, double Milliseconds)>(10_000);
        var begun = Stopwatch.GetTimestamp();
        await using (var reader = content.OpenReader(from, content.Length, ReadIntent.Playback))
        {
            while (true)
            {
                var start = reader.Position;
                var asked = Stopwatch.GetTimestamp();
                using var lease = await reader.NextAsync(CancellationToken.None);
                if (lease.IsEmpty)
                    break;
                waits.Add((start, start + lease.Length, Stopwatch.GetElapsedTime(asked).TotalMilliseconds));
            }
        }

        var speed = (content.Length - from) / Stopwatch.GetElapsedTime(begun).TotalSeconds / 1e6;
        Assert.Equal(content.Length, waits[^1].End);

        // The provider counts an article when the last byte is sent: a little after it was received.
        Assert.InRange(fixture.Mocks[0].Stats.PayloadBytes, (content.Length - from) * 3 / 4, long.MaxValue);
        if (keep)
            shape.Add(speed, waits);
    }

    private static double Median(IEnumerable<double> values) => At([.. values], 0.5);

    private static double At(List<double> values, double quantile) =>
        values.Count == 0 ? double.NaN : values.Order().ElementAt(Math.Min(values.Count - 1, (int)(values.Count * quantile)));

    /// <summary>A post and what was measured of it.</summary>
    private sealed class Shape(string name, CatalogItem film, ExtentMap map)
    {
        /// <summary>Where articles begin in the file, but for its first; true: the first of a volume.</summary>
        private readonly List<(long At, bool IsBorder)> _begins = Begins(map);

        private readonly List<(long At, bool IsBorder, double Milliseconds)> _waits = [];

        public string Name => name;

        public CatalogItem Film => film;

        /// <summary>MB/s, by round.</summary>
        public List<double> Speeds { get; } = [];

        /// <summary>Milliseconds until the first bytes of an article came, but at volume borders.</summary>
        public List<double> Elsewhere { get; } = [];

        /// <summary>The same at volume borders.</summary>
        public List<double> Borders { get; } = [];

        /// <summary>Where in the file the longest waits were, with a star at volume borders.</summary>
        public string Longest() =>
            string.Join(", ", _waits.OrderByDescending(wait => wait.Milliseconds).Take(12).OrderBy(wait => wait.At)
                .Select(wait => $"{wait.At / 1e6:F1}{(wait.IsBorder ? "*" : "")} MB {wait.Milliseconds:F0} ms"));

        public void Add(double speed, List<(long Start, long End, double Milliseconds)> waits)
        {
            Speeds.Add(speed);
            var next = 0;
            foreach (var (start, end, wait) in waits)
            {
                var border = false;
                var begins = false;
                for (; next < _begins.Count && _begins[next].At < end; next++)
                    (begins, border) = (true, border | _begins[next].IsBorder);
                if (!begins || start == waits[0].Start)
                    continue;
                (border ? Borders : Elsewhere).Add(wait);
                _waits.Add((start, border, wait));
            }
        }

        /// <summary>The waits at the articles that are nearest to another post's volume borders, and all others.</summary>
        public (List<double> Near, List<double> Far) Like(Shape other)
        {
            var near = other._begins.Where(begin => begin.IsBorder)
                .Select(border => _begins.MinBy(begin => Math.Abs(begin.At - border.At)).At).ToHashSet();
            return ([.. _waits.Where(wait => near.Contains(wait.At)).Select(wait => wait.Milliseconds)],
                [.. _waits.Where(wait => !near.Contains(wait.At)).Select(wait => wait.Milliseconds)]);
        }

        private static List<(long At, bool IsBorder)> Begins(ExtentMap map)
        {
            var begins = new List<(long At, bool IsBorder)>();
            foreach (var extent in map.Extents[1..])
                begins.Add((extent.Start, map.Segments.Begin(extent.Segment) == 0));

            return begins;
        }
    }
}
