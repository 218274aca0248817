using System.Diagnostics;
using NzbDav.Catalog.Jobs;

namespace NzbDav.Catalog.Tests;

/// <summary>What a listing holds is a contract. Times are printed only, because the machine may be busy. Runs alone, because it counts the
/// memory of the process.</summary>
[Collection(nameof(Alone))]
public class ListingMeasurementTests(ITestOutputHelper output)
{
    [Fact(Explicit = true)]
    public async Task Listing_of_100_000_children_in_flat_memory()
    {
        const int Children = 100_000;
        await using var catalog = await CatalogFixture.OpenAsync();
        await catalog.EnqueueAsync();
        var job = await catalog.ClaimAsync();
        var file = await catalog.FileAsync("file");
        var publication = new JobPublication
        { Files = [.. Enumerable.Range(0, Children).Select(i => file with { Path = [$"file {i:D6}"] })] };
        var watch = Stopwatch.StartNew();
        var item = await catalog.Jobs.PublishAsync(job, publication, CancellationToken.None);
        output.WriteLine($"published in {watch.Elapsed.TotalMilliseconds:F0} ms");

        publication = null;
        GC.Collect();
        var before = GC.GetTotalMemory(forceFullCollection: true);
        watch.Restart();
        var count = 0;
        long largest = 0;
        await foreach (var child in catalog.Tree.ListAsync(item!.Id, after: null, CancellationToken.None))
        {
            if (++count % 20_000 == 0)
                largest = Math.Max(largest, GC.GetTotalMemory(forceFullCollection: true) - before);
        }

        output.WriteLine($"{count / watch.Elapsed.TotalSeconds:N0} children/s, {largest:N0} bytes held at most");
        Assert.Equal(Children, count);
        Assert.InRange(largest, long.MinValue, 4 << 20);

        watch.Restart();
        for (var i = 0; i < 10_000; i++)
            await catalog.ResolveAsync($"content/movies/Movie.2020/file {i:D6}");
        output.WriteLine($"{watch.Elapsed.TotalMicroseconds / 10_000:F1} µs for a lookup that is not cached");
        watch.Restart();
        for (var i = 0; i < 8_000; i++)
            await catalog.ResolveAsync($"content/movies/Movie.2020/file {9_999 - i:D6}");
        output.WriteLine($"{watch.Elapsed.TotalMicroseconds / 8_000:F2} µs for one that is");

        watch.Restart();
        await catalog.Tree.DeleteAsync(item.Id, CancellationToken.None);
        output.WriteLine($"deleted in {watch.Elapsed.TotalMilliseconds:F0} ms");
        Assert.Empty(await catalog.NamesAsync(item.Id));
    }
}
