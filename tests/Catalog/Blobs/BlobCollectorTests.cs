using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;

namespace NzbDav.Catalog.Tests.Blobs;

public class BlobCollectorTests
{
#if !POSTGRES
    [Fact]
    public async Task A_sweep_quarantines_old_unreferenced_blobs_and_deletes_them_after_30_days()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        await catalog.PublishAsync("Job", "file");
        var referenced = catalog.BlobFiles();
        var orphan = await catalog.Blobs.PutAsync(new byte[] { 1, 2, 3 }, CancellationToken.None);
        var unfinished = Path.Combine(catalog.Options.BlobFolder, "0123.tmp");
        await File.WriteAllTextAsync(unfinished, "half");
        File.SetLastWriteTimeUtc(unfinished, catalog.Clock.GetUtcNow().UtcDateTime);
        var foreign = Path.Combine(catalog.Options.BlobFolder, "README");
        await File.WriteAllTextAsync(foreign, "not ours");
        File.SetLastWriteTimeUtc(foreign, DateTime.UnixEpoch);

        catalog.Clock.Advance(TimeSpan.FromMinutes(59));
        Assert.Equal((1 + referenced.Count, 0, 0, 0), Counts(await SweepAsync(catalog)));
        catalog.Clock.Advance(TimeSpan.FromMinutes(2));
        Assert.Equal((1 + referenced.Count, 1, 1, 1), Counts(await SweepAsync(catalog)));
        Assert.False(await catalog.Blobs.ExistsAsync(orphan.Hash, CancellationToken.None));
        var quarantined = Folder(catalog).Quarantine.PathOf(orphan.Hash);
        Assert.Equal(InOrder([.. referenced, foreign, quarantined]), InOrder(catalog.BlobFiles()));

        catalog.Clock.Advance(TimeSpan.FromDays(30) - TimeSpan.FromMinutes(1));
        Assert.Equal((referenced.Count, 0, 0, 0), Counts(await SweepAsync(catalog)));
        catalog.Clock.Advance(TimeSpan.FromMinutes(2));
        Assert.Equal((referenced.Count, 0, 0, 1), Counts(await SweepAsync(catalog)));
        Assert.Equal(InOrder([.. referenced, foreign]), InOrder(catalog.BlobFiles()));
    }

    [Fact]
    public async Task A_sweep_with_a_database_that_references_none_of_the_blobs_removes_nothing()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        for (var i = 0; i < 20; i++)
            await catalog.EnqueueAsync($"Job {i}", nzb: $"<nzb>{i}</nzb>");
        var blobs = InOrder(catalog.BlobFiles());
        await catalog.Database.DisposeAsync();
        TestEngine.Empty(catalog.Options);
        catalog.Clock.Advance(TimeSpan.FromDays(100));
        await using var empty = await catalog.OpenOtherAsync();
        var sweep = await SweepAsync(empty);
        Assert.True(sweep.Refused);
        Assert.Equal((20, 20, 0, 0), Counts(sweep));
        Assert.Equal(blobs, InOrder(empty.BlobFiles()));
    }

    [Fact]
    public async Task Blobs_quarantined_under_a_wrong_database_return_with_the_right_one()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var item = await catalog.PublishAsync("Job", "file");
        var blobs = InOrder(catalog.BlobFiles());
        catalog.Clock.Advance(TimeSpan.FromDays(1));
        foreach (var path in blobs)
            Assert.True(
                Folder(catalog).Quarantine.TryQuarantine(BlobHash.Parse(Path.GetFileName(path)), catalog.Clock.GetUtcNow().UtcDateTime));
        Assert.Equal(blobs.Count, (await SweepAsync(catalog)).Returned);
        Assert.Equal(blobs, InOrder(catalog.BlobFiles()));
        var file = await catalog.Tree.FindChildAsync(item.Id, "file", CancellationToken.None);
        Assert.Equal(file!.Size, (await catalog.Maps.ReadAsync(file.ExtentMap!.Value, CancellationToken.None)).Map.Length);
    }

    [Fact]
    public async Task A_large_sweep_runs_in_batches()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var kept = new BlobHash[3000];
        await Parallel.ForAsync(0, kept.Length, (i, _) =>
        {
            kept[i] = BlobHash.Of(System.Security.Cryptography.SHA256.HashData(BitConverter.GetBytes(i)));
            var path = catalog.Blobs.PathOf(kept[i]);
            Directory.CreateDirectory(Path.GetDirectoryName(path)!);
            File.WriteAllText(path, "");
            return default;
        });
        await catalog.Database.WriteAsync(
            transaction =>
            {
                transaction.ExecuteAll(
                    "INSERT INTO jobs (id, name, category, state, priority, source, nzb, nzb_size, created) VALUES (@Id, 'n', 'c', " +
                    "'failed', 0, 'dav', @Nzb, 0, 0)",
                    kept.Skip(280).Select((hash, i) => new { Id = i + 10, Nzb = hash.ToString() }));
                return 0;
            },
            CancellationToken.None);
        catalog.Clock.Advance(TimeProvider.System.GetUtcNow() - catalog.Clock.GetUtcNow() + TimeSpan.FromHours(2));
        Assert.Equal((3000, 280, 280, 0), Counts(await SweepAsync(catalog)));
    }
#endif

    [Fact]
    public async Task A_sweep_without_blobs_does_nothing()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        Assert.Equal(new SweepResult { Blobs = 0, Orphans = 0 }, await SweepAsync(catalog));
    }

    [Fact]
    public async Task A_blob_just_stored_again_survives_the_deletion_of_its_last_reference()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var item = await catalog.PublishAsync("Job", "file");
        await catalog.EnqueueAsync("Next");
        var job = await catalog.ClaimAsync();
        var file = await catalog.FileAsync("file");
        await catalog.Jobs.DeleteAsync(item.JobId!.Value, withContent: true, CancellationToken.None);
        Assert.NotNull(await catalog.Jobs.PublishAsync(job, new JobPublication { Files = [file] }, CancellationToken.None));
    }

    [Fact]
    public async Task A_blob_stored_twice_stays_until_both_writers_have_referenced_it()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var first = new NewJob { Name = "First", Category = "movies", Source = JobSource.Dav };
        using var nzb = new MemoryStream("<nzb/>"u8.ToArray());
        var blob = await catalog.Blobs.PutAsync("<nzb/>"u8.ToArray(), CancellationToken.None);
        var job = await catalog.Jobs.EnqueueAsync(first, nzb, CancellationToken.None);
        await catalog.Jobs.DeleteAsync(job.Id, withContent: true, CancellationToken.None);
        Assert.True(await catalog.Blobs.ExistsAsync(blob.Hash, CancellationToken.None));

        catalog.Clock.Advance(BlobPlace.Grace);
        var last = await catalog.EnqueueAsync("Last", nzb: "<nzb/>");
        await catalog.Jobs.DeleteAsync(last.Id, withContent: true, CancellationToken.None);
        Assert.Empty(await catalog.StoredBlobsAsync());
    }

    [Fact]
    public async Task An_old_blob_stored_again_survives_the_sweep_of_another_process()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        await using var other = await catalog.OpenOtherAsync();
        await catalog.Blobs.PutAsync(new byte[] { 1, 2, 3 }, CancellationToken.None);
        catalog.Clock.Advance(TimeSpan.FromDays(1));
        var blob = await catalog.Blobs.PutAsync(new byte[] { 1, 2, 3 }, CancellationToken.None);
        Assert.Equal(0, (await SweepAsync(other)).Orphans);
        Assert.True(await catalog.Blobs.ExistsAsync(blob.Hash, CancellationToken.None));
    }

    [Fact]
    public async Task Concurrent_deletion_and_reimport_of_an_nzb_leave_no_dangling_reference()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        await using var other = await catalog.OpenOtherAsync();
        await Task.WhenAll(new[] { catalog, other, catalog, other }.Select((one, worker) => Task.Run(async () =>
        {
            for (var i = 0; i < 30; i++)
            {
                CatalogJob job;
                try
                {
                    job = await one.EnqueueAsync($"{worker}", nzb: "<nzb>the same</nzb>");
                }
                catch (CatalogException error) when (error.Fault == CatalogFault.BlobMissing)
                {
                    // The other process removed the blob between storing and referencing: refused, as it should be.
                    continue;
                }

                Assert.True(await one.Blobs.ExistsAsync(job.Nzb!.Value, CancellationToken.None));
                await one.Jobs.DeleteAsync(job.Id, withContent: true, CancellationToken.None);
            }
        })));
        Assert.Equal(0, (await catalog.Jobs.List.CountAsync(new JobFilter(), CancellationToken.None)).Total);
    }

    private static Task<SweepResult> SweepAsync(CatalogFixture catalog) => catalog.Collector.SweepOrphansAsync(CancellationToken.None);

#if !POSTGRES
    private static FolderBlobs Folder(CatalogFixture catalog) => (FolderBlobs)catalog.Blobs.Place;

    private static (int Blobs, int Orphans, int Quarantined, int Deleted) Counts(SweepResult sweep) =>
        (sweep.Blobs, sweep.Orphans, sweep.Quarantined, sweep.Deleted);

    private static List<string> InOrder(IEnumerable<string> paths) => [.. paths.Order(StringComparer.Ordinal)];
#endif
}
