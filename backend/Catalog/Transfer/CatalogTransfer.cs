using System.Data.Common;
using System.Globalization;
using Dapper;
using Microsoft.Data.Sqlite;
using Npgsql;
using NpgsqlTypes;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Opening;

namespace NzbDav.Catalog.Transfer;

/// <summary>
/// Copies a catalog from SQLite to PostgreSQL or back: first its blobs, one by one, then all rows in one transaction of the target.
/// Whatever interrupts it, the target holds no catalog and the source is unchanged. Every blob and every table is read back and compared by
/// hash. Nothing else may use either of the two meanwhile.
/// </summary>
public sealed class CatalogTransfer
{
    /// <summary>Name prefix of the folder in which a new database file is created.</summary>
    private const string Prefix = "catalog-move-";

    private readonly CatalogOptions _file;
    private readonly CatalogOptions _server;
    private readonly TimeProvider _time;

    /// <param name="file">The catalog in SQLite.</param>
    /// <param name="server">The catalog in PostgreSQL.</param>
    /// <param name="time">Clock.</param>
    public CatalogTransfer(CatalogOptions file, CatalogOptions server, TimeProvider time)
    {
        ArgumentNullException.ThrowIfNull(file);
        ArgumentNullException.ThrowIfNull(server);
        if (file.Connection is not null || server.Connection is null)
            throw new ArgumentException("One of the two is in SQLite and the other in PostgreSQL.", nameof(server));
        (_file, _server, _time) = (file, server, time);
    }

    /// <summary>Called before each table, so that tests can interrupt there.</summary>
    internal Action<string>? BeforeTable { get; set; }

    /// <summary>Called before each blob, so that tests can interrupt there.</summary>
    internal Action<BlobHash>? BeforeBlob { get; set; }

    /// <summary>Copies everything from SQLite into an empty PostgreSQL database, whose schema is created if it is missing.</summary>
    /// <exception cref="CatalogException">The target holds a catalog, or one of the two cannot be read or written; nothing was
    /// changed.</exception>
    public Task<TransferResult> ToServerAsync(CancellationToken cancellationToken) => TranslatedAsync(CopyToServerAsync, cancellationToken);

    /// <summary>
    /// Copies everything from PostgreSQL into a new SQLite database, which appears in the configuration folder when it is complete.
    /// </summary>
    /// <exception cref="CatalogException">A database exists already, or one of the two cannot be read or written; nothing was
    /// changed.</exception>
    public Task<TransferResult> ToFileAsync(CancellationToken cancellationToken) => TranslatedAsync(MakeFileAsync, cancellationToken);

    /// <summary>Copies all rows of one moment from PostgreSQL into a new SQLite database. Others may use the server meanwhile.</summary>
    /// <exception cref="CatalogException">The server's schema is not that of this version, or one of the two cannot be read or
    /// written.</exception>
    internal async Task CopyRowsAsync(CancellationToken cancellationToken)
    {
        await (await CatalogOpening.OpenAsync(_file, _time, cancellationToken)).DisposeAsync();
        await using var target = OpenFile(_file.DatabasePath, SqliteOpenMode.ReadWrite);
        await CopyToFileAsync(target, cancellationToken);
    }

    private static async Task<TransferResult> TranslatedAsync(
        Func<CancellationToken, Task<TransferResult>> copy, CancellationToken cancellationToken)
    {
        try
        {
            return await copy(cancellationToken);
        }
        catch (DbException error)
        {
            throw new CatalogException(
                CatalogFault.Storage, $"The catalog was not moved, and the old one is as it was: {error.Message}", error);
        }
    }

    private async Task<TransferResult> CopyToServerAsync(CancellationToken cancellationToken)
    {
        if (!File.Exists(_file.DatabasePath))
            throw new CatalogException(CatalogFault.NotWritable, $"There is nothing to move: {_file.DatabasePath} does not exist.");
        (int Copied, int Lost) blobs;
        await using var target = await OpenServerAsync(cancellationToken);
        await using (var file = await CatalogOpening.OpenAsync(_file, _time, cancellationToken))
        await using (var server = await CatalogOpening.OpenAsync(_server, _time, cancellationToken))
        {
            await ThrowIfUsedAsync(target);
            blobs = await new BlobTransfer(new BlobStore(file), new BlobStore(server)) { BeforeBlob = BeforeBlob }.CopyAsync(
                file, cancellationToken);
        }

        await using var source = OpenFile(_file.DatabasePath, SqliteOpenMode.ReadOnly);
        await target.ExecuteAsync("BEGIN ISOLATION LEVEL READ COMMITTED");
        await source.ExecuteAsync("BEGIN DEFERRED");
        await ThrowIfUsedAsync(target);
        await target.ExecuteAsync("SET CONSTRAINTS ALL DEFERRED");
        var tables = await TablesAsync(source, target);
        foreach (var table in tables.Reverse())
            await target.ExecuteAsync($"DELETE FROM \"{table.Name}\"");
        var rows = 0L;
        foreach (var table in tables)
        {
            BeforeTable?.Invoke(table.Name);
            await using var reader = await RowReader.OpenAsync(source, table, cancellationToken);
            await using (var writer = await target.BeginBinaryImportAsync(
                $"COPY \"{table.Name}\" ({table.List}) FROM STDIN (FORMAT BINARY)", cancellationToken))
            {
                while (await reader.NextAsync(cancellationToken) is { } row)
                {
                    await writer.StartRowAsync(cancellationToken);
                    for (var i = 0; i < row.Length; i++)
                        await WriteAsync(writer, table.Columns[i].Kind, row[i], cancellationToken);
                }

                await writer.CompleteAsync(cancellationToken);
            }

            rows += await VerifyAsync(table, reader.Digest(), target, cancellationToken);
        }

        // Numbers generated by the engine continue after the copied ones.
        await target.ExecuteAsync(
            "SELECT setval(pg_get_serial_sequence('health_events', 'id'), (SELECT COALESCE(MAX(id), 0) + 1 FROM health_events), false)");
        await target.ExecuteAsync("COMMIT");
        return new TransferResult(rows, blobs.Copied, blobs.Lost);
    }

    private async Task<TransferResult> MakeFileAsync(CancellationToken cancellationToken)
    {
        if (File.Exists(_file.DatabasePath))
            throw new CatalogException(
                CatalogFault.NotWritable,
                $"There is a catalog already: {_file.DatabasePath}. Rename it, together with the files beside it that begin with the " +
                $"same name, and try again.");
        Directory.CreateDirectory(_file.ConfigFolder);
        foreach (var leftover in Directory.EnumerateDirectories(_file.ConfigFolder, Prefix + "*" + BlobFile.TemporarySuffix))
            Directory.Delete(leftover, recursive: true);
        var made = Directory.CreateDirectory(Path.Combine(_file.ConfigFolder, $"{Prefix}{Guid.NewGuid():n}{BlobFile.TemporarySuffix}"));
        try
        {
            var options = new CatalogOptions { ConfigFolder = made.FullName };
            await (await CatalogOpening.OpenAsync(options, _time, cancellationToken)).DisposeAsync();
            (int Copied, int Lost) blobs;
            await using (var server = await CatalogOpening.OpenAsync(_server, _time, cancellationToken))
                blobs = await new BlobTransfer(new BlobStore(server), new BlobStore(_file, _time)) { BeforeBlob = BeforeBlob }.CopyAsync(
                    server, cancellationToken);
            long rows;
            await using (var target = OpenFile(options.DatabasePath, SqliteOpenMode.ReadWrite))
            {
                rows = await CopyToFileAsync(target, cancellationToken);

                // A single file, without a log beside it.
                await target.ExecuteAsync("PRAGMA journal_mode = DELETE");
            }

            DirectorySync.FlushFileSystem(made.FullName);
            File.Move(options.DatabasePath, _file.DatabasePath, overwrite: false);
            DirectorySync.FlushFileSystem(_file.ConfigFolder);
            return new TransferResult(rows, blobs.Copied, blobs.Lost);
        }
        finally
        {
            made.Delete(recursive: true);
        }
    }

    private async Task<long> CopyToFileAsync(SqliteConnection target, CancellationToken cancellationToken)
    {
        await using var source = await OpenServerAsync(cancellationToken);
        await source.ExecuteAsync("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
        await ThrowIfOtherSchemaAsync(source);
        await target.ExecuteAsync("PRAGMA foreign_keys = OFF; BEGIN IMMEDIATE");
        var tables = await TablesAsync(target, source);
        var rows = 0L;
        foreach (var table in tables)
        {
            BeforeTable?.Invoke(table.Name);
            await target.ExecuteAsync($"DELETE FROM \"{table.Name}\"");
            await using var insert = target.CreateCommand();
            insert.CommandText =
                $"INSERT INTO \"{table.Name}\" ({table.List}) VALUES " +
                $"({string.Join(", ", table.Columns.Select(static (_, i) => $"@p{i}"))})";
            for (var i = 0; i < table.Columns.Count; i++)
                insert.Parameters.Add(new SqliteParameter($"@p{i}", null));
            await using var reader = await RowReader.OpenAsync(source, table, cancellationToken);
            while (await reader.NextAsync(cancellationToken) is { } row)
            {
                for (var i = 0; i < row.Length; i++)
                    insert.Parameters[i].Value = row[i] ?? DBNull.Value;
                await insert.ExecuteNonQueryAsync(cancellationToken);
            }

            rows += await VerifyAsync(table, reader.Digest(), target, cancellationToken);
        }

        if ((await target.QueryAsync("PRAGMA foreign_key_check")).Any())
            throw Different("rows refer to rows that do not exist");
        await target.ExecuteAsync("COMMIT");
        return rows;
    }

    private static async Task<long> VerifyAsync(
        TransferTable table, TransferDigest expected, DbConnection target, CancellationToken cancellationToken)
    {
        await using var copied = await RowReader.OpenAsync(target, table, cancellationToken);
        while (await copied.NextAsync(cancellationToken) is not null)
        {
        }

        return copied.Digest() == expected ? expected.Rows : throw Different($"the table {table.Name}");
    }

    private static CatalogException Different(string what) =>
        new(CatalogFault.Corrupt, $"What was copied is not what was read: {what}. Nothing was changed.");

    private static Task WriteAsync(NpgsqlBinaryImporter writer, TransferKind kind, object? value, CancellationToken cancellationToken) =>
        (kind, value) switch
        {
            (_, null) => writer.WriteNullAsync(cancellationToken),
            (TransferKind.Number, long number) => writer.WriteAsync(number, NpgsqlDbType.Bigint, cancellationToken),
            (TransferKind.Fraction, double fraction) => writer.WriteAsync(fraction, NpgsqlDbType.Double, cancellationToken),
            (TransferKind.Text, string text) => writer.WriteAsync(text, NpgsqlDbType.Text, cancellationToken),
            _ => writer.WriteAsync((byte[])value, NpgsqlDbType.Bytea, cancellationToken),
        };

    /// <summary>
    /// The tables of the schema, with the kinds of their columns in PostgreSQL. Leaves out the migrations, and the shares and leases of
    /// running gateways, which mean nothing in another database.
    /// </summary>
    private static async Task<IReadOnlyList<TransferTable>> TablesAsync(SqliteConnection file, NpgsqlConnection server)
    {
        const string Kinds =
            "SELECT column_name, data_type FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = @table";
        var tables = new List<TransferTable>();
        foreach (var table in await file.QueryAsync<string>(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT IN ('migrations', " +
            "'connection_shares', 'torrent_owners') ORDER BY name"))
        {
            var kinds = (await server.QueryAsync<(string Name, string Type)>(Kinds, new { table }))
                .ToDictionary(static row => row.Name, static row => KindOf(row.Type), StringComparer.Ordinal);
            var columns = (await file.QueryAsync<(string Name, long Key)>("SELECT name, pk FROM pragma_table_info(@table)", new { table }))
                .ToList();
            tables.Add(new TransferTable(
                table,
                [.. columns.Select(column => new TransferColumn(column.Name, kinds[column.Name]))],
                [.. columns.Where(static column => column.Key > 0).OrderBy(static column => column.Key)
                    .Select(static column => column.Name)]));
        }

        return tables;
    }

    private static TransferKind KindOf(string type) => type switch
    {
        "bigint" or "integer" => TransferKind.Number,
        "double precision" => TransferKind.Fraction,
        "text" => TransferKind.Text,
        "bytea" => TransferKind.Bytes,
        _ => throw new InvalidOperationException($"Columns of type {type} are not copied."),
    };

    private static async Task ThrowIfOtherSchemaAsync(NpgsqlConnection server)
    {
        var (known, found) = (MigrationRunner.Embedded("Postgres")[^1].Number,
            await server.ExecuteScalarAsync<int>("SELECT COALESCE(MAX(number), 0) FROM migrations"));
        if (found != known)
            throw new CatalogException(CatalogFault.NewerVersion, string.Create(CultureInfo.InvariantCulture,
                $"The database has schema {found}, and this version of NzbDav has schema {known}. Use the version that the server runs."));
    }

    private static async Task ThrowIfUsedAsync(NpgsqlConnection target)
    {
        var used = await target.ExecuteScalarAsync<long>(
            "SELECT (SELECT COUNT(*) FROM jobs) + (SELECT COUNT(*) FROM items) - 1 + (SELECT COUNT(*) FROM users) + (SELECT COUNT(*) " +
            "FROM settings)");
        if (used > 0)
            throw new CatalogException(CatalogFault.NotWritable, string.Create(CultureInfo.InvariantCulture,
                $"The database {target.Host}, {target.Database} holds a catalog already ({used} rows). Name an empty one."));
    }

    private static SqliteConnection OpenFile(string path, SqliteOpenMode mode)
    {
        var connection = new SqliteConnection(
            new SqliteConnectionStringBuilder { DataSource = path, Mode = mode, Pooling = false }.ToString());
        connection.Open();
        return connection;
    }

    private async Task<NpgsqlConnection> OpenServerAsync(CancellationToken cancellationToken)
    {
        var connection = new NpgsqlConnection(
            new NpgsqlConnectionStringBuilder(_server.Connection) { Pooling = false, CommandTimeout = 0 }.ConnectionString);
        await connection.OpenAsync(cancellationToken);
        return connection;
    }
}

/// <summary>The result of a <see cref="CatalogTransfer"/>.</summary>
/// <param name="Rows">Rows copied.</param>
/// <param name="Blobs">Blobs in the target now, including those it had before.</param>
/// <param name="LostBlobs">Referenced blobs that are missing or damaged at the source: the files that need them could not be read before
/// either.</param>
public sealed record TransferResult(long Rows, int Blobs, int LostBlobs);
