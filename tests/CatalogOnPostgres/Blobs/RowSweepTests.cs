using System.Security.Cryptography;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Jobs;

namespace NzbDav.Catalog.Tests.Blobs;

/// <summary>The sweep of blobs that are rows, and of those in a folder that gateways share.</summary>
public class RowSweepTests
{
    [Fact]
    public async Task A_sweep_quarantines_old_unreferenced_blobs_and_deletes_them_after_30_days()
    {
        await using var two = await TwoGateways.OpenAsync();
        var job = await two.One.EnqueueAsync();
        var orphan = await two.One.Blobs.PutAsync(new byte[] { 1, 2, 3 }, CancellationToken.None);
        two.Clock.Advance(TimeSpan.FromMinutes(59));
        Assert.Equal(new SweepResult { Blobs = 2, Orphans = 0 }, await SweepAsync(two.Other));
        two.Clock.Advance(TimeSpan.FromMinutes(2));
        Assert.Equal(new SweepResult { Blobs = 2, Orphans = 1, Quarantined = 1 }, await SweepAsync(two.Other));
        Assert.Equal(3, (await two.Other.Blobs.ReadAsync(orphan.Hash, CancellationToken.None)).Length);

        two.Clock.Advance(TimeSpan.FromDays(30) - TimeSpan.FromMinutes(1));
        Assert.Equal(new SweepResult { Blobs = 1, Orphans = 0 }, await SweepAsync(two.One));
        two.Clock.Advance(TimeSpan.FromMinutes(2));
        Assert.Equal(new SweepResult { Blobs = 1, Orphans = 0, Deleted = 1 }, await SweepAsync(two.One));
        Assert.False(await two.One.Blobs.ExistsAsync(orphan.Hash, CancellationToken.None));
        Assert.True(await two.One.Blobs.ExistsAsync(job.Nzb!.Value, CancellationToken.None));
    }

    [Fact]
    public async Task A_quarantined_blob_comes_back_when_it_is_put_or_referred_to_again()
    {
        await using var two = await TwoGateways.OpenAsync();
        var put = await two.One.Blobs.PutAsync(new byte[] { 1 }, CancellationToken.None);
        var referred = await two.One.Blobs.PutAsync(new byte[] { 2 }, CancellationToken.None);
        two.Clock.Advance(TimeSpan.FromDays(1));
        Assert.Equal(2, (await SweepAsync(two.One)).Quarantined);
        await two.Other.Blobs.PutAsync(new byte[] { 1 }, CancellationToken.None);
        await AddJobAsync(two.Other, referred.Hash);
        Assert.Equal(new SweepResult { Blobs = 2, Orphans = 0, Returned = 1 }, await SweepAsync(two.One));
        two.Clock.Advance(TimeSpan.FromDays(31));
        Assert.Equal(new SweepResult { Blobs = 2, Orphans = 1, Quarantined = 1 }, await SweepAsync(two.One));
        Assert.True(await two.One.Blobs.ExistsAsync(put.Hash, CancellationToken.None));
    }

    [Fact]
    public async Task A_blob_whose_last_reference_went_within_an_hour_is_deleted_by_the_next_sweep_after_it()
    {
        await using var two = await TwoGateways.OpenAsync();
        var job = await two.One.EnqueueAsync();
        Assert.True(await two.Other.Jobs.DeleteAsync(job.Id, withContent: true, CancellationToken.None));
        Assert.Equal((1, 1), await two.RowsAsync());
        Assert.Equal(new SweepResult { Blobs = 0, Orphans = 0 }, await SweepAsync(two.Other));
        two.Clock.Advance(BlobPlace.Grace);
        Assert.Equal(new SweepResult { Blobs = 0, Orphans = 0, Deleted = 1 }, await SweepAsync(two.Other));
        Assert.Equal((0, 0), await two.RowsAsync());
    }

    [Fact]
    public async Task A_sweep_that_would_take_more_than_a_tenth_takes_nothing()
    {
        await using var two = await TwoGateways.OpenAsync();
        await FillAsync(two.One, blobs: 180, referenced: 160);
        Assert.Equal(new SweepResult { Blobs = 180, Orphans = 20, Refused = true }, await SweepAsync(two.One));
        Assert.Equal(180, (await two.One.StoredBlobsAsync()).Count);
    }

    [Fact]
    public async Task A_large_sweep_runs_in_batches()
    {
        await using var two = await TwoGateways.OpenAsync();
        await FillAsync(two.One, blobs: 3000, referenced: 2720);
        Assert.Equal(new SweepResult { Blobs = 3000, Orphans = 280, Quarantined = 280 }, await SweepAsync(two.One));
        two.Clock.Advance(TimeSpan.FromDays(30));
        Assert.Equal(280, (await SweepAsync(two.Other)).Deleted);
    }

    [Fact]
    public async Task In_a_shared_folder_a_blob_that_was_put_within_an_hour_stays()
    {
        using var shared = new Fakes.TemporaryFolder();
        await using var two = await TwoGateways.OpenAsync(options => options with { SharedBlobFolder = shared.At("blobs") });
        var job = await two.One.EnqueueAsync();
        var file = Assert.Single(Directory.GetFiles(shared.Path, "*", SearchOption.AllDirectories));
        Assert.Equal(6, (await two.Other.Blobs.ReadAsync(job.Nzb!.Value, CancellationToken.None)).Length);
        Assert.Equal((0, 0), await two.RowsAsync());
        Assert.True(await two.Other.Jobs.DeleteAsync(job.Id, withContent: true, CancellationToken.None));
        Assert.True(File.Exists(file));

        job = await two.One.EnqueueAsync();
        two.Clock.Advance(BlobPlace.Grace + TimeSpan.FromSeconds(1));
        Assert.True(await two.Other.Jobs.DeleteAsync(job.Id, withContent: true, CancellationToken.None));
        Assert.False(File.Exists(file));

        var orphan = await two.One.Blobs.PutAsync(new byte[] { 1 }, CancellationToken.None);
        two.Clock.Advance(TimeSpan.FromDays(1));
        Assert.Equal(1, (await SweepAsync(two.Other)).Quarantined);
        Assert.False(await two.One.Blobs.ExistsAsync(orphan.Hash, CancellationToken.None));
    }

    private static Task<SweepResult> SweepAsync(CatalogFixture gateway) => gateway.Collector.SweepOrphansAsync(CancellationToken.None);

    private static Task AddJobAsync(CatalogFixture gateway, BlobHash hash) => gateway.Database.WriteAsync(
        transaction => transaction.Execute(
            "INSERT INTO jobs (id, name, category, state, priority, source, nzb, nzb_size, created) VALUES (@Id, 'n', 'c', 'failed', 0, " +
            "'dav', @Nzb, 0, 0)",
            new { Id = gateway.Jobs.NewId(), Nzb = hash.ToString() }),
        CancellationToken.None);

    /// <summary>Rows of old blobs without pieces, the first of which jobs refer to.</summary>
    private static Task FillAsync(CatalogFixture gateway, int blobs, int referenced)
    {
        var hashes = Enumerable.Range(0, blobs)
            .Select(static number => Convert.ToHexStringLower(SHA256.HashData(BitConverter.GetBytes(number)))).ToArray();
        return gateway.Database.WriteAsync(
            transaction =>
            {
                transaction.Execute(
                    "INSERT INTO blobs (hash, length, size, touched) SELECT name, 1, 1, 1 FROM unnest(@hashes) AS name", new { hashes });
                return transaction.Execute(
                    "INSERT INTO jobs (id, name, category, state, priority, source, nzb, nzb_size, created) SELECT number + 10, 'n', " +
                    "'c', 'failed', 0, 'dav', name, 0, 0 " +
                    "FROM unnest(@hashes) WITH ORDINALITY AS one (name, number) WHERE number <= @referenced",
                    new { hashes, referenced });
            },
            CancellationToken.None);
    }
}
