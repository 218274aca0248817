using System.Data.Common;
using NzbDav.Catalog.Backup;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Opening;
using NzbDav.Catalog.Settings;

namespace NzbDav.Catalog.Tests.Database;

public class MigrationTests
{
    private static readonly Migration[] Three =
    [
        new(1, "0001_one", "CREATE TABLE one (id INTEGER PRIMARY KEY)"),
        new(2, "0002_two", "CREATE TABLE two (id INTEGER PRIMARY KEY); INSERT INTO two (id) VALUES (7);"),
        new(3, "0003_three", "ALTER TABLE two ADD COLUMN name TEXT NOT NULL DEFAULT 'x'"),
    ];

    [Fact]
    public void Embedded_migrations_have_unique_numbers_from_1_up()
    {
        var migrations = MigrationRunner.Embedded(TestEngine.Name);
        Assert.Equal(1, migrations[0].Number);
        Assert.Equal(migrations.Select(migration => migration.Number).Distinct().Order(), migrations.Select(migration => migration.Number));
    }

    [Fact]
    public void All_engines_have_the_steps_of_SQLite_under_the_same_names()
    {
        var server = MigrationRunner.Embedded("Postgres").ToDictionary(static step => step.Number);
        Assert.All(MigrationRunner.Embedded("Sqlite"), step => Assert.Equal(step.Name, server[step.Number].Name));
        Assert.Equal("0031_blobs", Assert.Single(server.Values, static step => !HasSqlite(step.Number)).Name);
        Assert.All(server.Values, static step => Assert.DoesNotMatch(@"\b(INTEGER|BLOB|REAL|ROWID)\b", Code(step.Sql)));

        static bool HasSqlite(int number) => MigrationRunner.Embedded("Sqlite").Any(step => step.Number == number);

        static string Code(string sql) => string.Join('\n', sql.Split('\n').Select(static line => line.Split("--")[0]));
    }

    [Fact]
    public void A_step_is_written_for_PostgreSQL_from_that_for_SQLite() => Assert.Equal(
        "CREATE TABLE t (a TEXT COLLATE \"C\" PRIMARY KEY REFERENCES u (id) ON DELETE CASCADE DEFERRABLE, b BIGINT, c DOUBLE PRECISION, " +
        "d BYTEA);",
        MigrationRunner.ForServer(
            "CREATE TABLE t (a TEXT PRIMARY KEY REFERENCES u (id) ON DELETE CASCADE, b INTEGER, c REAL, d BLOB) WITHOUT ROWID;"));

    [Fact]
    public async Task A_migration_merged_late_is_still_applied()
    {
        // Two branches whose migrations were merged out of order.
        using var folder = new ConfigFolder();
        await OpenAndCloseAsync(folder.Options, [Three[0], new(5, "0005_five", "CREATE TABLE five (id INTEGER PRIMARY KEY)")]);
        Migration[] all = [.. Three, new(5, "0005_five", "CREATE TABLE five (id INTEGER PRIMARY KEY)")];
        await using (var database = await CatalogOpening.OpenAsync(folder.Options, TimeProvider.System, all, CancellationToken.None))
            Assert.Equal("x", await database.ReadAsync(
                reader => reader.ScalarAsync<string>("SELECT name FROM two WHERE id = 7"), CancellationToken.None));
        var error = await Assert.ThrowsAsync<CatalogException>(() => OpenAndCloseAsync(folder.Options, Three));
        Assert.Contains("schema 5", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Every_earlier_version_is_upgraded()
    {
        var all = MigrationRunner.Embedded(TestEngine.Name);
        for (var known = 0; known < all.Count; known++)
        {
            using var folder = new ConfigFolder();
            await OpenAndCloseAsync(folder.Options, [.. all.Take(known)]);
            await using var database = await CatalogOpening.OpenAsync(folder.Options, TimeProvider.System, CancellationToken.None);
            Assert.Equal(all.Count,
                await database.ReadAsync(reader => reader.ScalarAsync<int>("SELECT COUNT(*) FROM migrations"), CancellationToken.None));
            Assert.Empty(await database.CheckIntegrityAsync(CancellationToken.None));
        }
    }

    [Theory]
    [InlineData(null, "=250")]
    [InlineData("=100", "=100")]
    public async Task The_upload_limit_keeps_its_value_under_its_new_name(string? newer, string expected)
    {
        var all = MigrationRunner.Embedded(TestEngine.Name);
        using var folder = new ConfigFolder();
        await using (var before = await CatalogOpening.OpenAsync(
            folder.Options, TimeProvider.System, [.. all.TakeWhile(static step => step.Number < 15)], CancellationToken.None))
        {
            var changes = new Dictionary<string, string?>
            { ["option.torrents:uploadkibps"] = "=250", ["option.Torrents:Port"] = "=1", ["option.Torrents:UploadLimit"] = newer };
            await new SettingStore(before).SetAsync(changes, CancellationToken.None);
        }

        await using var database = await CatalogOpening.OpenAsync(folder.Options, TimeProvider.System, CancellationToken.None);
        Assert.Equal(
            new Dictionary<string, string> { ["option.Torrents:Port"] = "=1", ["option.Torrents:UploadLimit"] = expected },
            (await new SettingStore(database).GetAllAsync(CancellationToken.None))
                .Where(static pair => pair.Key.StartsWith("option.", StringComparison.Ordinal)).ToDictionary());
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public async Task Missing_migrations_are_applied_in_order(int known)
    {
        using var folder = new ConfigFolder();
        await OpenAndCloseAsync(folder.Options, Three[..known]);
        await using var database = await CatalogOpening.OpenAsync(folder.Options, TimeProvider.System, Three, CancellationToken.None);
        Assert.Equal("x",
            await database.ReadAsync(reader => reader.ScalarAsync<string>("SELECT name FROM two WHERE id = 7"), CancellationToken.None));
    }

    [Fact]
    public async Task A_newer_database_is_refused_and_left_alone()
    {
        using var folder = new ConfigFolder();
        await OpenAndCloseAsync(folder.Options, Three);
        var error = await Assert.ThrowsAsync<CatalogException>(() => OpenAndCloseAsync(folder.Options, Three[..2]));
        Assert.Equal(CatalogFault.NewerVersion, error.Fault);
        Assert.Contains("schema 3", error.Message, StringComparison.Ordinal);
        await OpenAndCloseAsync(folder.Options, Three);
    }

    [Fact]
    public async Task A_failed_migration_leaves_the_old_schema()
    {
        using var folder = new ConfigFolder();
        await OpenAndCloseAsync(folder.Options, Three[..1]);
        Migration[] broken = [.. Three[..2], new(3, "0003_three", "INSERT INTO nowhere VALUES (1);")];
        await Assert.ThrowsAnyAsync<DbException>(() => OpenAndCloseAsync(folder.Options, broken));
        await using (var database = await CatalogOpening.OpenAsync(folder.Options, TimeProvider.System, Three[..1], CancellationToken.None))
            Assert.Equal(
                1, await database.ReadAsync(reader => reader.ScalarAsync<int>("SELECT COUNT(*) FROM migrations"), CancellationToken.None));
        await OpenAndCloseAsync(folder.Options, Three);
    }

    [Theory]
    [InlineData(0, 0)]
    [InlineData(1, 1)]
    public async Task Several_processes_may_migrate_at_once(int known, int backups)
    {
        using var folder = new ConfigFolder();
        await OpenAndCloseAsync(folder.Options, Three[..known]);
        await Task.WhenAll(Enumerable.Range(0, 4).Select(_ => OpenAndCloseAsync(folder.Options, Three)));
        Assert.Equal(TestEngine.IsFile ? backups : 0, new CatalogBackup(folder.Options, TimeProvider.System).List().Count);
    }

    private static async Task OpenAndCloseAsync(CatalogOptions options, Migration[] migrations)
    {
        await using var database = await CatalogOpening.OpenAsync(options, TimeProvider.System, migrations, CancellationToken.None);
    }
}
