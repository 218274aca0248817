using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;
using NzbDav.Fakes;

namespace NzbDav.Catalog.Tests.Blobs;

/// <summary>The local files of blobs that are rows.</summary>
public class BlobCacheTests
{
    [Fact]
    public async Task Readers_of_one_blob_wait_for_one_fetch_and_later_ones_for_none()
    {
        await using var two = await TwoGateways.OpenAsync();
        var bytes = SeededBytes.Make(1, 700_000);
        var blob = await two.One.Blobs.PutAsync(bytes, CancellationToken.None);
        var fetches = CountFetches(two.Other);
        var reads = await Task.WhenAll(
            Enumerable.Range(0, 16).Select(_ => Task.Run(() => two.Other.Blobs.ReadAsync(blob.Hash, CancellationToken.None))));
        Assert.All(reads, read => Assert.Equal(bytes, read.ToArray()));
        Assert.Equal(1, fetches());
        await two.Other.Blobs.ReadAsync(blob.Hash, CancellationToken.None);
        await two.One.Blobs.ReadAsync(blob.Hash, CancellationToken.None);
        Assert.Equal(1, fetches());

        // After a restart too.
        var again = await two.OpenAgainAsync(two.Other);
        var later = CountFetches(again);
        Assert.Equal(bytes, (await again.Blobs.ReadAsync(blob.Hash, CancellationToken.None)).ToArray());
        Assert.Equal(0, later());
    }

    [Fact]
    public async Task A_reader_that_stops_waiting_does_not_stop_the_others()
    {
        await using var two = await TwoGateways.OpenAsync();
        var blob = await two.One.Blobs.PutAsync(SeededBytes.Make(2, 1000), CancellationToken.None);
        using var arrived = new ManualResetEventSlim();
        using var released = new ManualResetEventSlim();
        TwoGateways.Place(two.Other).Rows.BeforeStep = (_, _) =>
        {
            arrived.Set();
            released.Wait();
        };
        using var stop = new CancellationTokenSource();
        var first = Task.Run(() => two.Other.Blobs.ReadAsync(blob.Hash, stop.Token));
        arrived.Wait();
        var second = two.Other.Blobs.ReadAsync(blob.Hash, CancellationToken.None);
        await stop.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => first);
        released.Set();
        Assert.Equal(1000, (await second).Length);
    }

    [Fact]
    public async Task The_cache_keeps_to_its_bound_and_the_least_recently_used_go_first()
    {
        await using var two = await TwoGateways.OpenAsync(static options => options with { BlobCacheBytes = 350_000 });
        var blobs = new List<StoredBlob>();
        for (var seed = 0; seed < 4; seed++)
        {
            blobs.Add(await two.One.Blobs.PutAsync(SeededBytes.Make(seed, 100_000), CancellationToken.None));
            two.Clock.Advance(TimeSpan.FromSeconds(1));
        }

        Assert.Equal(Paths(two.One, blobs[1], blobs[2], blobs[3]), Cached(two.One));
        await two.One.Blobs.ReadAsync(blobs[1].Hash, CancellationToken.None);
        await two.One.Blobs.ReadAsync(blobs[0].Hash, CancellationToken.None);
        Assert.Equal(Paths(two.One, blobs[0], blobs[1], blobs[3]), Cached(two.One));
        Assert.InRange(TwoGateways.Place(two.One).Cache.Size, 300_000, 350_000);

        // A restart knows what was used last from the times of the files.
        two.Clock.Advance(TimeSpan.FromSeconds(1));
        await two.One.Blobs.ReadAsync(blobs[1].Hash, CancellationToken.None);
        var again = await two.OpenAgainAsync(two.One);
        await again.Blobs.ReadAsync(blobs[2].Hash, CancellationToken.None);
        Assert.Equal(Paths(again, blobs[0], blobs[1], blobs[2]), Cached(again));
    }

    [Fact]
    public async Task A_blob_larger_than_the_cache_is_read_and_leaves_no_file()
    {
        await using var two = await TwoGateways.OpenAsync(static options => options with { BlobCacheBytes = 1000 });
        var bytes = SeededBytes.Make(3, 400_000);
        var blob = await two.One.Blobs.PutAsync(bytes, CancellationToken.None);
        Assert.Empty(Cached(two.One));
        await using (var stream = await two.One.Blobs.OpenReadAsync(blob.Hash, CancellationToken.None))
        {
            // The file goes while it is being read.
            Assert.Empty(Cached(two.One));
            using var read = new MemoryStream();
            await stream.CopyToAsync(read);
            Assert.Equal(bytes, read.ToArray());
        }

        Assert.Equal(0, TwoGateways.Place(two.One).Cache.Size);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(6)]
    [InlineData(50_000)]
    public async Task A_file_that_was_damaged_while_nothing_ran_is_fetched_again(int at)
    {
        await using var two = await TwoGateways.OpenAsync();
        var bytes = SeededBytes.Make(4, 100_000);
        var blob = await two.One.Blobs.PutAsync(bytes, CancellationToken.None);
        Flip(two.One.Blobs.PathOf(blob.Hash), at);
        var again = await two.OpenAgainAsync(two.One);
        var fetches = CountFetches(again);
        Assert.Equal(bytes, (await again.Blobs.ReadAsync(blob.Hash, CancellationToken.None)).ToArray());
        Assert.Equal(1, fetches());
    }

    [Theory]
    [InlineData("empty")]
    [InlineData("shorter")]
    [InlineData("gone")]
    public async Task A_file_that_is_not_whole_any_more_is_fetched_again(string fault)
    {
        await using var two = await TwoGateways.OpenAsync();
        var bytes = SeededBytes.Make(5, 100_000);
        var blob = await two.One.Blobs.PutAsync(bytes, CancellationToken.None);
        var path = two.One.Blobs.PathOf(blob.Hash);
        if (fault == "gone")
            Directory.Delete(two.One.Options.BlobCacheFolder, recursive: true);
        else
            await File.WriteAllBytesAsync(path, fault == "empty" ? [] : (await File.ReadAllBytesAsync(path))[..50_000]);
        Assert.Equal(bytes, (await two.One.Blobs.ReadAsync(blob.Hash, CancellationToken.None)).ToArray());
    }

    [Fact]
    public async Task A_file_in_which_a_reader_finds_damage_is_fetched_for_the_next()
    {
        await using var two = await TwoGateways.OpenAsync();
        var bytes = SeededBytes.Make(6, 100_000);
        var blob = await two.One.Blobs.PutAsync(bytes, CancellationToken.None);
        Flip(two.One.Blobs.PathOf(blob.Hash), 50_000);
        var error = await Assert.ThrowsAsync<CatalogException>(() => two.One.Blobs.ReadAsync(blob.Hash, CancellationToken.None));
        Assert.Equal(CatalogFault.BlobDamaged, error.Fault);
        Assert.Equal(bytes, (await two.One.Blobs.ReadAsync(blob.Hash, CancellationToken.None)).ToArray());
    }

    [Fact]
    public async Task A_folder_that_cannot_be_written_is_reported_and_the_next_reader_tries_again()
    {
        await using var two = await TwoGateways.OpenAsync();
        var blob = await two.One.Blobs.PutAsync(SeededBytes.Make(7, 1000), CancellationToken.None);
        var folder = two.Other.Options.BlobCacheFolder;
        Directory.CreateDirectory(Path.GetDirectoryName(folder)!);
        await File.WriteAllTextAsync(folder, "in the way");
        var error = await Assert.ThrowsAsync<CatalogException>(() => two.Other.Blobs.ReadAsync(blob.Hash, CancellationToken.None));
        Assert.Equal(CatalogFault.NotWritable, error.Fault);
        File.Delete(folder);
        Assert.Equal(1000, (await two.Other.Blobs.ReadAsync(blob.Hash, CancellationToken.None)).Length);
    }

    private static Func<int> CountFetches(CatalogFixture gateway)
    {
        var count = 0;
        TwoGateways.Place(gateway).Rows.BeforeStep = (step, _) => Interlocked.Add(ref count, step == "fetch" ? 1 : 0);
        return () => count;
    }

    private static void Flip(string path, int at)
    {
        var bytes = File.ReadAllBytes(path);
        bytes[at] ^= 0x41;
        File.WriteAllBytes(path, bytes);
    }

    private static string[] Paths(CatalogFixture gateway, params StoredBlob[] blobs) =>
        [.. blobs.Select(blob => gateway.Blobs.PathOf(blob.Hash)).Order(StringComparer.Ordinal)];

    private static string[] Cached(CatalogFixture gateway) => [.. TwoGateways.Cached(gateway).Order(StringComparer.Ordinal)];
}
