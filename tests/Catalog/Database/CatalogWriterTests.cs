using Dapper;
using Microsoft.Data.Sqlite;
using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Tests.Database;

public class CatalogWriterTests
{
    [Fact]
    public async Task Waiting_writes_are_committed_together_on_the_writers_own_thread()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var commits = 0;
        catalog.Database.BeforeStatement = sql => commits += sql == "COMMIT" ? 1 : 0;
        var threads = new HashSet<(int, bool)>();
        await WhileBusyAsync(catalog, () => [.. Enumerable.Range(0, 50).Select(i => WriteAsync(catalog, transaction =>
        {
            threads.Add((Environment.CurrentManagedThreadId, Thread.CurrentThread.IsThreadPoolThread));
            Put(transaction, $"key {i}");
        }))]);
        Assert.InRange(commits, 1, 2);
        var thread = Assert.Single(threads);
        Assert.False(thread.Item2);
        Assert.Equal(50, await CountAsync(catalog));
    }

    [Fact]
    public async Task A_failed_or_cancelled_write_does_not_affect_the_others()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        Task<int>[] all = [];
        await WhileBusyAsync(catalog, () => all =
        [
            WriteAsync(catalog, transaction => Put(transaction, "first")),
            WriteAsync(catalog, transaction =>
            {
                Put(transaction, "fails");
                throw new TimeoutException();
            }),
            WriteAsync(catalog, transaction =>
            {
                Put(transaction, "abandoned");
                transaction.Abandon();
            }),
            WriteAsync(catalog, transaction => Put(transaction, "last")),
        ]);
        await Assert.ThrowsAsync<TimeoutException>(() => all[1]);
        Assert.All(all.Where(task => task != all[1]), task => Assert.True(task.IsCompletedSuccessfully));
        Assert.Equal(["first", "last"], await KeysAsync(catalog));
    }

#if !POSTGRES
    [Fact]
    public async Task After_an_automatic_rollback_the_other_writes_are_still_committed()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        await catalog.Settings.SetAsync("taken", "1", CancellationToken.None);
        Task<int>[] all = [];
        await WhileBusyAsync(catalog, () => all =
        [
            WriteAsync(catalog, transaction => Put(transaction, "first")),
            WriteAsync(catalog, transaction => transaction.Execute("INSERT OR ROLLBACK INTO settings (key, value) VALUES ('taken', '2')")),
            WriteAsync(catalog, transaction => Put(transaction, "last")),
        ]);
        Assert.Equal(19, (await Assert.ThrowsAsync<SqliteException>(() => all[1])).SqliteErrorCode);
        Assert.Equal(["first", "last", "taken"], await KeysAsync(catalog));
    }
#endif

    [Fact]
    public async Task A_failed_commit_fails_every_write_in_it()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        Task<int>[] all = [];
        await WhileBusyAsync(catalog, () =>
        {
            catalog.Database.BeforeStatement = sql =>
            {
                if (sql == "COMMIT")
                    throw new TimeoutException();
            };
            return all = [WriteAsync(catalog, transaction => Put(transaction, "first")),
                WriteAsync(catalog, transaction => Put(transaction, "last"))];
        });
        foreach (var one in all)
            await Assert.ThrowsAsync<TimeoutException>(() => one);
        catalog.Database.BeforeStatement = null;
        await catalog.Settings.SetAsync("later", "1", CancellationToken.None);
        Assert.Equal(["later"], await KeysAsync(catalog));
    }

    [Fact]
    public async Task A_write_cancelled_before_its_turn_is_not_written()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        using var gone = new CancellationTokenSource();
        Task<int>? given = null;
        await WhileBusyAsync(catalog, () =>
        {
            given = catalog.Database.WriteAsync(
                transaction => transaction.Execute("INSERT INTO settings (key, value) VALUES ('no', '1')"), gone.Token);
            gone.Cancel();
            return [];
        });
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => given!);
        Assert.Empty(await KeysAsync(catalog));
    }

#if !POSTGRES
    [Fact]
    public async Task Heartbeats_do_not_wait_for_the_disk_and_durable_writes_do()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        Assert.Equal(1, await SynchronousAsync(catalog, WriteKind.Relaxed));
        Assert.Equal(2, await SynchronousAsync(catalog, WriteKind.Durable));
        Assert.Equal(2, await SynchronousAsync(catalog, WriteKind.Exclusive));
    }
#endif

    [Fact]
    public async Task A_write_that_removes_files_sees_only_committed_data()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var commits = 0;
        catalog.Database.BeforeStatement = sql => commits += sql == "COMMIT" ? 1 : 0;
        var before = 0;
        await WhileBusyAsync(catalog, () =>
        [
            WriteAsync(catalog, transaction => Put(transaction, "first")),
            catalog.Database.WriteAsync(
                transaction =>
                {
                    before = commits;
                    Put(transaction, "alone");
                    return 0;
                },
                WriteKind.Exclusive,
                CancellationToken.None),
            WriteAsync(catalog, transaction => Put(transaction, "last")),
        ]);
        Assert.Equal((1, 3), (before, commits));
    }

#if !POSTGRES
    [Fact]
    public async Task The_log_is_checkpointed_while_writes_continue()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        using var limit = new CancellationTokenSource(TimeSpan.FromSeconds(30));
        var value = new string('x', 1 << 20);
        for (var i = 0; new FileInfo(catalog.Options.DatabasePath).Length < 4 << 20; i++)
            await catalog.Settings.SetAsync($"key {i}", value, limit.Token);
        Assert.Empty(await catalog.Database.CheckIntegrityAsync(CancellationToken.None));
    }
#endif

    private static ValueTask<List<string>> KeysAsync(CatalogFixture catalog)
        => catalog.Database.ReadAsync(reader => reader.AllAsync<string>("SELECT key FROM settings ORDER BY key"), CancellationToken.None);

    private static async Task<int> CountAsync(CatalogFixture catalog) => (await KeysAsync(catalog)).Count;

    private static Task<int> SynchronousAsync(CatalogFixture catalog, WriteKind kind)
        => catalog.Database.WriteAsync(transaction => transaction.Scalar<int>("PRAGMA synchronous"), kind, CancellationToken.None);

    private static void Put(CatalogTransaction transaction, string key) =>
        transaction.Execute("INSERT INTO settings (key, value) VALUES (@key, '1')", new { key });

    private static Task<int> WriteAsync(CatalogFixture catalog, Action<CatalogTransaction> work) => catalog.Database.WriteAsync(
        transaction =>
        {
            work(transaction);
            return 0;
        },
        CancellationToken.None);

    /// <summary>Starts writes while the writer is blocked, releases it, and waits until all have ended, successfully or not.</summary>
    private static async Task WhileBusyAsync(CatalogFixture catalog, Func<IReadOnlyList<Task>> start)
    {
        using var held = new SemaphoreSlim(0);
        var busy = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var first = catalog.Database.WriteAsync(
            transaction =>
            {
                transaction.Abandon();
                busy.SetResult();
                held.Wait();
                return 0;
            },
            WriteKind.Exclusive,
            CancellationToken.None);
        await busy.Task;
        var others = start();
        held.Release();
        await first;
        await Task.WhenAll(others.Select(other => Record.ExceptionAsync(() => other).AsTask()));
    }
}
