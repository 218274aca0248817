using Dapper;
using Microsoft.Data.Sqlite;
using NzbDav.Catalog.Backup;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Opening;
using NzbDav.Catalog.Settings;
using NzbDav.Catalog.Transfer;
using NzbDav.Catalog.Users;
using NzbDav.Fakes;

namespace NzbDav.Catalog.Tests;

/// <summary>Moving a catalog between SQLite and PostgreSQL.</summary>
public sealed class TransferTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();
    private readonly string _server = PostgresServer.Shared.NewDatabase();

    public void Dispose()
    {
        _folder.Dispose();
        PostgresServer.Shared.Drop(_server);
    }

    [Fact]
    public async Task A_library_is_the_same_after_it_was_moved_there_and_back()
    {
        var (file, server) = await FilledAsync();
        var before = CatalogContent.Rows(file);
        var blobs = await CatalogContent.BlobsAsync(file);
        Assert.True(before.Count > 60 && blobs.Count > 20);
        var moved = await new CatalogTransfer(file, server, TimeProvider.System).ToServerAsync(CancellationToken.None);
        Assert.Equal((before.Count, blobs.Count, 0), (moved.Rows, moved.Blobs, moved.LostBlobs));
        Assert.Equal(before, CatalogContent.Rows(file));
        Assert.Equal(blobs, await CatalogContent.BlobsAsync(file));

        // Another gateway, which has none of the files.
        using (var elsewhere = new TemporaryFolder())
            Assert.Equal(blobs, await CatalogContent.BlobsAsync(server with { ConfigFolder = elsewhere.Path }));
        await using (var catalog = await CatalogOpening.OpenAsync(server, TimeProvider.System, CancellationToken.None))
        {
            Assert.Equal("1", await new SettingStore(catalog).GetAsync("a", CancellationToken.None));
            Assert.NotNull(await new UserStore(catalog).FindAsync("Anna", CancellationToken.None));

            // The next event gets a number of its own.
            await catalog.WriteAsync(static transaction => transaction.Execute(
                "INSERT INTO health_events (name, at, kind, reason) VALUES ('n', 1, 'k', 'later')"), CancellationToken.None);
            await catalog.WriteAsync(
                static transaction => transaction.Execute("DELETE FROM health_events WHERE reason = 'later'"), CancellationToken.None);
        }

        File.Delete(file.DatabasePath);
        Directory.Delete(file.BlobFolder, recursive: true);
        Assert.Equal(moved, await new CatalogTransfer(file, server, TimeProvider.System).ToFileAsync(CancellationToken.None));
        Assert.Equal(before, CatalogContent.Rows(file));
        Assert.Equal(blobs, await CatalogContent.BlobsAsync(file));
        Assert.Equal([file.DatabasePath],
            Directory.GetFileSystemEntries(file.ConfigFolder).Where(static path => Path.GetFileName(path) is not ("blobs" or "cache")));
        await using var again = await CatalogOpening.OpenAsync(file, TimeProvider.System, CancellationToken.None);
        Assert.Empty(await again.CheckIntegrityAsync(CancellationToken.None));
    }

    [Fact]
    public async Task A_move_that_is_interrupted_anywhere_leaves_the_old_catalog_and_can_be_made_again()
    {
        var (file, server) = await FilledAsync();
        var before = CatalogContent.Rows(file);
        var blobs = await CatalogContent.BlobsAsync(file);
        foreach (var stop in new[] { blobs.Keys.First(), blobs.Keys.Last(), "aliases", "health_state", "items", "versions" })
        {
            var transfer = new CatalogTransfer(file, server, TimeProvider.System)
            { BeforeTable = table => ThrowAt(table, stop), BeforeBlob = hash => ThrowAt(hash.ToString(), stop) };
            await Assert.ThrowsAsync<TimeoutException>(() => transfer.ToServerAsync(CancellationToken.None));
            Assert.Equal(before, CatalogContent.Rows(file));
            Assert.Equal(blobs, await CatalogContent.BlobsAsync(file));
        }

        await new CatalogTransfer(file, server, TimeProvider.System).ToServerAsync(CancellationToken.None);
        var used = await Assert.ThrowsAsync<CatalogException>(
            () => new CatalogTransfer(file, server, TimeProvider.System).ToServerAsync(CancellationToken.None));
        Assert.Contains("holds a catalog already", used.Message, StringComparison.Ordinal);
        var there = await Assert.ThrowsAsync<CatalogException>(
            () => new CatalogTransfer(file, server, TimeProvider.System).ToFileAsync(CancellationToken.None));
        Assert.Contains("There is a catalog already", there.Message, StringComparison.Ordinal);

        File.Delete(file.DatabasePath);
        Directory.Delete(file.BlobFolder, recursive: true);
        foreach (var stop in new[] { blobs.Keys.First(), "versions" })
        {
            var back = new CatalogTransfer(file, server, TimeProvider.System)
            { BeforeTable = table => ThrowAt(table, stop), BeforeBlob = hash => ThrowAt(hash.ToString(), stop) };
            await Assert.ThrowsAsync<TimeoutException>(() => back.ToFileAsync(CancellationToken.None));
            Assert.False(File.Exists(file.DatabasePath));
        }

        await new CatalogTransfer(file, server, TimeProvider.System).ToFileAsync(CancellationToken.None);
        Assert.Equal(before, CatalogContent.Rows(file));
        Assert.Equal(blobs, await CatalogContent.BlobsAsync(file));
    }

    [Fact]
    public async Task A_blob_that_is_damaged_before_the_move_is_counted_and_one_damaged_where_it_goes_is_replaced()
    {
        var (file, server) = await FilledAsync();
        var blobs = await CatalogContent.BlobsAsync(file);
        var source = new FolderBlobs(file.BlobFolder, TimeProvider.System);
        var (lost, damaged, quarantined) =
            (BlobHash.Parse(blobs.Keys.First()), BlobHash.Parse(blobs.Keys.ElementAt(1)), BlobHash.Parse(blobs.Keys.ElementAt(2)));
        File.Delete(source.PathOf(lost));
        Flip(source.PathOf(damaged));
        Assert.True(source.Quarantine.TryQuarantine(quarantined, DateTime.MaxValue));
        var moved = await new CatalogTransfer(file, server, TimeProvider.System).ToServerAsync(CancellationToken.None);
        Assert.Equal((blobs.Count - 2, 2), (moved.Blobs, moved.LostBlobs));

        File.Delete(file.DatabasePath);
        var another = BlobHash.Parse(blobs.Keys.Last());
        Flip(source.PathOf(another));
        Assert.Equal(moved, await new CatalogTransfer(file, server, TimeProvider.System).ToFileAsync(CancellationToken.None));
        Assert.True(BlobFile.IsSound(source.PathOf(another), another));
        Assert.True(BlobFile.IsSound(source.PathOf(quarantined), quarantined));
    }

    [Fact]
    public async Task With_a_shared_folder_the_blobs_move_there()
    {
        using var folder = new TemporaryFolder();
        var (file, server) = await FilledAsync();
        var blobs = await CatalogContent.BlobsAsync(file);
        server = server with { SharedBlobFolder = Path.Combine(folder.Path, "shared") };
        await new CatalogTransfer(file, server, TimeProvider.System).ToServerAsync(CancellationToken.None);
        Assert.Equal(blobs, await CatalogContent.BlobsAsync(server));
        Assert.Equal(blobs.Count, Directory.GetFiles(server.BlobFolder, "*", SearchOption.AllDirectories).Length);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_backup_of_a_server_is_restored_as_a_file(bool inFolder)
    {
        using var folder = new TemporaryFolder();
        var (file, server) = await FilledAsync();
        var (before, blobs) = (CatalogContent.Rows(file), await CatalogContent.BlobsAsync(file));
        server = server with
        {
            ConfigFolder = folder.At("gateway"),
            BackupFolder = folder.At("backups"),
            SharedBlobFolder = inFolder ? folder.At("shared") : null
        };
        Directory.CreateDirectory(folder.At("gateway", "keys"));
        await File.WriteAllTextAsync(folder.At("gateway", "keys", "one"), "key");
        Directory.CreateDirectory(folder.At("gateway", "patches", "7"));
        await File.WriteAllTextAsync(folder.At("gateway", "patches", "7", "0123abcd"), "patch");
        await new CatalogTransfer(file, server, TimeProvider.System).ToServerAsync(CancellationToken.None);
        for (var round = 1; round <= 2; round++)
        {
            BackupInfo made;
            await using (await CatalogOpening.OpenAsync(server, TimeProvider.System, CancellationToken.None))
            using (var copy = await ServerCopy.MakeAsync(server, TimeProvider.System, CancellationToken.None))
            {
                // The second backup has the blobs of the first.
                Assert.Equal(round == 1, Directory.GetFiles(server.BackupFolder, "*", SearchOption.AllDirectories).Any(static path =>
                    path.Contains("/blobs/", StringComparison.Ordinal) && path.Contains("/server-", StringComparison.Ordinal)));
                made = copy.Backups.Create(BackupReason.Request, CancellationToken.None);
                Assert.Equal((blobs.Count, 0, 1), (made.Blobs, made.MissingBlobs, made.Patches));
            }

            Assert.Empty(Directory.GetDirectories(server.BackupFolder, "server-*"));
            var restored = new CatalogOptions { ConfigFolder = folder.At("restored", made.Name) };
            Directory.CreateDirectory(restored.ConfigFolder);
            CatalogRestore.Restore(Path.Combine(server.BackupFolder, made.Name), restored, TimeProvider.System, CancellationToken.None);
            Assert.Equal(before, CatalogContent.Rows(restored));
            Assert.Equal(blobs, await CatalogContent.BlobsAsync(restored));
            Assert.True(File.Exists(Path.Combine(restored.ConfigFolder, "keys", "one"))
                && File.Exists(Path.Combine(restored.PatchFolder, "7", "0123abcd")));
            Assert.Equal("key", await File.ReadAllTextAsync(folder.At("gateway", "keys", "one")));
        }
    }

    [Fact]
    public async Task A_backup_of_a_server_with_another_schema_is_refused()
    {
        using var folder = new TemporaryFolder();
        var (file, server) = await FilledAsync();
        await new CatalogTransfer(file, server, TimeProvider.System).ToServerAsync(CancellationToken.None);
        using (var connection = TestEngine.Connect(server))
            await connection.ExecuteAsync("INSERT INTO migrations (number, name, applied) VALUES (9999, 'later', 1)");
        var error = await Assert.ThrowsAsync<CatalogException>(
            () => ServerCopy.MakeAsync(server with { BackupFolder = folder.Path }, TimeProvider.System, CancellationToken.None));
        Assert.Equal(CatalogFault.NewerVersion, error.Fault);
        Assert.Empty(Directory.GetFileSystemEntries(folder.Path));
    }

    [Fact]
    public async Task Both_schemas_have_the_same_tables_columns_keys_and_indexes()
    {
        var (file, server) =
            (new CatalogOptions { ConfigFolder = _folder.Path }, new CatalogOptions { ConfigFolder = _folder.Path, Connection = _server });
        await (await CatalogOpening.OpenAsync(file, TimeProvider.System, CancellationToken.None)).DisposeAsync();
        await (await CatalogOpening.OpenAsync(server, TimeProvider.System, CancellationToken.None)).DisposeAsync();
        using var sqlite = new SqliteConnection($"Data Source={file.DatabasePath};Pooling=False");
        using var postgres = TestEngine.Connect(server);
        Assert.Equal(
            sqlite.Query<string>(
                "SELECT m.name || '.' || c.name || ' ' || CASE c.type WHEN 'INTEGER' THEN 'bigint' WHEN 'TEXT' THEN 'text' WHEN 'REAL' " +
                "THEN 'double precision' WHEN 'BLOB' THEN 'bytea' ELSE c.type END || " +
                "CASE WHEN c.[notnull] OR c.pk THEN ' not null' ELSE '' END FROM sqlite_master AS m JOIN pragma_table_info(m.name) AS c " +
                "WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' AND m.name <> 'migrations'").Order(StringComparer.Ordinal),
            postgres.Query<string>(
                "SELECT c.table_name || '.' || c.column_name || ' ' || c.data_type || CASE WHEN c.is_nullable = 'NO' THEN ' not null' " +
                "ELSE '' END FROM information_schema.columns AS c " +
                "JOIN information_schema.tables AS t ON t.table_schema = c.table_schema AND t.table_name = c.table_name AND t.table_type " +
                "= 'BASE TABLE' " +
                "WHERE c.table_schema = current_schema() AND c.table_name NOT IN ('migrations', 'blobs', 'blob_chunks')")
                    .Order(StringComparer.Ordinal));
        Assert.Equal(
            sqlite.Query<string>("SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL").Order(StringComparer.Ordinal),
            postgres.Query<string>(
                "SELECT i.relname FROM pg_index AS x JOIN pg_class AS i ON i.oid = x.indexrelid JOIN pg_namespace AS n ON n.oid = " +
                "i.relnamespace " +
                "WHERE n.nspname = current_schema() AND NOT EXISTS (SELECT 1 FROM pg_constraint AS k WHERE k.conindid = x.indexrelid)")
                    .Order(StringComparer.Ordinal));
        Assert.All(
            postgres.Query<string>(
                "SELECT collation_name FROM information_schema.columns WHERE table_schema = current_schema() AND data_type = 'text' AND " +
                "table_name NOT IN ('migrations', 'blob_references')"),
            static collation => Assert.Equal("C", collation));
    }

    private static void ThrowAt(string table, string stop)
    {
        if (table == stop)
            throw new TimeoutException();
    }

    private static void Flip(string path)
    {
        var bytes = File.ReadAllBytes(path);
        bytes[^1] ^= 0xFF;
        File.WriteAllBytes(path, bytes);
    }

    /// <summary>A catalog in SQLite with rows in many tables, and where it is to go.</summary>
    private async Task<(CatalogOptions File, CatalogOptions Server)> FilledAsync()
    {
        var file = new CatalogOptions { ConfigFolder = _folder.Path };
        await using var catalog = await CatalogFixture.OpenAsync(file, CatalogFixture.NewClock());
        for (var i = 0; i < 20; i++)
            await catalog.PublishAsync($"Job {i} \u00e9\U0001F3AC", "film.mkv", "subs/de.srt");
        catalog.Segments = CatalogFixture.SegmentsOfBlob;
        await catalog.PublishAsync("Large", "film.mkv");
        await catalog.EnqueueAsync("waits");
        await catalog.Settings.SetAsync("a", "1", CancellationToken.None);
        await new UserStore(catalog.Database)
            .AddAsync(new StoredUser { Name = "Anna", Hash = "hash", Stamp = "stamp" }, CancellationToken.None);
        await catalog.Labels.CreateTagsAsync(["one", "two"], CancellationToken.None);
        await catalog.Database.WriteAsync(
            static transaction =>
                transaction.Execute(
                    "INSERT INTO torrents (hash, category, added, turn, ratio_limit) VALUES ('aa', 'tv', 5, 1, 1.5), ('bb', 'tv', 5, 2, 2)")
                + transaction.Execute("INSERT INTO health_events (name, at, kind, reason) VALUES ('n', 1, 'k', 'r')")
                + transaction.Execute(
                    "INSERT INTO torrent_layouts (item_id, spans) SELECT id, X'0001FF' FROM items WHERE kind = 'file' LIMIT 3"),
            CancellationToken.None);
        await catalog.DisposeAsync();
        return (file, new CatalogOptions { ConfigFolder = _folder.Path, Connection = _server });
    }
}
