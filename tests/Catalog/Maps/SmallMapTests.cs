using NzbDav.Catalog.Backup;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Maps;
using NzbDav.Catalog.Opening;
using NzbDav.Catalog.Tests.Blobs;

namespace NzbDav.Catalog.Tests.Maps;

public class SmallMapTests
{
    [Theory]
    [InlineData(BlobCodec.Zstandard)]
    [InlineData(BlobCodec.Brotli)]
    public void A_row_holds_a_map_of_any_size_up_to_its_limit(object codec)
    {
        var random = new Random(1);
        foreach (var length in (int[])[0, 1, 100, 1023, ExtentMapStore.LargestRow])
        {
            var content = new byte[length];
            random.NextBytes(content);
            var hash = BlobHash.Of(System.Security.Cryptography.SHA256.HashData(content));
            Assert.Equal(content, MapPacking.Unpack(hash, Pack(content, (BlobCodec)codec)));
        }
    }

    [Theory]
    [InlineData(BlobCodec.Zstandard)]
    [InlineData(BlobCodec.Brotli)]
    public void Damage_anywhere_in_a_row_is_reported(object codec)
    {
        var content = new byte[300];
        new Random(1).NextBytes(content);
        var hash = BlobHash.Of(System.Security.Cryptography.SHA256.HashData(content));
        var packed = Pack(content, (BlobCodec)codec);
        for (var at = 0; at < packed.Length; at++)
        {
            packed[at] ^= 1;
            var unpacked = Record.Exception(() => Assert.Equal(content, MapPacking.Unpack(hash, packed)));
            Assert.True(unpacked is null or CatalogException { Fault: CatalogFault.BlobDamaged }, $"byte {at}: {unpacked}");
            packed[at] ^= 1;
            Assert.Throws<CatalogException>(() => MapPacking.Unpack(hash, packed.AsSpan(0, at)));
        }
    }

    [Fact]
    public async Task Small_maps_need_no_file_and_are_published_atomically()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        await catalog.EnqueueAsync();
        var job = await catalog.ClaimAsync();
        var publication = new JobPublication { Files = [await catalog.FileAsync("a"), await catalog.FileAsync("b")] };
        Assert.Empty(await catalog.MapRowsAsync());
        await catalog.Jobs.DeleteAsync(job.Id, withContent: true, CancellationToken.None);
        Assert.Null(await catalog.Jobs.PublishAsync(job, publication, CancellationToken.None));
        Assert.Empty(await catalog.MapRowsAsync());
        await catalog.EnqueueAsync();
        Assert.NotNull(await catalog.Jobs.PublishAsync(await catalog.ClaimAsync(), publication, CancellationToken.None));
        Assert.Equal(2, (await catalog.MapRowsAsync()).Count);
        Assert.Single(await catalog.StoredBlobsAsync());
    }

    [Fact]
    public async Task A_catalog_that_stored_all_maps_as_blobs_keeps_working()
    {
        using var folder = new ConfigFolder();
        var clock = CatalogFixture.NewClock();
        var before = MigrationRunner.Embedded(TestEngine.Name).Where(migration => migration.Number < 8).ToList();
        var old = Samples.Regular(3, "old");
        BlobHash oldMap;
        await using (var database = await CatalogOpening.OpenAsync(folder.Options, clock, before, CancellationToken.None))
        {
            var blobs = new BlobStore(folder.Options, clock);
            oldMap = (await blobs.PutAsync(ExtentMapCodec.Encode(old, sizesVerified: false), CancellationToken.None)).Hash;
            using var nzb = new MemoryStream("<nzb>old</nzb>"u8.ToArray());
            var kept = await blobs.PutAsync(nzb, CancellationToken.None);

            // The statement of that version; today's has columns that were added later.
            const string Job =
                "INSERT INTO jobs (id, name, category, state, priority, source, nzb, nzb_size, created, finished) VALUES (9, 'Old', " +
                "'movies', 'completed', 0, 'dav', @Nzb, @Length, 1, 1)";
            const string Item = "INSERT INTO items (id, parent_id, name, kind, size, created, modified, extent_map, job_id) ";
            await database.WriteAsync(
                transaction => transaction.Execute(Item
                    + "VALUES (2, 1, 'content', 'collection', 0, 1, 1, NULL, NULL), (3, 2, 'movies', 'collection', 0, 1, 1, NULL, NULL)")
                    + transaction.Execute(Job, new { Nzb = kept.Hash.ToString(), kept.Length })
                    + transaction.Execute(
                        Item + "VALUES (4, 3, 'Old', 'collection', 0, 1, 1, NULL, 9), (5, 4, 'old', 'file', @Length, 1, 1, @Map, 9)",
                        new { old.Length, Map = oldMap.ToString() })
                    + transaction.Execute("UPDATE jobs SET item_id = 4 WHERE id = 9"),
                CancellationToken.None);
        }

        await using var catalog = await CatalogFixture.OpenAsync(folder.Options.ConfigFolder, clock, ownsFolder: false);
        Assert.Equal(7, catalog.Database.Upgrade!.From);
        await catalog.PublishAsync("New", "new");
        await AssertReadsAsync(catalog, "Old/old", old.Length);
        await AssertReadsAsync(catalog, "New/new", Samples.Regular(3, "new").Length);

#if !POSTGRES
        // Both maps are part of a backup: one as a blob, one inside the database.
        var backup = new CatalogBackup(folder.Options, clock);
        var made = backup.Create(BackupReason.Request, CancellationToken.None);
        Assert.Equal((3, 0), (made.Blobs, made.MissingBlobs));
        using (var elsewhere = new ConfigFolder())
        {
            CatalogRestore.Restore(Path.Combine(backup.Folder, made.Name), elsewhere.Options, clock, CancellationToken.None);
            await using var restored = await CatalogFixture.OpenAsync(elsewhere.Options.ConfigFolder, clock, ownsFolder: false);
            await AssertReadsAsync(restored, "Old/old", old.Length);
            await AssertReadsAsync(restored, "New/new", Samples.Regular(3, "new").Length);
        }
#endif

        // The old map becomes a row as well. Its blob is no longer needed, and a sweep removes it.
        await catalog.PublishAsync("Again", "old");
        clock.Advance(TimeSpan.FromHours(2));
        Assert.Equal(1, (await catalog.Collector.SweepOrphansAsync(CancellationToken.None)).Quarantined);
        Assert.DoesNotContain(oldMap.ToString(), await catalog.StoredBlobsAsync());
        await AssertReadsAsync(catalog, "Old/old", old.Length);
        Assert.True(await catalog.Tree.DeleteAsync((await catalog.ResolveAsync("content/movies/Again"))!.Id, CancellationToken.None));
        await AssertReadsAsync(catalog, "Old/old", old.Length);
        Assert.True(await catalog.Tree.DeleteAsync((await catalog.ResolveAsync("content/movies/Old"))!.Id, CancellationToken.None));
        Assert.Single(await catalog.MapRowsAsync());
        Assert.Empty(await catalog.Database.CheckIntegrityAsync(CancellationToken.None));
    }

    private static byte[] Pack(byte[] content, BlobCodec codec) =>
        codec == BlobCodec.Brotli ? BrotliBlob.Encode(content) : MapPacking.Pack(content);

    private static async Task AssertReadsAsync(CatalogFixture catalog, string path, long length)
    {
        var item = await catalog.ResolveAsync("content/movies/" + path);
        Assert.Equal(length, (await catalog.Maps.ReadAsync(item!.ExtentMap!.Value, CancellationToken.None)).Map.Length);
    }
}
