using System.Globalization;
using Dapper;
using Microsoft.Data.Sqlite;

namespace NzbDav.Catalog;

/// <summary>
/// The database of the catalog: one writer at a time, several readers, never in each other's way. Reads take microseconds and run on the caller's thread; writes wait
/// for the disk and run on the writer's (<see cref="CatalogWriter"/>). Thread-safe; other processes may use the same file at the same time.
/// </summary>
public sealed class CatalogDatabase : IAsyncDisposable
{
    private readonly SemaphoreSlim _readSlots;
    private readonly Lock _gate = new();
    private readonly Stack<SqliteConnection> _idle = new();
    private readonly SqliteConnection _watcher;
    private readonly CatalogWriter _writer;
    private long _reads;
    private bool _disposed;

    private CatalogDatabase(CatalogOptions options, TimeProvider time, SqliteConnection writer)
    {
        Options = options;
        Time = time;
        Ids = new CatalogIds(time);
        _readSlots = new SemaphoreSlim(options.ReadConnections, options.ReadConnections);
        _watcher = SqliteEngine.Open(options, writable: false);
        _writer = new CatalogWriter(this, writer);
    }

    /// <summary>The version of the database engine.</summary>
    public static string EngineVersion => SqliteEngine.Version;

    /// <summary>How it was opened.</summary>
    public CatalogOptions Options { get; }

    /// <summary>What opening it changed for good; null if it had the newest schema, or is new.</summary>
    public CatalogUpgrade? Upgrade { get; private init; }

    internal TimeProvider Time { get; }

    internal CatalogIds Ids { get; }

    /// <summary>Called before each statement of a write transaction: lets tests fail or die at every point.</summary>
    internal Action<string>? BeforeStatement { get; set; }

    /// <summary>How many times something was read: lets tests see that a cache saves the question.</summary>
    internal long Reads => Interlocked.Read(ref _reads);

    /// <summary>Raised after a commit of this process, before the writer's call returns.</summary>
    internal event Action<CatalogTransaction>? Committed;

    /// <summary>Opens the database, makes it if it is missing, and brings it to the newest schema.</summary>
    /// <exception cref="CatalogException">It cannot be opened; the message says why and what to do.</exception>
    public static Task<CatalogDatabase> OpenAsync(CatalogOptions options, TimeProvider time, CancellationToken cancellationToken)
        => OpenAsync(options, time, MigrationRunner.Embedded(), cancellationToken);

    internal static Task<CatalogDatabase> OpenAsync(
        CatalogOptions options, TimeProvider time, IReadOnlyList<Migration> migrations, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(time);
        if (options.ReadConnections < 1)
            throw new ArgumentException("At least one connection must read.", nameof(options));
        return Task.Run(() => Open(options, time, migrations), cancellationToken);
    }

    /// <summary>A number that differs from an earlier one if any connection, of this process or another, committed in between.</summary>
    public long DataVersion()
    {
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_disposed, this);
            return Translated(static connection => SqliteEngine.DataVersion(connection), _watcher);
        }
    }

    /// <summary>Reads the whole file and names what is wrong with it; empty if it is sound. Takes seconds on a large file.</summary>
    public async Task<IReadOnlyList<string>> CheckIntegrityAsync(CancellationToken cancellationToken)
        => await ReadAsync(SqliteEngine.Problems, cancellationToken);

    /// <summary>Reads and commits something that nobody looks at: tells whether that is possible now.</summary>
    /// <exception cref="CatalogException">It is not; the message says why.</exception>
    public Task ProbeAsync(CancellationToken cancellationToken) => WriteAsync(
        static transaction => transaction.Execute("INSERT INTO versions (name, value) VALUES ('probe', 1) ON CONFLICT (name) DO UPDATE SET value = versions.value + 1"),
        cancellationToken);

    /// <summary>Writes what waits to be written, then closes everything.</summary>
    public async ValueTask DisposeAsync()
    {
        await _writer.DisposeAsync();
        lock (_gate)
        {
            if (_disposed)
                return;
            _disposed = true;
            while (_idle.TryPop(out var reader))
                reader.Dispose();
            _watcher.Dispose();
        }
    }

    /// <summary>Runs <paramref name="read"/> on a connection of the pool. It must be short and must not keep the connection.</summary>
    internal async ValueTask<T> ReadAsync<T>(Func<SqliteConnection, T> read, CancellationToken cancellationToken)
    {
        Interlocked.Increment(ref _reads);
        await _readSlots.WaitAsync(cancellationToken);
        try
        {
            var connection = Rent();
            var sound = false;
            try
            {
                var result = Translated(read, connection);
                sound = true;
                return result;
            }
            finally
            {
                Return(connection, sound);
            }
        }
        finally
        {
            _readSlots.Release();
        }
    }

    /// <inheritdoc cref="WriteAsync{T}(Func{CatalogTransaction, T}, WriteKind, CancellationToken)"/>
    internal Task<T> WriteAsync<T>(Func<CatalogTransaction, T> write, CancellationToken cancellationToken) => WriteAsync(write, WriteKind.Durable, cancellationToken);

    /// <summary>
    /// Runs <paramref name="write"/> on the writer's thread in a transaction that holds the write lock, and commits unless it was abandoned or threw. It is called again if the
    /// transaction was rolled back for what another did, so it must change nothing but the database.
    /// </summary>
    /// <param name="write">Statements; nothing that waits.</param>
    /// <param name="kind">What has become of it when the task completes.</param>
    /// <param name="cancellationToken">Gives up waiting for its turn.</param>
    internal Task<T> WriteAsync<T>(Func<CatalogTransaction, T> write, WriteKind kind, CancellationToken cancellationToken) => _writer.WriteAsync(write, kind, cancellationToken);

    /// <summary>Tells caches of a commit, on the writer's thread.</summary>
    internal void Announce(CatalogTransaction transaction) => Committed?.Invoke(transaction);

    internal ValueTask<long> VersionAsync(string scope, CancellationToken cancellationToken) => ReadAsync(
        connection => connection.ExecuteScalar<long>("SELECT value FROM versions WHERE name = @scope", new { scope }), cancellationToken);

    private static CatalogDatabase Open(CatalogOptions options, TimeProvider time, IReadOnlyList<Migration> migrations)
    {
        try
        {
            Directory.CreateDirectory(options.ConfigFolder);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw FileFaults.WhileWriting(error, options.ConfigFolder);
        }

        CatalogRestore.CompleteInterrupted(options.ConfigFolder);
        SqliteConnection? writer = null;
        try
        {
            writer = SqliteEngine.Open(options, writable: true);
            CatalogUpgrade? upgrade = null;
            new MigrationRunner(migrations, time).Run(writer, (from, to) =>
            {
                upgrade = new CatalogUpgrade(from, to, BackUp(options, time, from, to));
            });
            return new CatalogDatabase(options, time, writer) { Upgrade = upgrade };
        }
        catch (Exception error)
        {
            writer?.Dispose();
            if (error is SqliteException engine && SqliteEngine.Translate(engine, options) is { } known)
                throw known;
            throw;
        }
    }

    /// <summary>There is no way back from a newer schema but this backup: without it nothing is upgraded.</summary>
    /// <returns>The path of the backup.</returns>
    private static string BackUp(CatalogOptions options, TimeProvider time, int from, int to)
    {
        try
        {
            return Path.Combine(options.BackupFolder, new CatalogBackup(options, time).Create(BackupReason.Upgrade, CancellationToken.None).Name);
        }
        catch (CatalogException error)
        {
            throw new CatalogException(
                error.Fault,
                string.Create(CultureInfo.InvariantCulture, $"The catalog has to be upgraded from schema {from} to {to}, and the backup before that could not be made. Nothing was changed. {error.Message}"),
                error);
        }
    }

    private T Translated<T>(Func<SqliteConnection, T> work, SqliteConnection connection)
    {
        try
        {
            return work(connection);
        }
        catch (SqliteException error)
        {
            if (SqliteEngine.Translate(error, Options) is { } known)
                throw known;
            throw;
        }
    }

    private SqliteConnection Rent()
    {
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_disposed, this);
            if (_idle.TryPop(out var idle))
                return idle;
        }

        return Translated(_ => SqliteEngine.Open(Options, writable: false), _watcher);
    }

    /// <summary>After an exception the connection is closed: whatever state it is in, the next reader gets a fresh one.</summary>
    private void Return(SqliteConnection connection, bool sound)
    {
        lock (_gate)
        {
            if (sound && !_disposed)
                _idle.Push(connection);
            else
                connection.Dispose();
        }
    }
}
