using System.Collections.Frozen;
using System.Data;
using System.Data.Common;
using System.Net.Sockets;
using Dapper;
using Npgsql;

namespace NzbDav.Catalog.Database.Postgres;

/// <summary>PostgreSQL: a server, which several gateways may use at the same time.</summary>
internal sealed class PostgresEngine : CatalogEngine
{
    /// <summary>Statements that a connection keeps prepared; the catalog has fewer.</summary>
    private const int PreparedStatements = 200;

    /// <summary>Advisory lock held by the process that upgrades the schema: the ASCII letters of "nzbdav".</summary>
    private const long MigrationLock = 0x6E7A_6264_6176;

    /// <summary>Concurrent blob transfers, in each direction.</summary>
    private const int BlobTransfers = 4;

    /// <summary>
    /// Most bytes of a notification; the server allows less than 8,000 (https://www.postgresql.org/docs/15/sql-notify.html).
    /// </summary>
    private const int LargestNotice = 7_900;

    /// <summary>Identifies this process to the other listeners.</summary>
    private readonly string _self = Guid.NewGuid().ToString("N");
    private readonly NpgsqlDataSource _writing;
    private readonly NpgsqlDataSource _reading;
    private readonly NpgsqlDataSource _blobs;
    private readonly string _where;
    private PostgresListener? _listener;

    /// <exception cref="CatalogException">The connection string is not valid.</exception>
    public PostgresEngine(CatalogOptions options)
        : base(options)
    {
        NpgsqlConnectionStringBuilder builder;
        try
        {
            builder = new NpgsqlConnectionStringBuilder(options.Connection);
        }
        catch (Exception error) when (error is ArgumentException or FormatException)
        {
            throw new CatalogException(
                CatalogFault.Unavailable,
                $"Catalog:Connection is no connection string of PostgreSQL: {error.Message} An example: " +
                $"Host=db;Database=nzbdav;Username=nzbdav;Password=…", error);
        }

        builder.Pooling = false;
        builder.MaxAutoPrepare = PreparedStatements;
        builder.AutoPrepareMinUsages = 2;
        builder.ApplicationName ??= "nzbdav";
        if (builder.KeepAlive == 0)
            builder.KeepAlive = 30;
        _where = $"{builder.Host}:{builder.Port}, database {builder.Database ?? builder.Username}";

        // Statements that change the catalog use keys. In a new database, and for foreign-key checks, the server would otherwise keep plans
        // that scan whole tables, because the tables were empty when it made the plans.
        _writing = NpgsqlDataSource.Create(new NpgsqlConnectionStringBuilder(builder.ConnectionString)
        { Options = $"{builder.Options} -c enable_seqscan=off".TrimStart() });
        _reading = NpgsqlDataSource.Create(new NpgsqlConnectionStringBuilder(builder.ConnectionString)
        { Options = $"{builder.Options} -c default_transaction_read_only=on".TrimStart() });
        _blobs = NpgsqlDataSource.Create(new NpgsqlConnectionStringBuilder(builder.ConnectionString)
        { Pooling = true, MinPoolSize = 0, MaxPoolSize = MostBlobConnections });
    }

    /// <summary>Most connections from <see cref="OpenForBlobsAsync"/>.</summary>
    public static int MostBlobConnections => 2 * BlobTransfers;

    /// <summary>Slots for storing blobs.</summary>
    public SemaphoreSlim BlobStores { get; } = new(BlobTransfers, BlobTransfers);

    /// <summary>Slots for fetching blobs. Separate, so that readers do not wait for imports.</summary>
    public SemaphoreSlim BlobFetches { get; } = new(BlobTransfers, BlobTransfers);

    /// <inheritdoc/>
    public override SqlDialect Dialect => PostgresDialect.Instance;

    /// <inheritdoc/>
    public override IReadOnlyList<Migration> Migrations => MigrationRunner.Embedded("Postgres");

    /// <inheritdoc/>
    public override bool Waits => true;

    /// <summary>The stored settings, read once on a separate connection; empty if the database has no catalog.</summary>
    /// <exception cref="CatalogException">They cannot be read.</exception>
    public static IReadOnlyDictionary<string, string> Peek(CatalogOptions options)
    {
        var engine = new PostgresEngine(options);
        try
        {
            using var connection = engine._reading.OpenConnection();
            return connection.Query<(string Key, string Value)>("SELECT key, value FROM settings")
                .ToFrozenDictionary(row => row.Key, row => row.Value, StringComparer.Ordinal);
        }
        catch (PostgresException error) when (error.SqlState == PostgresErrorCodes.UndefinedTable)
        {
            return FrozenDictionary<string, string>.Empty;
        }
        catch (Exception error) when (error is NpgsqlException or SocketException)
        {
            throw engine.Translate(error)
                ?? new CatalogException(CatalogFault.Storage, $"The settings cannot be read: {error.Message}", error);
        }
        finally
        {
            engine._writing.Dispose();
            engine._reading.Dispose();
            engine._blobs.Dispose();
        }
    }

    /// <inheritdoc/>
    public override bool IsLeading => _listener?.IsLeading ?? false;

    /// <inheritdoc/>
    public override DbConnection OpenWriter() => _writing.OpenConnection();

    /// <inheritdoc/>
    public override async ValueTask<DbConnection> OpenReaderAsync(CancellationToken cancellationToken) =>
        await _reading.OpenConnectionAsync(cancellationToken);

    /// <summary>Opens or reuses a connection for a blob transfer. The caller holds a slot.</summary>
    public async ValueTask<NpgsqlConnection> OpenForBlobsAsync(CancellationToken cancellationToken) =>
        await _blobs.OpenConnectionAsync(cancellationToken);

    /// <summary>
    /// Serializable: stores read before they write, and two gateways doing so at once must not both succeed. One of them fails with
    /// <see cref="IsConflict"/> and runs again (https://www.postgresql.org/docs/15/transaction-iso.html#XACT-SERIALIZABLE).
    /// </summary>
    /// <inheritdoc/>
    public override void Begin(DbConnection connection, bool durable = true)
        => connection.Execute(
            durable ? "BEGIN ISOLATION LEVEL SERIALIZABLE" : "BEGIN ISOLATION LEVEL SERIALIZABLE; SET LOCAL synchronous_commit TO off");

    /// <inheritdoc/>
    public override void Save(DbConnection connection) => connection.Execute("SAVEPOINT work");

    /// <inheritdoc/>
    public override void Release(DbConnection connection, bool keep) =>
        connection.Execute(keep ? "RELEASE work" : "ROLLBACK TO work; RELEASE work");

    /// <summary>The server ends a transaction by itself only when the connection ends.</summary>
    /// <inheritdoc/>
    public override bool IsInTransaction(DbConnection connection) => connection.State == ConnectionState.Open;

    /// <inheritdoc/>
    public override void Commit(DbConnection connection, IReadOnlyCollection<CatalogNotice> notices)
    {
        // The server delivers these after the commit, in commit order.
        foreach (var notice in CatalogNotice.Pack(_self, notices, LargestNotice))
            connection.Execute($"SELECT pg_notify('{PostgresListener.ChannelPrefix}' || current_schema(), @notice)", new { notice });
        connection.Execute("COMMIT");
    }

    /// <inheritdoc/>
    public override bool RollBack(DbConnection connection)
    {
        try
        {
            connection.Execute("ROLLBACK");
            return true;
        }
        catch (Exception error) when (error is NpgsqlException or InvalidOperationException)
        {
            return false;
        }
    }

    /// <summary>
    /// A hash of the snapshot (ended and running transactions), which every write transaction changes when it begins and ends.
    /// </summary>
    /// <inheritdoc/>
    public override async ValueTask<long> DataVersionAsync(CatalogReader reader) =>
        await reader.ScalarAsync<long>("SELECT hashtextextended(pg_current_snapshot()::text, 0)");

    /// <summary>
    /// Runs outside the transaction: inside, waiting for the lock would fix the snapshot before the others have committed.
    /// </summary>
    /// <inheritdoc/>
    public override void LockSchema(DbConnection connection) => connection.Execute($"SELECT pg_advisory_lock({MigrationLock})");

    /// <inheritdoc/>
    public override void UnlockSchema(DbConnection connection)
    {
        // The lock ends with the connection at the latest.
        if (connection.State == ConnectionState.Open)
            connection.Execute($"SELECT pg_advisory_unlock({MigrationLock})");
    }

    /// <inheritdoc/>
    public override void PrepareMigrations(DbConnection connection) => connection.Execute(
        "CREATE SEQUENCE IF NOT EXISTS openings AS BIGINT; " +
        "CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL, applied BIGINT NOT NULL)");

    /// <inheritdoc/>
    public override long CountOpening(DbConnection connection) => connection.ExecuteScalar<long>("SELECT nextval('openings')");

    /// <summary>
    /// Locking a table is not a query and takes no snapshot, so the transaction sees everything that was committed while it waited.
    /// </summary>
    /// <inheritdoc/>
    public override void LockReferences(DbConnection connection, bool alone) =>
        connection.Execute(alone ? "LOCK TABLE blob_lock IN EXCLUSIVE MODE" : "LOCK TABLE blob_lock IN ROW EXCLUSIVE MODE");

    /// <summary>The server verifies pages as it reads them, so this reads every table.</summary>
    /// <inheritdoc/>
    public override async ValueTask<IReadOnlyList<string>> ProblemsAsync(CatalogReader reader)
    {
        var problems = new List<string>();
        foreach (var table in await reader.AllAsync<string>(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' ORDER " +
            "BY table_name"))
        {
            try
            {
                await reader.ScalarAsync<long>($"SELECT COUNT(*) FROM \"{table}\" AS one WHERE one IS NOT NULL");
            }
            catch (PostgresException error) when (error.SqlState.StartsWith("XX", StringComparison.Ordinal))
            {
                problems.Add($"{table}: {error.MessageText}");
            }
        }

        return problems;
    }

    /// <summary>
    /// Includes broken constraints: another transaction may have added or removed a row after this one checked for it. The next run sees
    /// that row (https://www.postgresql.org/docs/15/mvcc-serialization-failure-handling.html).
    /// </summary>
    /// <inheritdoc/>
    public override bool IsConflict(Exception error) => error is PostgresException
    {
        SqlState: PostgresErrorCodes.SerializationFailure or PostgresErrorCodes.DeadlockDetected or PostgresErrorCodes.UniqueViolation
            or PostgresErrorCodes.ForeignKeyViolation,
    };

    /// <inheritdoc/>
    public override bool IsLost(Exception error) => error switch
    {
        PostgresException
        {
            SqlState: PostgresErrorCodes.AdminShutdown or PostgresErrorCodes.CrashShutdown or PostgresErrorCodes.IdleSessionTimeout
        } => true,
        PostgresException => false,

        // A statement that timed out would take as long on another connection.
        NpgsqlException { InnerException: TimeoutException } => false,
        NpgsqlException => true,
        _ => false,
    };

    /// <inheritdoc/>
    public override CatalogException? Translate(Exception error) => error switch
    {
        // https://www.postgresql.org/docs/15/errcodes-appendix.html
        PostgresException { SqlState: "40001" or "40P01" or "55P03" } e =>
            new(CatalogFault.Busy, $"Other gateways kept changing the same rows of {_where}. Try again.", e),
        PostgresException { SqlState: "53100" } e => new(CatalogFault.DiskFull,
            $"The disk of the database server ({_where}) is full. Free some space; nothing that was committed is lost.", e),
        PostgresException { SqlState: "XX001" or "XX002" } e =>
            new(CatalogFault.Corrupt, $"The database ({_where}) is damaged: {e.MessageText}. Put back a backup of the server.", e),
        PostgresException { SqlState: "58030" } e => new(CatalogFault.Storage,
            $"The disk of the database server ({_where}) reported an error: {e.MessageText}. Check the disk and the server's log.", e),
        PostgresException { SqlState: "25006" or "42501" } e =>
            new(CatalogFault.NotWritable,
            $"The database ({_where}) cannot be written: {e.MessageText}. Check that it is no standby, and that the user owns the " +
            $"database.", e),
        PostgresException { SqlState: "28P01" or "28000" } e => new(CatalogFault.Unavailable,
            $"The database server ({_where}) refused the login: {e.MessageText}. Check user and password in Catalog:Connection.", e),
        PostgresException { SqlState: "3D000" } e =>
            new(CatalogFault.Unavailable, $"The database server ({_where}) has no such database. Create it: CREATE DATABASE nzbdav.", e),
        PostgresException e when e.IsTransient || e.SqlState.StartsWith("57P", StringComparison.Ordinal) || e.SqlState.StartsWith("53",
            StringComparison.Ordinal) => new(CatalogFault.Unavailable, $"The database server ({_where}) is not ready: {e.MessageText}.", e),
        PostgresException => null,
        NpgsqlException { InnerException: TimeoutException } e =>
            new(CatalogFault.Unavailable, $"The database server ({_where}) did not answer in time.", e),
        NpgsqlException { InnerException: SocketException or IOException or null } e =>
            new(CatalogFault.Unavailable, $"The database server ({_where}) cannot be reached: {e.Message}.", e),
        SocketException e => new(CatalogFault.Unavailable, $"The database server ({_where}) cannot be reached: {e.Message}.", e),
        _ => null,
    };

    /// <inheritdoc/>
    public override async ValueTask ListenAsync(
        Action<IReadOnlyList<CatalogNotice>> onNotices, Action onNoticesLost, TimeProvider time, CancellationToken cancellationToken) =>
        _listener = await PostgresListener.BeginAsync(_reading, _self, onNotices, onNoticesLost, time, cancellationToken);

    /// <inheritdoc/>
    public override async ValueTask DisposeAsync()
    {
        if (_listener is not null)
            await _listener.DisposeAsync();
        await _writing.DisposeAsync();
        await _reading.DisposeAsync();
        await _blobs.DisposeAsync();
        BlobStores.Dispose();
        BlobFetches.Dispose();
        await base.DisposeAsync();
    }
}

/// <summary>The SQL that is specific to PostgreSQL.</summary>
internal sealed class PostgresDialect : SqlDialect
{
    public static PostgresDialect Instance { get; } = new();

    /// <inheritdoc/>
    public override string SkipLocked => " FOR UPDATE SKIP LOCKED";

    /// <summary>The current time, not the start of the transaction. 1970 is 621,355,968,000,000,000 ticks.</summary>
    /// <inheritdoc/>
    public override string Now => "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 10000000 AS BIGINT) + 621355968000000000";

    /// <inheritdoc/>
    public override string Clock => "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)";

    /// <inheritdoc/>
    public override string Contains(string column, string parameter) => $"strpos({column}, {parameter}) > 0";

    /// <inheritdoc/>
    public override string In(string column, string parameter) => $"{column} = ANY({parameter})";

    /// <inheritdoc/>
    public override string Like(string column, string pattern) => $@"{column} ILIKE {pattern} ESCAPE '\'";
}
