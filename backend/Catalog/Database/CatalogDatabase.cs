using System.Data.Common;

namespace NzbDav.Catalog.Database;

/// <summary>
/// The catalog database: one writer and several readers, which never block each other. Reads from SQLite take microseconds and run on the
/// caller's thread; reads from a server are awaited. Writes wait for the disk and run on the writer's thread (<see cref="CatalogWriter"/>).
/// Thread-safe; other processes may use the same database at the same time.
/// </summary>
public sealed class CatalogDatabase : IAsyncDisposable
{
    private readonly SemaphoreSlim _readSlots;
    private readonly Lock _gate = new();
    private readonly Stack<DbConnection> _idle = new();
    private readonly CatalogWriter _writer;
    private long _reads;
    private bool _disposed;

    /// <param name="engine">The engine; disposed with this.</param>
    /// <param name="time">Clock.</param>
    /// <param name="writer">The write connection; disposed with this.</param>
    /// <param name="opening">Number of this opening: <see cref="CatalogIds"/>.</param>
    internal CatalogDatabase(CatalogEngine engine, TimeProvider time, DbConnection writer, long opening)
    {
        Engine = engine;
        Time = time;
        Ids = new CatalogIds(time, opening);
        _readSlots = new SemaphoreSlim(Options.ReadConnections, Options.ReadConnections);
        _writer = new CatalogWriter(this, writer);
    }

    /// <summary>The options that it was opened with.</summary>
    public CatalogOptions Options => Engine.Options;

    /// <summary>
    /// True if this process does the work that only one of the processes sharing this catalog has to do, such as scheduled checks. Another
    /// takes over within seconds after it ends. Always true with SQLite. Two processes may be leading for half a minute when a gateway
    /// loses its connection without noticing, so such work must tolerate running twice.
    /// </summary>
    public bool IsLeading => Engine.IsLeading;

    /// <summary>The schema upgrade made on opening; null if the schema was current or the database is new.</summary>
    public CatalogUpgrade? Upgrade { get; internal init; }

    internal CatalogEngine Engine { get; }

    internal TimeProvider Time { get; }

    internal CatalogIds Ids { get; }

    /// <summary>Called before each statement of a write transaction: lets tests fail or crash at any point.</summary>
    internal Action<string>? BeforeStatement { get; set; }

    /// <summary>Number of reads: lets tests see that a cache avoids queries.</summary>
    internal long Reads => Interlocked.Read(ref _reads);

    /// <summary>Raised after a commit of this process, before the writer's call returns.</summary>
    internal event Action<CatalogTransaction>? Committed;

    /// <summary>Raised with what another process committed; handlers must return quickly.</summary>
    internal event Action<IReadOnlyList<CatalogNotice>>? NoticesReceived;

    /// <summary>
    /// Raised when changes by other processes may have been missed: everything cached from the catalog may be stale. Handlers must return
    /// quickly.
    /// </summary>
    internal event Action? NoticesLost;

    /// <summary>Reads the whole database and lists what is wrong with it; empty if it is sound. Takes seconds on a large one.</summary>
    public async Task<IReadOnlyList<string>> CheckIntegrityAsync(CancellationToken cancellationToken)
        => await ReadAsync(Engine.ProblemsAsync, cancellationToken);

    /// <summary>Writes and commits a test value to check that the database is usable now.</summary>
    /// <exception cref="CatalogException">It is not usable; the message says why.</exception>
    public Task ProbeAsync(CancellationToken cancellationToken) => WriteAsync(
        static transaction => transaction.Execute(
            "INSERT INTO versions (name, value) VALUES ('probe', 1) ON CONFLICT (name) DO UPDATE SET value = versions.value + 1"),
        cancellationToken);

    /// <summary>Completes the queued writes, then closes everything.</summary>
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
        }

        await Engine.DisposeAsync();
    }

    /// <summary>A number that changes whenever any connection, of this process or another, commits.</summary>
    internal ValueTask<long> DataVersionAsync(CancellationToken cancellationToken) =>
        QueryAsync(Engine.DataVersionAsync, cancellationToken);

    /// <summary>
    /// Runs <paramref name="read"/> on a pooled connection. It must be short and must not keep the reader; it is called again if an idle
    /// connection turns out to be lost. With SQLite it runs on the caller's thread and is complete when the call returns, unless all
    /// connections are in use.
    /// </summary>
    internal ValueTask<T> ReadAsync<T>(Func<CatalogReader, ValueTask<T>> read, CancellationToken cancellationToken)
    {
        Interlocked.Increment(ref _reads);
        return QueryAsync(read, cancellationToken);
    }

    private async ValueTask<T> QueryAsync<T>(Func<CatalogReader, ValueTask<T>> read, CancellationToken cancellationToken)
    {
        await _readSlots.WaitAsync(cancellationToken);
        try
        {
            while (true)
            {
                var idle = Idle();
                var connection = idle ?? await Engine.OpenReaderAsync(cancellationToken);
                var sound = false;
                try
                {
                    var result = await read(new CatalogReader(connection, Engine.Waits, cancellationToken));
                    sound = true;
                    return result;
                }
                catch (Exception error) when (idle is not null && Engine.IsLost(error))
                {
                    // The server was restarted meanwhile. Each idle connection is tried once.
                }
                finally
                {
                    Return(connection, sound);
                }
            }
        }
        catch (Exception error)
        {
            if (Engine.Translate(error) is { } known)
                throw known;
            throw;
        }
        finally
        {
            _readSlots.Release();
        }
    }

    /// <inheritdoc cref="WriteAsync{T}(Func{CatalogTransaction, T}, WriteKind, CancellationToken)"/>
    internal Task<T> WriteAsync<T>(Func<CatalogTransaction, T> write, CancellationToken cancellationToken) =>
        WriteAsync(write, WriteKind.Durable, cancellationToken);

    /// <summary>
    /// Runs <paramref name="write"/> on the writer's thread in a transaction that holds the write lock. Commits unless it was abandoned or
    /// threw. May run again if another request rolled the transaction back, so it must change nothing but the database.
    /// </summary>
    /// <param name="write">Statements only; must not wait.</param>
    /// <param name="kind">How the write is committed before the task completes.</param>
    /// <param name="cancellationToken">Cancels the wait for its turn.</param>
    internal Task<T> WriteAsync<T>(Func<CatalogTransaction, T> write, WriteKind kind, CancellationToken cancellationToken) =>
        _writer.WriteAsync(write, kind, cancellationToken);

    /// <inheritdoc cref="CatalogEngine.ListenAsync"/>
    internal ValueTask ListenAsync(CancellationToken cancellationToken) =>
        Engine.ListenAsync(notices => NoticesReceived?.Invoke(notices), () => NoticesLost?.Invoke(), Time, cancellationToken);

    /// <summary>Notifies caches of a commit. Runs on the writer's thread.</summary>
    internal void Announce(CatalogTransaction transaction) => Committed?.Invoke(transaction);

    internal ValueTask<long> VersionAsync(string scope, CancellationToken cancellationToken) => ReadAsync(
        reader => reader.ScalarAsync<long>("SELECT value FROM versions WHERE name = @scope", new { scope }), cancellationToken);

    private DbConnection? Idle()
    {
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_disposed, this);
            return _idle.TryPop(out var idle) ? idle : null;
        }
    }

    /// <summary>Closes the connection after an exception, because its state is unknown.</summary>
    private void Return(DbConnection connection, bool sound)
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

/// <summary>An upgrade of an existing database to a newer schema. It cannot be undone.</summary>
/// <param name="From">The schema before.</param>
/// <param name="To">The schema after.</param>
/// <param name="Backup">The file with the state before; null with a database server, which has its own backups.</param>
public sealed record CatalogUpgrade(int From, int To, string? Backup);
