using System.Data.Common;

namespace NzbDav.Catalog.Database;

/// <summary>
/// The database of the catalog: one writer at a time and several readers, which never block each other. Reads of an engine in this process
/// take microseconds and run on the caller's thread; those of a server are awaited. Writes wait for the disk and run on the writer's thread
/// (<see cref="CatalogWriter"/>). Thread-safe; other processes may use the same database at the same time.
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
    /// <param name="writer">The connection that writes; disposed with this.</param>
    /// <param name="opening">Number of this opening: <see cref="CatalogIds"/>.</param>
    internal CatalogDatabase(CatalogEngine engine, TimeProvider time, DbConnection writer, long opening)
    {
        Engine = engine;
        Time = time;
        Ids = new CatalogIds(time, opening);
        _readSlots = new SemaphoreSlim(Options.ReadConnections, Options.ReadConnections);
        _writer = new CatalogWriter(this, writer);
    }

    /// <summary>How it was opened.</summary>
    public CatalogOptions Options => Engine.Options;

    /// <summary>
    /// True if this process does the work that only one of all processes with this catalog has to do, such as checks on a schedule. Another
    /// takes over within seconds after it ends. Always true with SQLite. Two may be true for half a minute when a gateway loses its
    /// connection without noticing, so the work must stand being done twice.
    /// </summary>
    public bool IsLeading => Engine.IsLeading;

    /// <summary>The schema upgrade made by opening it; null if it had the newest schema or is new.</summary>
    public CatalogUpgrade? Upgrade { get; internal init; }

    internal CatalogEngine Engine { get; }

    internal TimeProvider Time { get; }

    internal CatalogIds Ids { get; }

    /// <summary>Called before each statement of a write transaction: lets tests fail or die at every point.</summary>
    internal Action<string>? BeforeStatement { get; set; }

    /// <summary>Number of reads: lets tests see that a cache avoids queries.</summary>
    internal long Reads => Interlocked.Read(ref _reads);

    /// <summary>Raised after a commit of this process, before the writer's call returns.</summary>
    internal event Action<CatalogTransaction>? Committed;

    /// <summary>Raised with what another process committed; handlers must return quickly.</summary>
    internal event Action<IReadOnlyList<CatalogNotice>>? NoticesReceived;

    /// <summary>Raised when changes by other processes may have gone unheard: all that is kept of the catalog may be out of date. Handlers
    /// must return quickly.</summary>
    internal event Action? NoticesLost;

    /// <summary>Reads the whole file and names what is wrong with it; empty if it is sound. Takes seconds on a large file.</summary>
    public async Task<IReadOnlyList<string>> CheckIntegrityAsync(CancellationToken cancellationToken)
        => await ReadAsync(Engine.ProblemsAsync, cancellationToken);

    /// <summary>Reads and commits a test value to check that the database is usable now.</summary>
    /// <exception cref="CatalogException">It is not; the message says why.</exception>
    public Task ProbeAsync(CancellationToken cancellationToken) => WriteAsync(
        static transaction => transaction.Execute(
            "INSERT INTO versions (name, value) VALUES ('probe', 1) ON CONFLICT (name) DO UPDATE SET value = versions.value + 1"),
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
        }

        await Engine.DisposeAsync();
    }

    /// <summary>A number that differs from an earlier one if any connection, of this process or another, committed in between.</summary>
    internal ValueTask<long> DataVersionAsync(CancellationToken cancellationToken) =>
        QueryAsync(Engine.DataVersionAsync, cancellationToken);

    /// <summary>
    /// Runs <paramref name="read"/> on a connection of the pool. It must be short and must not keep the reader; it is called again if a
    /// connection that was kept open turns out to be lost. With an engine in this process it runs on the caller's thread and is complete
    /// when the call returns, unless all connections are in use.
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
                    // The server was restarted meanwhile. Each such connection is tried once.
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
    /// Runs <paramref name="write"/> on the writer's thread in a transaction that holds the write lock, and commits unless it was abandoned
    /// or threw. It is called again if the transaction was rolled back because of another request, so it must change nothing but the
    /// database.
    /// </summary>
    /// <param name="write">Statements; nothing that waits.</param>
    /// <param name="kind">How it is committed when the task completes.</param>
    /// <param name="cancellationToken">Cancels the wait for its turn.</param>
    internal Task<T> WriteAsync<T>(Func<CatalogTransaction, T> write, WriteKind kind, CancellationToken cancellationToken) =>
        _writer.WriteAsync(write, kind, cancellationToken);

    /// <inheritdoc cref="CatalogEngine.ListenAsync"/>
    internal ValueTask ListenAsync(CancellationToken cancellationToken) =>
        Engine.ListenAsync(notices => NoticesReceived?.Invoke(notices), () => NoticesLost?.Invoke(), Time, cancellationToken);

    /// <summary>Notifies caches of a commit, on the writer's thread.</summary>
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

    /// <summary>After an exception the connection is closed: whatever state it is in, the next reader gets a fresh one.</summary>
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

/// <summary>An existing database was brought to a newer schema, for which there is no way back.</summary>
/// <param name="From">The schema that it had.</param>
/// <param name="To">The schema that it has.</param>
/// <param name="Backup">The file with the state before; null: the database server has its own backups.</param>
public sealed record CatalogUpgrade(int From, int To, string? Backup);
