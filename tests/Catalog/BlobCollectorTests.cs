namespace NzbDav.Catalog.Tests;

public class BlobCollectorTests
{
    [Fact]
    public async Task Sweep_removes_what_is_old_and_unreferenced()
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
        Assert.Equal(0, await catalog.Collector.SweepOrphansAsync(CancellationToken.None));
        catalog.Clock.Advance(TimeSpan.FromMinutes(2));
        Assert.Equal(2, await catalog.Collector.SweepOrphansAsync(CancellationToken.None));
        Assert.False(catalog.Blobs.Exists(orphan.Hash));
        Assert.Equal([.. referenced.Append(foreign).Order(StringComparer.Ordinal)], [.. catalog.BlobFiles().Order(StringComparer.Ordinal)]);
    }

    [Fact]
    public async Task Sweep_of_many_goes_in_batches()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        await Parallel.ForAsync(0, 600, async (i, cancellationToken) => await catalog.Blobs.PutAsync(BitConverter.GetBytes(i), cancellationToken));
        catalog.Clock.Advance(TimeSpan.FromHours(2));
        Assert.Equal(600, await catalog.Collector.SweepOrphansAsync(CancellationToken.None));
        Assert.Empty(catalog.BlobFiles());
    }

    [Fact]
    public async Task Sweep_without_a_folder_does_nothing()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        Assert.Equal(0, await catalog.Collector.SweepOrphansAsync(CancellationToken.None));
    }

    [Fact]
    public async Task What_was_just_put_again_survives_the_deletion_of_its_last_reference()
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
    public async Task A_blob_that_two_put_stays_until_both_have_referred_to_it()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var first = new NewJob { Name = "First", Category = "movies", Source = JobSource.Dav };
        using var nzb = new MemoryStream("<nzb/>"u8.ToArray());
        var blob = await catalog.Blobs.PutAsync("<nzb/>"u8.ToArray(), CancellationToken.None);
        var job = await catalog.Jobs.EnqueueAsync(first, nzb, CancellationToken.None);
        await catalog.Jobs.DeleteAsync(job.Id, withContent: true, CancellationToken.None);
        Assert.True(catalog.Blobs.Exists(blob.Hash));

        catalog.Clock.Advance(BlobStore.Grace);
        var last = await catalog.EnqueueAsync("Last", nzb: "<nzb/>");
        await catalog.Jobs.DeleteAsync(last.Id, withContent: true, CancellationToken.None);
        Assert.False(catalog.Blobs.Exists(blob.Hash));
    }

    [Fact]
    public async Task What_was_put_long_ago_and_again_now_survives_the_sweep_of_another_process()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        await using var other = await catalog.OpenOtherAsync();
        await catalog.Blobs.PutAsync(new byte[] { 1, 2, 3 }, CancellationToken.None);
        catalog.Clock.Advance(TimeSpan.FromDays(1));
        var blob = await catalog.Blobs.PutAsync(new byte[] { 1, 2, 3 }, CancellationToken.None);
        Assert.Equal(0, await other.Collector.SweepOrphansAsync(CancellationToken.None));
        Assert.True(catalog.Blobs.Exists(blob.Hash));
    }

    [Fact]
    public async Task Deletion_and_reimport_of_the_same_nzb_at_once_never_leave_a_reference_to_nothing()
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
                    // The other process removed it between storing and referring: refused, as it should be.
                    continue;
                }

                Assert.True(one.Blobs.Exists(job.Nzb!.Value));
                await one.Jobs.DeleteAsync(job.Id, withContent: true, CancellationToken.None);
            }
        })));
        Assert.Equal(0, await catalog.Jobs.CountAsync(new JobFilter(), CancellationToken.None));
    }
}
