using System.Threading.Channels;
using Microsoft.Data.Sqlite;

namespace NzbDav.Catalog;

/// <summary>
/// The thread that writes. What waits when it is free goes into one transaction, a savepoint each, and is made durable by one commit: ten writers wait for the disk once. Nobody
/// else's thread ever waits for the disk or for another process's lock. Thread-safe.
/// </summary>
internal sealed class CatalogWriter : IAsyncDisposable
{
    /// <summary>Bound of the queue. Behind it writers wait without a thread, so that memory does not grow with what is asked for.</summary>
    private const int MostWaiting = 256;

    /// <summary>Writes in one transaction.</summary>
    private const int MostTogether = 64;

    /// <summary>After this long a transaction takes nobody else in: the first of it waits for its commit.</summary>
    private static readonly TimeSpan LongestBatch = TimeSpan.FromMilliseconds(10);

    private readonly CatalogDatabase _database;
    private readonly WalCheckpointer _checkpointer;
    private readonly Channel<WriteRequest> _requests = Channel.CreateBounded<WriteRequest>(new BoundedChannelOptions(MostWaiting) { SingleReader = true });
    private readonly SemaphoreSlim _arrived = new(0);
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private WriteRequest? _next;
    private SqliteConnection? _connection;

    /// <param name="database">Whose settings, hooks and events apply.</param>
    /// <param name="connection">For writing; the writer's from now on.</param>
    public CatalogWriter(CatalogDatabase database, SqliteConnection connection)
    {
        _database = database;
        _connection = connection;
        _checkpointer = new WalCheckpointer(database.Options, database.Time);
        new Thread(Work) { IsBackground = true, Name = "catalog writer" }.Start();
    }

    /// <exception cref="ObjectDisposedException">The database was closed.</exception>
    public async Task<T> WriteAsync<T>(Func<CatalogTransaction, T> work, WriteKind kind, CancellationToken cancellationToken)
    {
        var request = new WriteRequest<T>(work, kind);
        try
        {
            await _requests.Writer.WriteAsync(request, cancellationToken);
        }
        catch (ChannelClosedException e)
        {
            throw new ObjectDisposedException($"{nameof(CatalogDatabase)} is closed.", e);
        }

        _arrived.Release();
        await using (cancellationToken.UnsafeRegister(static (state, token) => ((WriteRequest<T>)state!).Cancel(token), request))
            return await request.Done;
    }

    /// <summary>Writes what waits, then closes the connection.</summary>
    public async ValueTask DisposeAsync()
    {
        if (_requests.Writer.TryComplete())
            _arrived.Release();
        await _ended.Task;
        await _checkpointer.DisposeAsync();
    }

    private void Work()
    {
        while (Next(wait: true) is { } first)
            CommitTogether(first);
        _connection?.Dispose();
        _ended.SetResult();
    }

    /// <summary>The next that was not cancelled; null when nothing waits, or at the end.</summary>
    private WriteRequest? Next(bool wait)
    {
        while (true)
        {
            if (Interlocked.Exchange(ref _next, null) is { } carried)
                return carried;
            if (wait)
                _arrived.Wait();
            else if (!_arrived.Wait(0))
                return null;
            if (!_requests.Reader.TryRead(out var request))
            {
                // The count beyond the last request tells of the end; it stays for whoever looks again.
                _arrived.Release();
                return null;
            }

            if (request.TryBegin())
                return request;
        }
    }

    /// <summary>The next that may join a transaction; one that may not is kept for the next transaction.</summary>
    private WriteRequest? NextFor(WriteRequest first)
    {
        if (first.Kind == WriteKind.Alone || Next(wait: false) is not { } next)
            return null;
        if (next.Kind != WriteKind.Alone && (next.Kind == WriteKind.Relaxed || first.Kind == WriteKind.Durable))
            return next;
        _next = next;
        return null;
    }

    private void CommitTogether(WriteRequest first)
    {
        var batch = new List<WriteRequest> { first };
        if (!TryCommit(batch, mayGrow: true))
        {
            // All of it was rolled back for what one of them did: each for itself now.
            foreach (var request in batch.Where(request => request.Fault is null))
                TryCommit([request], mayGrow: false);
        }

        foreach (var request in batch)
        {
            if (request.IsKept)
                Announce(request);
            request.Complete();
        }
    }

    /// <returns>False if nothing is committed and some of the batch did nothing wrong.</returns>
    private bool TryCommit(List<WriteRequest> batch, bool mayGrow)
    {
        try
        {
            var connection = _connection ??= SqliteEngine.Open(_database.Options, writable: true);
            SqliteEngine.Begin(connection, durable: batch[0].Kind != WriteKind.Relaxed);
            var began = _database.Time.GetTimestamp();
            for (var next = batch[0]; next is not null;)
            {
                if (!TryRun(connection, next))
                    return batch.Count == 1;
                next = mayGrow && batch.Count < MostTogether && _database.Time.GetElapsedTime(began) < LongestBatch ? NextFor(batch[0]) : null;
                if (next is not null)
                    batch.Add(next);
            }

            if (!batch.Exists(request => request.IsKept))
            {
                RollBack(connection);
                return true;
            }

            _database.BeforeStatement?.Invoke("COMMIT");
            SqliteEngine.Commit(connection);
            _checkpointer.Committed(connection);
            return true;
        }
        catch (Exception error)
        {
            return Failed(batch, error);
        }
    }

    /// <returns>False if it took the whole transaction with it.</returns>
    private bool TryRun(SqliteConnection connection, WriteRequest request)
    {
        SqliteEngine.Save(connection);
        request.Transaction = new CatalogTransaction(connection, _database.BeforeStatement);
        try
        {
            request.Run(request.Transaction);
        }
        catch (Exception error)
        {
            request.Fault = Translated(error);
            if (IsOfTheDisk(request.Fault))
                Discard();
        }

        if (_connection is null || !SqliteEngine.IsInTransaction(connection))
        {
            request.Fault ??= new InvalidOperationException("The work ended the transaction that it was part of.");
            return false;
        }

        SqliteEngine.Release(connection, request.IsKept);
        return true;
    }

    private bool Failed(List<WriteRequest> batch, Exception error)
    {
        var fault = Translated(error);
        if (IsOfTheDisk(fault))
            Discard();
        else if (_connection is { } connection)
            RollBack(connection);

        // What one of them needs may be too much where the others still fit.
        if (batch.Count > 1 && fault is CatalogException { Fault: CatalogFault.DiskFull })
            return false;
        foreach (var request in batch)
            request.Fault ??= fault;
        return true;
    }

    private void RollBack(SqliteConnection connection)
    {
        if (!SqliteEngine.RollBack(connection))
            Discard();
    }

    /// <summary>The disk misbehaved in the middle of a transaction, or it cannot be rolled back: the next gets another connection.</summary>
    private void Discard()
    {
        _connection?.Dispose();
        _connection = null;
    }

    private void Announce(WriteRequest request)
    {
        try
        {
            _database.Announce(request.Transaction!);
        }
        catch (Exception error)
        {
            // It is committed; but whoever asked for it learns that not everybody could be told.
            request.Fault = error;
        }
    }

    private Exception Translated(Exception error) =>
        error is SqliteException engine && SqliteEngine.Translate(engine, _database.Options) is { } known ? known : error;

    private static bool IsOfTheDisk(Exception error) => error is CatalogException { Fault: CatalogFault.Corrupt or CatalogFault.Storage or CatalogFault.NotWritable };
}
