using System.Diagnostics;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Maps;
using NzbDav.Catalog.Tree;

namespace NzbDav.Catalog.Tests;

/// <summary>Sizes are contracts. Times are printed only, because the machine may be busy.</summary>
public class MeasurementTests(ITestOutputHelper output)
{
    private const int Segments = 700_000;

    [Fact(Explicit = true)]
    public async Task Encoding_a_map_of_700_000_segments()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var maps = catalog.Maps;
        var map = Samples.Regular(Segments);
        ExtentMapCodec.Decode(ExtentMapCodec.Encode(map, sizesVerified: true).Span);

        var watch = Stopwatch.StartNew();
        var bytes = ExtentMapCodec.Encode(map, sizesVerified: true);
        var encode = watch.Elapsed;
        watch.Restart();
        var decoded = ExtentMapCodec.Decode(bytes.Span);
        var decode = watch.Elapsed;
        watch.Restart();
        var hash = await maps.PutAsync(map, sizesVerified: true, CancellationToken.None);
        var put = watch.Elapsed;
        watch.Restart();
        await maps.ReadAsync(hash.Hash, CancellationToken.None);
        var read = watch.Elapsed;
        var stored = new FileInfo(catalog.BlobFiles().Single()).Length;

        // 32 characters of 36 are random in each id.
        var entropy = Segments * 32 * Math.Log2(36) / 8;
        output.WriteLine(
            $"encode {encode.TotalMilliseconds:F0} ms, decode {decode.TotalMilliseconds:F0} ms, encode+put {put.TotalMilliseconds:F0} " +
            $"ms, read+decode {read.TotalMilliseconds:F0} ms");
        output.WriteLine($"encoded {bytes.Length:N0}, stored {stored:N0}, entropy {entropy:N0} ({stored / entropy:P1})");
        Samples.AssertSame(map, decoded.Map);
        Assert.InRange(stored, entropy * 0.99, entropy * 1.05);
    }

    [Theory(Explicit = true)]
    [InlineData(1)]
    [InlineData(600)]
    public async Task Publication_of_700_000_segments(int files)
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        await catalog.EnqueueAsync();
        var job = await catalog.ClaimAsync();
        var maps = Enumerable.Range(0, files).Select(i => Samples.Regular(Segments / files, $"{i}")).ToArray();
        var watch = Stopwatch.StartNew();
        var published = new PublishedFile[files];
        await Parallel.ForAsync(0, files, new ParallelOptions { MaxDegreeOfParallelism = 8 }, async (i, cancellationToken) =>
        {
            var hash = await catalog.Maps.PutAsync(maps[i], sizesVerified: false, cancellationToken);
            published[i] = new PublishedFile { Path = ["folder", $"file {i}"], Size = maps[i].Length, ExtentMap = hash };
        });
        var stored = watch.Elapsed;
        watch.Restart();
        await catalog.Jobs.PublishAsync(job, new JobPublication { Files = published }, CancellationToken.None);
        output.WriteLine(
            $"{files} files: maps stored in {stored.TotalMilliseconds:F0} ms, published in {watch.Elapsed.TotalMilliseconds:F0} ms");
        Assert.Equal(files, (await catalog.NamesAsync((await catalog.ResolveAsync("content/movies/Movie.2020/folder"))!.Id)).Count);
        foreach (var i in new[] { 0, files - 1 })
        {
            var file = await catalog.ResolveAsync($"content/movies/Movie.2020/folder/file {i}");
            Samples.AssertSame(maps[i], (await catalog.Maps.ReadAsync(file!.ExtentMap!.Value, CancellationToken.None)).Map);
        }
    }
}
