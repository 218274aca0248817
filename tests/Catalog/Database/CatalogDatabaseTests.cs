using Dapper;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Opening;
using NzbDav.Catalog.Tree;

namespace NzbDav.Catalog.Tests.Database;

public class CatalogDatabaseTests
{
#if !POSTGRES
    [Fact]
    public async Task Connections_use_the_safe_SQLite_settings()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        await catalog.Database.WriteAsync(
            transaction =>
            {
                Assert.Equal("wal", transaction.Scalar<string>("PRAGMA journal_mode"));
                Assert.Equal(2, transaction.Scalar<int>("PRAGMA synchronous"));
                Assert.Equal(1, transaction.Scalar<int>("PRAGMA foreign_keys"));
                return 0;
            },
            CancellationToken.None);
        await catalog.Database.ReadAsync(
            async reader =>
            {
                Assert.Equal(1, await reader.ScalarAsync<int>("PRAGMA query_only"));
                Assert.Equal(0, await reader.ScalarAsync<int>("PRAGMA mmap_size"));
                return 0;
            },
            CancellationToken.None);
    }
#endif

#if !POSTGRES
    [Fact]
    public void The_SQLite_engine_is_the_one_in_the_package()
        => Assert.InRange(Version.Parse(CatalogOpening.SqliteVersion), new Version(3, 50), new Version(3, 99));
#endif

    [Fact]
    public async Task The_data_version_changes_with_every_commit_and_only_then()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        await using var other = await catalog.OpenOtherAsync();
        var first = await catalog.Database.DataVersionAsync(CancellationToken.None);
#if !POSTGRES

        // The number of a server changes with what is committed in its other databases too.
        Assert.Equal(first, await catalog.Database.DataVersionAsync(CancellationToken.None));
#endif
        await other.Settings.SetAsync("a", "b", CancellationToken.None);
        var second = await catalog.Database.DataVersionAsync(CancellationToken.None);
        Assert.NotEqual(first, second);
        await catalog.Settings.SetAsync("a", "c", CancellationToken.None);
        Assert.NotEqual(second, await catalog.Database.DataVersionAsync(CancellationToken.None));
    }

#if !POSTGRES
    [Fact]
    public async Task A_file_that_is_not_a_database_is_reported()
    {
        using var folder = new ConfigFolder();
        await File.WriteAllTextAsync(folder.Options.DatabasePath, new string('x', 10_000));
        var error = await OpenFailsAsync(folder.Options);
        Assert.Equal(CatalogFault.Corrupt, error.Fault);
        Assert.Contains("backups", error.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("remove", error.Message, StringComparison.Ordinal);
    }
#endif

#if !POSTGRES
    [Fact]
    public async Task Damage_found_later_is_reported_and_other_data_stays_readable()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        await catalog.PublishAsync("Job", [.. Enumerable.Range(0, 2000).Select(i => $"file {i}")]);
        await catalog.Database.DisposeAsync();
        await using (var file = new FileStream(catalog.Options.DatabasePath, FileMode.Open))
        {
            // Overwrites all but the first pages, so the schema is still readable.
            var noise = new byte[file.Length - (112 * 4096)];
            new Random(1).NextBytes(noise);
            file.Position = 112 * 4096;
            file.Write(noise);
        }

        await using var again = await catalog.OpenOtherAsync();
        var error = await Assert.ThrowsAsync<CatalogException>(async () =>
        {
            var job = await again.ResolveAsync("content/movies/Job");
            await again.NamesAsync(job!.Id);
        });
        Assert.Equal(CatalogFault.Corrupt, error.Fault);
        Assert.NotEqual(0, await again.Database.DataVersionAsync(CancellationToken.None));
    }
#endif

    [Fact]
    public async Task A_file_in_place_of_the_folder_is_reported()
    {
        using var folder = new ConfigFolder();
        var path = Path.Combine(folder.Options.ConfigFolder, "file");
        await File.WriteAllTextAsync(path, "");
        Assert.Equal(CatalogFault.NotWritable, (await OpenFailsAsync(new CatalogOptions { ConfigFolder = path })).Fault);
    }

#if !POSTGRES
    [Fact]
    public async Task A_database_that_cannot_be_opened_is_reported()
    {
        using var folder = new ConfigFolder();
        Directory.CreateDirectory(folder.Options.DatabasePath);
        Assert.Equal(CatalogFault.NotWritable, (await OpenFailsAsync(folder.Options)).Fault);
    }
#endif

#if !POSTGRES
    [Fact]
    public async Task A_full_disk_is_reported_keeps_commits_and_writing_resumes()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        await catalog.Settings.SetAsync("kept", "yes", CancellationToken.None);
        await catalog.Database.WriteAsync(
            transaction => transaction.Scalar<long>("PRAGMA max_page_count = 1"), CancellationToken.None);
        var error = await Assert.ThrowsAsync<CatalogException>(
            () => catalog.Settings.SetAsync("large", new string('x', 1_000_000), CancellationToken.None));
        Assert.Equal(CatalogFault.DiskFull, error.Fault);
        Assert.Equal("yes", await catalog.Settings.GetAsync("kept", CancellationToken.None));

        await catalog.Database.WriteAsync(
            transaction => transaction.Scalar<long>("PRAGMA max_page_count = 1000000"), CancellationToken.None);
        await catalog.Settings.SetAsync("large", new string('x', 1_000_000), CancellationToken.None);
        Assert.Empty(await catalog.Database.CheckIntegrityAsync(CancellationToken.None));
    }
#endif

#if !POSTGRES
    [Fact]
    public async Task An_error_with_automatic_rollback_is_not_hidden()
    {
        // The effect of a disk that fills up while a commit is written.
        await using var catalog = await CatalogFixture.OpenAsync();
        await catalog.Settings.SetAsync("a", "1", CancellationToken.None);
        var error = await Assert.ThrowsAsync<Microsoft.Data.Sqlite.SqliteException>(() => catalog.Database.WriteAsync(
            transaction =>
            {
                transaction.Execute("DELETE FROM settings WHERE key = 'b'");
                return transaction.Execute("INSERT OR ROLLBACK INTO settings (key, value) VALUES ('a', '2')");
            },
            CancellationToken.None));
        Assert.Equal(19, error.SqliteErrorCode);
        await catalog.Settings.SetAsync("a", "3", CancellationToken.None);
        Assert.Equal("3", await catalog.Settings.GetAsync("a", CancellationToken.None));
    }
#endif

#if !POSTGRES
    [Fact]
    public async Task A_lock_held_elsewhere_is_reported_after_the_timeout()
    {
        using var folder = new ConfigFolder();
        var options = folder.Options with { BusyTimeout = TimeSpan.FromMilliseconds(50) };
        await using var database = await CatalogOpening.OpenAsync(options, TimeProvider.System, CancellationToken.None);
        using var connection = new Microsoft.Data.Sqlite.SqliteConnection($"Data Source={options.DatabasePath};Pooling=False");
        connection.Open();
        connection.Execute("BEGIN IMMEDIATE");
        var error = await Assert.ThrowsAsync<CatalogException>(
            () => database.WriteAsync(transaction => transaction.Execute("DELETE FROM settings"), CancellationToken.None));
        Assert.Equal(CatalogFault.Busy, error.Fault);
        connection.Execute("ROLLBACK");
        await database.WriteAsync(transaction => transaction.Execute("DELETE FROM settings"), CancellationToken.None);
    }
#endif

    [Fact]
    public async Task Readers_and_writers_of_two_processes_do_not_disturb_each_other()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        await using var other = await catalog.OpenOtherAsync();
        await catalog.Tree.EnsureCollectionAsync(["content"], CancellationToken.None);
        using var stop = new CancellationTokenSource();
        using var reading = new SemaphoreSlim(0);
        var readers = Enumerable.Range(0, 8).Select(i => Task.Run(() => ReadAsync(i % 2 == 0 ? catalog : other, reading, stop.Token)))
            .ToArray();
        for (var i = 0; i < readers.Length; i++)
            await reading.WaitAsync();
        var publishers = new[] { catalog, other }.Select((one, side) => Task.Run(async () =>
        {
            for (var i = 0; i < 15; i++)
            {
                await one.EnqueueAsync($"job {side} {i}");
                var files = new List<PublishedFile>();
                for (var f = 0; f < 5; f++)
                    files.Add(await one.FileAsync($"folder/file {f}"));
                var job = await one.ClaimAsync($"worker {side}");
                Assert.NotNull(await one.Jobs.PublishAsync(job, new JobPublication { Files = files }, CancellationToken.None));
            }
        }));
        await Task.WhenAll(publishers);
        await stop.CancelAsync();
        var reads = 0;
        foreach (var reader in readers)
            reads += await reader;
        Assert.InRange(reads, 8, int.MaxValue);
        Assert.Equal(30, (await catalog.NamesAsync((await catalog.ResolveAsync("content/movies"))!.Id)).Count);
        Assert.Empty(await catalog.Database.CheckIntegrityAsync(CancellationToken.None));
    }

    [Fact]
    public async Task Calls_after_disposal_throw()
    {
        var catalog = await CatalogFixture.OpenAsync();
        await catalog.DisposeAsync();
        await catalog.Database.DisposeAsync();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => catalog.ResolveAsync("x"));
        await Assert.ThrowsAsync<ObjectDisposedException>(() => catalog.EnqueueAsync());
        Directory.Delete(catalog.Options.ConfigFolder, recursive: true);
    }

    [Fact]
    public void Ids_grow_whatever_the_clock_does()
    {
        var clock = CatalogFixture.NewClock();
        var ids = new CatalogIds(clock, opening: 1);
        long last = CatalogItem.RootId;
        for (var i = 0; i < 100_000; i++)
        {
            var id = ids.Next();
            Assert.True(id > last);
            last = id;
            if (i % 1000 == 0)
                clock.AdjustTime(clock.GetUtcNow().AddSeconds(i % 2000 == 0 ? 5 : -3));
        }
    }

    [Fact]
    public async Task Two_processes_never_make_the_same_id()
    {
        // More than fit into the one millisecond that their clocks show.
        const int Each = 20_000;
        await using var catalog = await CatalogFixture.OpenAsync();
        await using var other = await catalog.OpenOtherAsync();
        var ids = new HashSet<long>();
        foreach (var database in new[] { catalog.Database, other.Database })
        {
            for (var i = 0; i < Each; i++)
                Assert.True(ids.Add(database.Ids.Next()));
        }
    }

    /// <summary>Everything visible is complete: a job's collection never appears without its files.</summary>
    private static async Task<int> ReadAsync(CatalogFixture catalog, SemaphoreSlim reading, CancellationToken stop)
    {
        var reads = 0;
        while (!stop.IsCancellationRequested)
        {
            if (reads++ == 0)
                reading.Release();
            if (await catalog.ResolveAsync("content/movies") is not { } movies)
                continue;
            await foreach (var job in catalog.Tree.ListAsync(movies.Id, after: null, CancellationToken.None))
            {
                var folder = await catalog.ResolveAsync($"content/movies/{job.Name}/folder");
                Assert.Equal(5, (await catalog.NamesAsync(folder!.Id)).Count);
            }
        }

        return reads;
    }

    private static async Task<CatalogException> OpenFailsAsync(CatalogOptions options)
        => await Assert.ThrowsAsync<CatalogException>(() => CatalogOpening.OpenAsync(options, TimeProvider.System, CancellationToken.None));
}
