using System.Diagnostics;
using System.Globalization;
using System.Security.Cryptography;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Fakes;

namespace NzbDav.Catalog.Tests.Blobs;

/// <summary>Blobs as rows, which several gateways put, read and remove.</summary>
public class BlobRowTests
{
    [Theory]
    [InlineData(-1, 1)]
    [InlineData(0, 1)]
    [InlineData(1, 2)]
    [InlineData(3 * BlobRows.PieceSize, 4)]
    public async Task What_one_gateway_puts_the_other_reads(int beyond, int pieces)
    {
        await using var two = await TwoGateways.OpenAsync();

        // Noise does not shrink: a file of almost that length tells how many bytes header and frame add.
        var size = BlobRows.PieceSize + beyond;
        var probe = await two.One.Blobs.PutAsync(SeededBytes.Make(1, size - 50), CancellationToken.None);
        var added = (int)new FileInfo(two.One.Blobs.PathOf(probe.Hash)).Length - (size - 50);
        var (_, before) = await two.RowsAsync();
        var bytes = SeededBytes.Make(2, size - added);
        var blob = await two.One.Blobs.PutAsync(new MemoryStream(bytes), CancellationToken.None);
        Assert.Equal(size, new FileInfo(two.One.Blobs.PathOf(blob.Hash)).Length);
        Assert.Equal(bytes, (await two.Other.Blobs.ReadAsync(blob.Hash, CancellationToken.None)).ToArray());
        Assert.Equal((2, before + pieces), await two.RowsAsync());
        Assert.Equal(
            await File.ReadAllBytesAsync(two.One.Blobs.PathOf(blob.Hash)), await File.ReadAllBytesAsync(two.Other.Blobs.PathOf(blob.Hash)));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public async Task Short_blobs_are_read_elsewhere(int length)
    {
        await using var two = await TwoGateways.OpenAsync();
        var blob = await two.One.Blobs.PutAsync(new byte[length], CancellationToken.None);
        Assert.Equal(length, (await two.Other.Blobs.ReadAsync(blob.Hash, CancellationToken.None)).Length);
    }

    [Fact]
    public async Task A_blob_that_an_earlier_version_wrote_with_brotli_is_read_elsewhere()
    {
        await using var two = await TwoGateways.OpenAsync();
        var bytes = SeededBytes.Make(3, 5000);
        var blob = new StoredBlob(BlobHash.Of(SHA256.HashData(bytes)), bytes.Length);
        using (var file = new MemoryStream(BrotliBlob.Encode(bytes)))
            await ((ServerBlobs)two.One.Blobs.Place).Rows.StoreAsync(blob, file, CancellationToken.None);
        Assert.Equal(bytes, (await two.Other.Blobs.ReadAsync(blob.Hash, CancellationToken.None)).ToArray());
    }

    [Fact]
    public async Task A_missing_blob_is_reported()
    {
        await using var two = await TwoGateways.OpenAsync();
        var hash = BlobHash.Parse(new string('a', 64));
        var error = await Assert.ThrowsAsync<CatalogException>(() => two.One.Blobs.ReadAsync(hash, CancellationToken.None));
        Assert.Equal(CatalogFault.BlobMissing, error.Fault);
        Assert.False(await two.One.Blobs.ExistsAsync(hash, CancellationToken.None));
        Assert.False(await two.One.Blobs.Place.VerifyAsync(hash, CancellationToken.None));
        Assert.Empty(TwoGateways.Cached(two.One));
    }

    [Fact]
    public async Task Gateways_that_put_the_same_blob_at_once_store_it_once()
    {
        await using var two = await TwoGateways.OpenAsync();
        var bytes = SeededBytes.Make(4, 600_000);
        var puts = Enumerable.Range(0, 12).Select(number =>
            Task.Run(() => (number % 2 == 0 ? two.One : two.Other).Blobs.PutAsync(new MemoryStream(bytes), CancellationToken.None)));
        Assert.Single((await Task.WhenAll(puts)).Distinct());
        Assert.Equal((1, 3), await two.RowsAsync());
        Assert.Single(TwoGateways.Cached(two.One));
    }

    [Theory]
    [InlineData("piece")]
    [InlineData("head")]
    [InlineData("commit")]
    public async Task A_put_that_fails_anywhere_leaves_nothing(string step)
    {
        await using var two = await TwoGateways.OpenAsync();
        var bytes = SeededBytes.Make(5, 600_000);
        TwoGateways.Place(two.One).Rows.BeforeStep = (now, _) => ThrowAt(now, step);
        await Assert.ThrowsAsync<TimeoutException>(() => two.One.Blobs.PutAsync(bytes, CancellationToken.None));
        Assert.Equal((0, 0), await two.RowsAsync());
        Assert.Empty(TwoGateways.Cached(two.One));
        TwoGateways.Place(two.One).Rows.BeforeStep = null;
        var blob = await two.One.Blobs.PutAsync(bytes, CancellationToken.None);
        Assert.Equal(bytes, (await two.Other.Blobs.ReadAsync(blob.Hash, CancellationToken.None)).ToArray());
    }

    [Theory]
    [InlineData("piece")]
    [InlineData("head")]
    [InlineData("commit")]
    public async Task A_put_whose_connection_is_lost_is_made_on_another(string step)
    {
        await using var two = await TwoGateways.OpenAsync();
        var bytes = SeededBytes.Make(6, 600_000);
        var cut = 0;
        TwoGateways.Place(two.One).Rows.BeforeStep = (now, process) =>
        {
            if (now == step && Interlocked.Increment(ref cut) == 1)
                PostgresServer.Shared.Sql(string.Create(CultureInfo.InvariantCulture, $"SELECT pg_terminate_backend({process}, 10000)"));
        };
        var blob = await two.One.Blobs.PutAsync(bytes, CancellationToken.None);
        Assert.True(cut > 0);
        Assert.Equal(bytes, (await two.Other.Blobs.ReadAsync(blob.Hash, CancellationToken.None)).ToArray());
    }

    [Theory]
    [InlineData("piece")]
    [InlineData("commit")]
    public async Task A_put_that_is_killed_leaves_nothing_visible_and_its_file_goes_later(string step)
    {
        var folder = CatalogFixture.NewFolder();
        await using (var catalog = await CatalogFixture.OpenAsync(folder, CatalogFixture.NewClock(), ownsFolder: false))
            Assert.Empty(await catalog.StoredBlobsAsync());
        var start = new ProcessStartInfo("dotnet") { RedirectStandardOutput = true, RedirectStandardError = true, UseShellExecute = false };
        foreach (var argument in new[] { typeof(BlobRowTests).Assembly.Location, Program.Mortal, folder, step })
            start.ArgumentList.Add(argument);
        using var child = Process.Start(start)!;
        var errors = child.StandardError.ReadToEndAsync();
        await child.StandardOutput.ReadToEndAsync();
        await child.WaitForExitAsync();
        Assert.True(child.ExitCode == 137, $"exit {child.ExitCode}: {await errors}");

        // A day after the file was written.
        var clock = CatalogFixture.NewClock();
        clock.Advance(TimeProvider.System.GetUtcNow() - clock.GetUtcNow() + TimeSpan.FromDays(1));
        await using var again = await CatalogFixture.OpenAsync(folder, clock, ownsFolder: true);
        Assert.Empty(await again.StoredBlobsAsync());
        Assert.Single(TwoGateways.Cached(again));
        await Assert.ThrowsAsync<CatalogException>(
            () => again.Blobs.ReadAsync(BlobHash.Of(SHA256.HashData(SeededBytes.Make(1, 600_000))), CancellationToken.None));
        Assert.Empty(TwoGateways.Cached(again));
    }

    [Fact]
    public async Task A_blob_that_another_gateway_has_just_put_outlives_its_last_reference()
    {
        await using var two = await TwoGateways.OpenAsync();
        var job = await two.One.EnqueueAsync(nzb: "<nzb>shared</nzb>");
        two.Clock.Advance(TimeSpan.FromDays(1));

        // Between the check of the references and the removal, and before it refers to the blob.
        var bytes = "<nzb>shared</nzb>"u8.ToArray();
        StoredBlob? put = null;
        two.One.Database.BeforeStatement = sql =>
        {
            if (put is null && sql.StartsWith("DELETE FROM blobs", StringComparison.Ordinal))
                put = Put(two.Other, bytes);
        };
        Assert.True(await two.One.Jobs.DeleteAsync(job.Id, withContent: true, CancellationToken.None));
        Assert.Equal(job.Nzb, put!.Value.Hash);
        Assert.True(await two.One.Blobs.ExistsAsync(put.Value.Hash, CancellationToken.None));
        var again = await two.Other.EnqueueAsync(nzb: "<nzb>shared</nzb>");
        Assert.Equal([put.Value.Hash.ToString()], await two.One.StoredBlobsAsync());

        // Nobody has put it for an hour: it goes with its last reference.
        two.One.Database.BeforeStatement = null;
        two.Clock.Advance(BlobPlace.Grace);
        Assert.True(await two.One.Jobs.DeleteAsync(again.Id, withContent: true, CancellationToken.None));
        Assert.Equal((0, 0), await two.RowsAsync());
    }

    [Fact]
    public async Task A_blob_put_after_a_transaction_began_can_be_referred_to_in_it()
    {
        await using var two = await TwoGateways.OpenAsync();
        StoredBlob? blob = null;
        var runs = 0;
        await two.One.Database.WriteAsync(
            transaction =>
            {
                // The first query decides what the transaction sees.
                runs++;
                transaction.Scalar<long>("SELECT COUNT(*) FROM jobs");
                blob ??= Put(two.Other, [1, 2, 3]);
                two.One.Collector.ThrowIfMissing(transaction, [blob.Value.Hash]);
                return transaction.Execute("INSERT INTO settings (key, value) VALUES ('a', 'b')");
            },
            CancellationToken.None);
        Assert.Equal(2, runs);
    }

    [Fact]
    public async Task A_reference_to_a_missing_blob_is_refused_and_leaves_nothing()
    {
        await using var two = await TwoGateways.OpenAsync();
        var hash = BlobHash.Parse(new string('b', 64));
        var error = await Assert.ThrowsAsync<CatalogException>(() => two.One.Database.WriteAsync(
            transaction =>
            {
                two.One.Collector.ThrowIfMissing(transaction, [hash]);
                return 0;
            },
            CancellationToken.None));
        Assert.Equal(CatalogFault.BlobMissing, error.Fault);
        Assert.Equal((0, 0), await two.RowsAsync());
    }

    [Fact]
    public async Task Blobs_in_the_folder_of_an_earlier_version_are_read_and_put_into_the_database()
    {
        await using var two = await TwoGateways.OpenAsync();
        var former = new BlobStore(two.One.Options, two.Clock);
        var (read, referred) = (await former.PutAsync(SeededBytes.Make(7, 300_000), CancellationToken.None),
            await former.PutAsync("<nzb>old</nzb>"u8.ToArray(), CancellationToken.None));
        await File.WriteAllTextAsync(former.PathOf((await former.PutAsync(new byte[] { 9 }, CancellationToken.None)).Hash), "damaged");
        Assert.True(await two.One.Blobs.ExistsAsync(read.Hash, CancellationToken.None));
        Assert.Equal(300_000, (await two.One.Blobs.ReadAsync(read.Hash, CancellationToken.None)).Length);
        Assert.Equal(300_000, (await two.Other.Blobs.ReadAsync(read.Hash, CancellationToken.None)).Length);

        // What jobs of that version refer to.
        var damaged = BlobHash.Of(SHA256.HashData([9]));
        await two.One.Database.WriteAsync(
            transaction =>
            {
                two.One.Collector.ThrowIfMissing(transaction, [referred.Hash, damaged]);
                return transaction.Execute(
                    "INSERT INTO jobs (id, name, category, state, priority, source, nzb, nzb_size, created) VALUES (10, 'n', 'c', " +
                    "'failed', 0, 'dav', @One, 0, 0), (11, 'm', 'c', 'failed', 0, 'dav', @Two, 0, 0)",
                    new { One = referred.Hash.ToString(), Two = damaged.ToString() });
            },
            CancellationToken.None);
        Assert.Equal((1, 1), await two.One.Collector.AdoptLocalAsync(CancellationToken.None));
        Assert.Equal(referred.Length, (await two.Other.Blobs.ReadAsync(referred.Hash, CancellationToken.None)).Length);
        Assert.Equal((0, 1), await two.One.Collector.AdoptLocalAsync(CancellationToken.None));
        var error = await Assert.ThrowsAsync<CatalogException>(() => two.One.Blobs.ReadAsync(damaged, CancellationToken.None));
        Assert.Equal(CatalogFault.BlobDamaged, error.Fault);
    }

    /// <summary>Puts while a transaction of another gateway waits on its thread.</summary>
    private static StoredBlob Put(CatalogFixture gateway, byte[] bytes)
    {
#pragma warning disable VSTHRD002 // The writer runs nothing else.
        return Task.Run(() => gateway.Blobs.PutAsync(bytes, CancellationToken.None)).GetAwaiter().GetResult();
#pragma warning restore VSTHRD002
    }

    private static void ThrowAt(string now, string step)
    {
        if (now == step)
            throw new TimeoutException();
    }
}
