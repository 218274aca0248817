using System.Diagnostics;
using NzbDav.Catalog;
using NzbDav.Fakes.Archives;
using NzbDav.MockUsenet;
using Xunit.Abstractions;

namespace NzbDav.Import.Tests;

/// <summary>From the drop to the tree, over a provider that is 10 ms away. Times are printed, and bounded loosely, as the machine may be busy.</summary>
public sealed class MeasurementTests(ITestOutputHelper output)
{
    [Theory]
    [InlineData("plain, 1 GB", 1, 1_000_000_000)]
    [InlineData("plain, 50 GB", 1, 50_000_000_000)]
    [InlineData("21 files of 50 MB", 21, 50_000_000)]
    [InlineData("season pack of 612 files", 612, 20_000_000)]
    public async Task Import_until_visible(string what, int files, long size)
    {
        await using var fixture = await ImportFixture.OpenAsync(
            [new() { Latency = TimeSpan.FromMilliseconds(10) }], options => options with { MaxConnections = 20 }, TimeProvider.System, ImportFixture.Options with { MaxNzbBytes = 512 << 20 });
        var posted = fixture.Store.AddPost([.. Enumerable.Range(1, files).Select(i => ($"Show.S01E{i:000}.mkv", (IArticleSource)new FilmSource(new SeededSource(1, $"{i}", size))))]);

        await MeasureAsync(fixture, what, posted, files);
    }

    /// <summary>Volumes are small, as the number of round trips does not depend on their size.</summary>
    [Theory]
    [InlineData("RAR5, 21 volumes", 21, 1_000_000)]
    [InlineData("RAR5, 200 volumes", 200, 100_000)]
    [InlineData("7z, 21 volumes", 21, 1_000_000)]
    [InlineData("RAR5, 21 volumes, headers encrypted", 21, 1_000_000)]
    public async Task Import_of_a_set_until_visible(string what, int volumes, int size)
    {
        await using var fixture = await ImportFixture.OpenAsync(
            [new() { Latency = TimeSpan.FromMilliseconds(10) }], options => options with { MaxConnections = 20 }, TimeProvider.System, ImportFixture.Options with { Passwords = ["secret"] });
        PackedFile film = new("Film.mkv", PostShape.Film(1, (volumes * size) - (size / 2)));
        var password = what.EndsWith("encrypted", StringComparison.Ordinal) ? "secret" : null;
        var set = what.StartsWith("7z", StringComparison.Ordinal)
            ? PostShape.Named(new SevenZipWriter { VolumeSize = size }.Write(film), count => VolumeNaming.Numeric("volume.7z", count))
            : PostShape.Named(new Rar5Writer { VolumeSize = size, Password = password, EncryptHeaders = password is not null, Rounds = 15 }.Write(film), count => VolumeNaming.Part("volume", count));
        var posted = fixture.Store.AddPost([.. set.Select(file => (file.Name, (IArticleSource)new MemorySource(file.Bytes)))]);
        Assert.Equal(volumes, posted.Count);
        await MeasureAsync(fixture, what, posted, files: 1);
    }

    private async Task MeasureAsync(ImportFixture fixture, string what, IReadOnlyList<PostedFile> posted, int files)
    {
        // Only what is asked for is encoded beforehand, so that the mock's work is sending.
        foreach (var file in posted)
            _ = (file.Segments[0].Body, file.Segments[^1].Body);
        using var nzb = new MemoryStream(NzbWriter.ToBytes(posted));
        using var queue = new ImportQueue(fixture.Jobs, fixture.Worker, fixture.Switch, ImportFixture.Options, TimeProvider.System, fixture.Log.For<ImportQueue>());
        await queue.StartAsync(CancellationToken.None);
        await WarmUpAsync(fixture);
        var watch = Stopwatch.StartNew();
        var job = (await fixture.Intake.AddAsync("Show.nzb", "tv", nzb, JobSource.Api, CancellationToken.None)).Job!;
        var taken = watch.Elapsed;
        var done = (await new JobOutcome(fixture.Jobs, TimeProvider.System).WaitAsync(job.Id, CancellationToken.None))!;
        var visible = watch.Elapsed;
        await queue.StopAsync(CancellationToken.None);
        var fetched = fixture.Mocks[0].Stats;
        output.WriteLine($"{what}: visible after {visible.TotalMilliseconds:F0} ms, of these taking in {taken.TotalMilliseconds:F0} ms; {string.Join(", ", done.Timings.Select(step => $"{step.Step} {step.Duration.TotalMilliseconds:F0}"))} ms; {posted.Sum(file => file.Segments.Count)} segments, {fetched.ArticlesServed} fetched");
        Assert.Null(done.FailureMessage);
        Assert.Equal(files, done.FileCount);
        Assert.InRange(visible, TimeSpan.Zero, TimeSpan.FromSeconds(30));
    }

    private static async Task WarmUpAsync(ImportFixture fixture)
    {
        using var small = new MemoryStream(NzbWriter.ToBytes(fixture.Post("warm.mkv")));
        var job = (await fixture.Intake.AddAsync("Warm.nzb", "tv", small, JobSource.Api, CancellationToken.None)).Job!;
        await new JobOutcome(fixture.Jobs, TimeProvider.System).WaitAsync(job.Id, CancellationToken.None);
    }

    /// <summary>Begins as Matroska does: what is told by its first bytes need not be looked at further.</summary>
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
