using System.Data.Common;
using System.Globalization;
using System.Security.Cryptography;
using Dapper;
using Microsoft.Data.Sqlite;

namespace NzbDav.Catalog.Database.Sqlite;

/// <summary>SQLite: one file, which several processes may use at the same time.</summary>
internal sealed class SqliteEngine : CatalogEngine
{
    /// <summary>SQLITE_FULL (https://www.sqlite.org/rescode.html#full).</summary>
    private const int DiskFull = 13;

    /// <summary>SQLITE_IOERR_SHMSIZE: no room for the 32 KiB index of the log.</summary>
    private const int NoRoomForIndex = 4874;

    private readonly Lock _gate = new();
    private readonly WalCheckpointer _checkpointer;
    private SqliteConnection? _watcher;
    private bool _disposed;

    static SqliteEngine() => SQLitePCL.Batteries_V2.Init();

    public SqliteEngine(CatalogOptions options, TimeProvider time)
        : base(options) => _checkpointer = new WalCheckpointer(options, time);

    /// <summary>The engine's version.</summary>
    public static string Version => SQLitePCL.raw.sqlite3_libversion().utf8_to_string();

    /// <inheritdoc/>
    public override SqlDialect Dialect => SqliteDialect.Instance;

    /// <inheritdoc cref="CatalogEngine.Migrations"/>
    public static IReadOnlyList<Migration> Steps => MigrationRunner.Embedded("Sqlite");

    /// <inheritdoc/>
    public override IReadOnlyList<Migration> Migrations => Steps;

    /// <inheritdoc/>
    public override bool Waits => false;

    /// <summary>
    /// Opens a connection. WAL: readers never wait for the writer. synchronous=FULL for the writer: writes are rare, and an acknowledged
    /// commit must survive a power cut (NORMAL would survive kill -9 only). mmap off: a disk error must be an error code, not SIGBUS. No
    /// checkpoint inside a commit: <see cref="WalCheckpointer"/> runs them. Pooling off: <see cref="CatalogDatabase"/> keeps the
    /// connections open, with their settings.
    /// </summary>
    public static SqliteConnection Open(CatalogOptions options, bool writable)
    {
        var text = new SqliteConnectionStringBuilder
        {
            DataSource = options.DatabasePath,
            Mode = SqliteOpenMode.ReadWriteCreate,
            Pooling = false,
            DefaultTimeout = Math.Max(1, (int)options.BusyTimeout.TotalSeconds),
        };
        var connection = new SqliteConnection(text.ToString());
        try
        {
            connection.Open();
            var milliseconds = ((long)options.BusyTimeout.TotalMilliseconds).ToString(CultureInfo.InvariantCulture);
            connection.Execute($"PRAGMA busy_timeout = {milliseconds}; PRAGMA mmap_size = 0; PRAGMA foreign_keys = ON;");
            if (writable)
                connection.Execute(
                    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 67108864; PRAGMA " +
                    "wal_autocheckpoint = 0;");
            else
                connection.Execute("PRAGMA query_only = ON;");
            return connection;
        }
        catch
        {
            connection.Dispose();
            throw;
        }
    }

    /// <inheritdoc/>
    public override DbConnection OpenWriter() => Open(Options, writable: true);

    /// <inheritdoc/>
    public override ValueTask<DbConnection> OpenReaderAsync(CancellationToken cancellationToken) => new(Open(Options, writable: false));

    /// <summary>
    /// Begins a transaction that holds the write lock from the start. Does not use SqliteTransaction: on some errors (disk full) the engine
    /// rolls back by itself, and that class then throws from Dispose and hides the error.
    /// </summary>
    /// <inheritdoc/>
    public override void Begin(DbConnection connection, bool durable = true)
        => connection.Execute(durable ? "PRAGMA synchronous = FULL; BEGIN IMMEDIATE" : "PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE");

    /// <inheritdoc/>
    public override void Save(DbConnection connection) => connection.Execute("SAVEPOINT work");

    /// <inheritdoc/>
    public override void Release(DbConnection connection, bool keep) =>
        connection.Execute(keep ? "RELEASE work" : "ROLLBACK TO work; RELEASE work");

    /// <inheritdoc/>
    public override bool IsInTransaction(DbConnection connection) =>
        SQLitePCL.raw.sqlite3_get_autocommit(((SqliteConnection)connection).Handle) == 0;

    /// <inheritdoc/>
    public override void Commit(DbConnection connection, IReadOnlyCollection<CatalogNotice> notices) => connection.Execute("COMMIT");

    /// <inheritdoc/>
    public override bool RollBack(DbConnection connection)
    {
        try
        {
            if (IsInTransaction(connection))
                connection.Execute("ROLLBACK");
            return true;
        }
        catch (SqliteException)
        {
            return false;
        }
    }

    /// <inheritdoc/>
    public override void Committed(DbConnection connection) => _checkpointer.Committed((SqliteConnection)connection);

    /// <inheritdoc/>
    public override ValueTask<long> DataVersionAsync(CatalogReader reader)
    {
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_disposed, this);
            _watcher ??= Open(Options, writable: false);
            return new(DataVersion(_watcher));
        }
    }

    /// <inheritdoc/>
    public override void PrepareMigrations(DbConnection connection) =>
        connection.Execute(
            "CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL, applied INTEGER NOT NULL)");

    private static long DataVersion(SqliteConnection connection) => connection.ExecuteScalar<long>("PRAGMA data_version");

    /// <summary>Counts the openings for writing, in the header of the file.</summary>
    /// <returns>The number of this opening, which wraps to 0 after 2 billion; a random one if the disk is full, because the stored data can
    /// still be read.</returns>
    public override long CountOpening(DbConnection connection)
    {
        try
        {
            Begin(connection);
            var number = (connection.ExecuteScalar<int>("PRAGMA user_version") + 1) & int.MaxValue;
            connection.Execute(string.Create(CultureInfo.InvariantCulture, $"PRAGMA user_version = {number}"));
            Commit(connection, []);
            return number;
        }
        catch (SqliteException error) when (error.SqliteErrorCode == DiskFull)
        {
            RollBack(connection);
            return RandomNumberGenerator.GetInt32(int.MaxValue);
        }
        catch
        {
            RollBack(connection);
            throw;
        }
    }

    /// <summary>Pages that this connection has written to the log since it was opened.</summary>
    public static int PagesWritten(SqliteConnection connection)
    {
        const int CacheWrite = 9;
        return SQLitePCL.raw.sqlite3_db_status(connection.Handle!, CacheWrite, out var current, out _, 0) == 0 ? current : 0;
    }

    /// <summary>Moves the log into the database as far as no reader needs the log; does not wait.</summary>
    /// <returns>Pages in the log, and how many of them are in the database now.</returns>
    public static (int Log, int Done) Checkpoint(SqliteConnection connection)
    {
        var (_, log, done) = connection.QueryFirst<(int Busy, int Log, int Done)>("PRAGMA wal_checkpoint(PASSIVE)");
        return (log, done);
    }

    /// <inheritdoc/>
    public override async ValueTask<IReadOnlyList<string>> ProblemsAsync(CatalogReader reader) =>
        Problems(
            await reader.AllAsync<string>("PRAGMA integrity_check"), (await reader.AllAsync<object>("PRAGMA foreign_key_check")).Count);

    /// <summary>What is wrong with the file; empty if it is sound.</summary>
    public static IReadOnlyList<string> Problems(SqliteConnection connection) =>
        Problems(connection.Query<string>("PRAGMA integrity_check"), connection.Query("PRAGMA foreign_key_check").Count());

    /// <inheritdoc/>
    public override CatalogException? Translate(Exception error) => error is SqliteException engine ? Translate(engine, Options) : null;

    /// <inheritdoc cref="Translate(Exception)"/>
    public static CatalogException? Translate(SqliteException error, CatalogOptions options)
    {
        // https://www.sqlite.org/rescode.html
        var path = options.DatabasePath;
        return (error.SqliteExtendedErrorCode == NoRoomForIndex ? DiskFull : error.SqliteErrorCode) switch
        {
            11 or 26 =>
                new(CatalogFault.Corrupt,
                $"{path} is damaged or is not a database. Stop NzbDav and put back the newest backup from '{options.BackupFolder}' " +
                $"(nzbdav restore FILE, which keeps what is there). Do not delete the file: without it the library is empty.", error),
            DiskFull => new(
                CatalogFault.DiskFull, $"The disk that holds {path} is full. Free some space; nothing that was committed is lost.", error),
            3 or 8 or 14 or 23 =>
                new(CatalogFault.NotWritable,
                $"{path} cannot be opened for writing. Check that '{options.ConfigFolder}' exists, is not read-only, and belongs to the " +
                $"user that runs NzbDav.", error),
            5 or 6 or 15 =>
                new(CatalogFault.Busy, $"Another process keeps {path} locked. Wait for it to finish, or stop it, and try again.", error),
            10 => new(
                CatalogFault.Storage,
                $"The disk that holds {path} reported an error (code " +
                $"{error.SqliteExtendedErrorCode.ToString(CultureInfo.InvariantCulture)}). Check the disk and the system log.", error),
            _ => null,
        };
    }

    /// <inheritdoc/>
    public override async ValueTask DisposeAsync()
    {
        await _checkpointer.DisposeAsync();
        lock (_gate)
        {
            _disposed = true;
            _watcher?.Dispose();
        }

        await base.DisposeAsync();
    }

    private static List<string> Problems(IEnumerable<string> lines, int broken)
    {
        List<string> problems = [.. lines.Where(line => line != "ok")];
        if (broken > 0)
            problems.Add(string.Create(CultureInfo.InvariantCulture, $"{broken} rows refer to rows that do not exist"));
        return problems;
    }
}

/// <summary>The SQL that is specific to SQLite.</summary>
internal sealed class SqliteDialect : SqlDialect
{
    public static SqliteDialect Instance { get; } = new();

    /// <summary>Takes less than half the time of LIKE over 100,000 names, and needs no escaping.</summary>
    public override string Contains(string column, string parameter) => $"instr({column}, {parameter}) > 0";

    /// <inheritdoc/>
    public override string Like(string column, string pattern) => $@"{column} LIKE {pattern} ESCAPE '\'";

    /// <summary>Dapper expands the array into one parameter per value; SQLite allows 32,766.</summary>
    public override string In(string column, string parameter) => $"{column} IN {parameter}";

    /// <summary>2440587.5 is the Julian day of 1970-01-01.</summary>
    public override string Clock => "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)";

    /// <summary>A unary plus makes it an expression (https://www.sqlite.org/queryplanner-ng.html, "Disqualifying terms").</summary>
    public override string Unindexed(string column) => "+" + column;
}
