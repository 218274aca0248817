using System.Diagnostics;
using NzbDav.Catalog.Jobs;
using NzbDav.Fakes.Archives;
using NzbDav.Import.Intake;
using NzbDav.Import.Queue;
using NzbDav.Import.Tests.Corpus;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.Import.Tests;

/// <summary>Time from dropping the .nzb until the file is visible, over a provider that is 10 ms away. Times are printed only, because the
/// machine may be busy.</summary>
public sealed class MeasurementTests(ITestOutputHelper output)
{
    [Theory(Explicit = true)]
    [InlineData("plain, 1 GB", 1, 1_000_000_000)]
    [InlineData("plain, 50 GB", 1, 50_000_000_000)]
    [InlineData("plain, 500 GB", 1, 500_000_000_000)]
    [InlineData("21 files of 50 MB", 21, 50_000_000)]
    [InlineData("season pack of 612 files", 612, 20_000_000)]
    public async Task Import_until_visible(string what, int files, long size)
    {
        await using var fixture = await OpenAsync(latency: 10);
        var posted = fixture.Store.AddPost([.. Enumerable.Range(1, files)
            .Select(i => ($"Show.S01E{i:000}.mkv", (IArticleSource)new FilmSource(new SeededSource(1, $"{i}", size))))]);
        await MeasureAsync(what, fixture, posted, files);
    }

    [Theory(Explicit = true)]
    [InlineData("RAR5, 21 volumes", "", false, 10)]
    [InlineData("RAR5, 21 volumes, obfuscated", "", true, 10)]
    [InlineData("RAR5, 21 volumes, headers encrypted", "secret", false, 10)]
    [InlineData("RAR5, 21 volumes", "", false, 50)]
    public async Task Import_of_an_archive_until_visible(string what, string password, bool obfuscated, int latency)
    {
        // As many articles as with volumes of 50 MB and articles of 700 kB, but smaller ones: articles that are not requested need not be
        // large.
        var film = PostShape.Film(1, 209_000_000);
        var writer = new Rar5Writer
        { VolumeSize = 10_000_000, Password = password.Length > 0 ? password : null, EncryptHeaders = password.Length > 0 };
        var volumes = PostShape.Named(writer.Write(new PackedFile("Show.S01E01.mkv", film)), count => VolumeNaming.Part("show", count))
            .ToArray();
        Assert.Equal(21, volumes.Length);
        await using var fixture = await OpenAsync(latency);
        var posted = fixture.Store.AddPost(
            [.. volumes.Select(volume => (volume.Name, (IArticleSource)new MemorySource(volume.Bytes)))], new PostOptions
            { ArticleSize = 140_000, Obfuscated = obfuscated });
        await MeasureAsync(what, fixture, posted, files: 1, password);
    }

    /// <summary>Volumes are small, as the number of round trips does not depend on their size.</summary>
    [Theory(Explicit = true)]
    [InlineData("RAR5, 200 volumes", 200, 100_000, 10)]
    [InlineData("7z, 21 volumes", 21, 1_000_000, 10)]
    [InlineData("RAR5, 500 volumes", 500, 500_000, 50)]
    public async Task Import_of_a_set_until_visible(string what, int volumes, int size, int latency)
    {
        PackedFile film = new("Film.mkv", PostShape.Film(1, (volumes * size) - (size / 2)));
        var set = what.StartsWith("7z", StringComparison.Ordinal)
            ? PostShape.Named(new SevenZipWriter { VolumeSize = size }.Write(film), count => VolumeNaming.Numeric("volume.7z", count))
            : PostShape.Named(new Rar5Writer { VolumeSize = size }.Write(film), count => VolumeNaming.Part("volume", count));
        await using var fixture = await OpenAsync(latency);
        var posted = fixture.Store.AddPost([.. set.Select(file => (file.Name, (IArticleSource)new MemorySource(file.Bytes)))]);
        Assert.Equal(volumes, posted.Count);
        await MeasureAsync(what, fixture, posted, files: 1);
    }

    private static Task<ImportFixture> OpenAsync(int latency) => ImportFixture.OpenAsync(
        [new() { Latency = TimeSpan.FromMilliseconds(latency) }], options =>
            options with { MaxConnections = 20 }, TimeProvider.System, ImportFixture.Options with { MaxNzbBytes = 512 << 20 });

    private async Task MeasureAsync(string what, ImportFixture fixture, IReadOnlyList<PostedFile> posted, int files, string password = "")
    {
        // Only what is asked for is encoded beforehand, so that the mock's work is sending.
        foreach (var file in posted)
            _ = (file.Segments[0].Body, file.Segments[^1].Body);
        using var nzb = new MemoryStream(NzbWriter.ToBytes(posted));
        using var queue = new ImportQueue(
            fixture.Jobs, fixture.Worker, fixture.Switch, ImportFixture.Options, TimeProvider.System, fixture.Log.For<ImportQueue>());
        await queue.StartAsync(CancellationToken.None);
        await WarmUpAsync(fixture);
        var watch = Stopwatch.StartNew();
        var request = new IntakeRequest
        { FileName = "Show.nzb", Category = "tv", Source = JobSource.Api, Password = password.Length > 0 ? password : null };
        var job = (await fixture.Intake.AddAsync(request, nzb, CancellationToken.None)).Job!;
        var taken = watch.Elapsed;
        var done = (await new JobOutcome(fixture.Jobs, TimeProvider.System).WaitAsync(job.Id, CancellationToken.None))!;
        var visible = watch.Elapsed;
        await queue.StopAsync(CancellationToken.None);
        output.WriteLine(
            $"{what}: visible after {visible.TotalMilliseconds:F0} ms, of these taking in {taken.TotalMilliseconds:F0} ms; " +
            $"{string.Join(", ", done.Timings.Select(step => $"{step.Step} {step.Duration.TotalMilliseconds:F0}"))} ms; " +
            $"{posted.Sum(file => file.Segments.Count)} segments, {fixture.Mocks[0].Stats.ArticlesServed} fetched, " +
            $"{fixture.Mocks[0].Latency.TotalMilliseconds:F0} ms away");
        Assert.Null(done.FailureMessage);
        Assert.Equal(files, done.FileCount);
    }

    private static async Task WarmUpAsync(ImportFixture fixture)
    {
        using var small = new MemoryStream(NzbWriter.ToBytes(fixture.Post("warm.mkv")));
        var job = (await fixture.Intake.AddAsync("Warm.nzb", "tv", small, JobSource.Api, CancellationToken.None)).Job!;
        await new JobOutcome(fixture.Jobs, TimeProvider.System).WaitAsync(job.Id, CancellationToken.None);
    }

    /// <summary>Begins like Matroska: a file recognised by its first bytes is not probed further.</summary>
    private sealed class FilmSource(SeededSource bytes) : IArticleSource
    {
        public long Length => bytes.Length;

        public void Fill(long offset, Span<byte> destination)
        {
            bytes.Fill(offset, destination);
            if (offset == 0 && destination.Length >= 4)
                ((ReadOnlySpan<byte>)[0x1A, 0x45, 0xDF, 0xA3]).CopyTo(destination);
        }
    }
}
