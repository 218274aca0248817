using System.Data.Common;
using System.Threading.Channels;
using Polly;
using Polly.Retry;

namespace NzbDav.Catalog.Database;

/// <summary>
/// The writer thread. Requests that are queued when it is free share one transaction, with a savepoint each, and one durable commit: ten
/// writers wait for the disk once. No other thread waits for the disk or for another process's lock. Thread-safe.
/// </summary>
internal sealed class CatalogWriter : IAsyncDisposable
{
    /// <summary>Queue limit. When it is reached, writers wait asynchronously, which bounds memory.</summary>
    private const int MostWaiting = 256;

    /// <summary>Most requests in one transaction.</summary>
    private const int MaxBatch = 64;

    /// <summary>Retries of a transaction that conflicts with those of other gateways: about two seconds in all.</summary>
    private const int MostConflicts = 25;

    /// <summary>A transaction accepts no further requests after this time, because its first request waits for the commit.</summary>
    private static readonly TimeSpan LongestBatch = TimeSpan.FromMilliseconds(10);

    private readonly CatalogDatabase _database;
    private readonly CatalogEngine _engine;
    private readonly Channel<WriteRequest> _requests = Channel.CreateBounded<WriteRequest>(
        new BoundedChannelOptions(MostWaiting) { SingleReader = true });
    private readonly SemaphoreSlim _arrived = new(0);
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly ResiliencePipeline _retry;
    private WriteRequest? _next;
    private DbConnection? _connection;

    /// <param name="database">Provides the settings, hooks and events.</param>
    /// <param name="connection">The write connection; owned by the writer from now on.</param>
    public CatalogWriter(CatalogDatabase database, DbConnection connection)
    {
        _database = database;
        _connection = connection;
        _engine = database.Engine;
        _retry = new ResiliencePipelineBuilder()
            .AddRetry(new RetryStrategyOptions
            {
                ShouldHandle = arguments => ValueTask.FromResult(arguments.Outcome.Exception is { } error && _engine.IsConflict(error)),
                MaxRetryAttempts = MostConflicts,
                Delay = TimeSpan.FromMilliseconds(1),
                MaxDelay = TimeSpan.FromMilliseconds(100),
                BackoffType = DelayBackoffType.Exponential,
                UseJitter = true,
            })
            .Build();
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

    /// <summary>Completes the queued writes, then closes the connection.</summary>
    public async ValueTask DisposeAsync()
    {
        if (_requests.Writer.TryComplete())
            _arrived.Release();
        await _ended.Task;
    }

    private void Work()
    {
        while (Next(wait: true) is { } first)
            CommitBatch(first);
        _connection?.Dispose();
        _ended.SetResult();
    }

    /// <summary>
    /// The next request that was not cancelled; null if none is queued and <paramref name="wait"/> is false, or at the end.
    /// </summary>
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
                // The extra count beyond the last request signals the end; it is released again for the next check.
                _arrived.Release();
                return null;
            }

            if (request.TryBegin())
                return request;
        }
    }

    /// <summary>The next request that may join the transaction; one that may not is kept for the next transaction.</summary>
    private WriteRequest? NextFor(WriteRequest first)
    {
        if (first.Kind == WriteKind.Exclusive || Next(wait: false) is not { } next)
            return null;
        if (next.Kind != WriteKind.Exclusive && (next.Kind == WriteKind.Relaxed || first.Kind == WriteKind.Durable))
            return next;
        _next = next;
        return null;
    }

    private void CommitBatch(WriteRequest first)
    {
        var batch = new List<WriteRequest> { first };
        if (!TryCommit(batch, mayGrow: true))
        {
            // One request rolled the whole transaction back: run each one separately now.
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

    /// <returns>False if nothing was committed although some requests of the batch did not fail.</returns>
    private bool TryCommit(List<WriteRequest> batch, bool mayGrow)
    {
        try
        {
            return _retry.Execute(
                static state => state.Writer.Commit(state.Batch, state.MayGrow), (Writer: this, Batch: batch, MayGrow: mayGrow));
        }
        catch (Exception error)
        {
            return Failed(batch, error);
        }
    }

    /// <returns>False if nothing was committed although some requests of the batch did not fail.</returns>
    private bool Commit(List<WriteRequest> batch, bool mayGrow)
    {
        try
        {
            var connection = Begin(durable: batch[0].Kind != WriteKind.Relaxed);
            var began = _database.Time.GetTimestamp();
            for (var i = 0; i < batch.Count; i++)
            {
                if (!TryRun(connection, batch[i]))
                    return batch.Count == 1;
                if (i == batch.Count - 1 && mayGrow && batch.Count < MaxBatch && _database.Time.GetElapsedTime(began) < LongestBatch
                    && NextFor(batch[0]) is { } next)
                    batch.Add(next);
            }

            if (!batch.Exists(request => request.IsKept))
            {
                RollBack(connection);
                return true;
            }

            _database.BeforeStatement?.Invoke("COMMIT");
            _engine.Commit(
                connection, [.. batch.Where(static request => request.IsKept).SelectMany(static request => request.Transaction!.Notices)]);
            _engine.Committed(connection);
            return true;
        }
        catch (Exception error) when (_engine.IsConflict(error))
        {
            // Run all of it again, on top of what the other transaction committed.
            if (_connection is { } connection)
                RollBack(connection);
            throw;
        }
    }

    /// <summary>Begins a transaction. Reconnects if the connection is lost: the server was restarted while nobody wrote.</summary>
    private DbConnection Begin(bool durable)
    {
        if (_connection is { } kept)
        {
            try
            {
                _engine.Begin(kept, durable);
                return kept;
            }
            catch (Exception error) when (_engine.IsLost(error))
            {
                Discard();
            }
        }

        var connection = _connection = _engine.OpenWriter();
        _engine.Begin(connection, durable);
        return connection;
    }

    /// <returns>False if the request ended the whole transaction.</returns>
    private bool TryRun(DbConnection connection, WriteRequest request)
    {
        _engine.Save(connection);
        request.Fault = null;
        request.Transaction = new CatalogTransaction(_engine, connection, _database.BeforeStatement);
        try
        {
            request.Run(request.Transaction);
        }
        catch (Exception error) when (!_engine.IsConflict(error))
        {
            request.Fault = Translated(error);
            if (IsOfTheConnection(request.Fault))
                Discard();
        }

        if (_connection is null || !_engine.IsInTransaction(connection))
        {
            request.Fault ??= new InvalidOperationException("The work ended the transaction that it was part of.");
            return false;
        }

        _engine.Release(connection, request.IsKept);
        return true;
    }

    private bool Failed(List<WriteRequest> batch, Exception error)
    {
        var fault = Translated(error);
        if (IsOfTheConnection(fault))
            Discard();
        else if (_connection is { } connection)
            RollBack(connection);

        // The disk may have room for the others even if not for the whole batch, and only one of them may break a constraint.
        if (batch.Count > 1 && (fault is CatalogException { Fault: CatalogFault.DiskFull } || _engine.IsConflict(error)))
            return false;
        foreach (var request in batch)
            request.Fault ??= fault;
        return true;
    }

    private void RollBack(DbConnection connection)
    {
        if (!_engine.RollBack(connection))
            Discard();
    }

    /// <summary>Closes the connection; the next transaction opens a new one.</summary>
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
            // The write is committed, but its caller learns that a notification failed.
            request.Fault = error;
        }
    }

    private Exception Translated(Exception error) => _engine.Translate(error) ?? error;

    /// <summary>True for faults after which the connection may be unusable.</summary>
    private static bool IsOfTheConnection(Exception error) =>
        error is CatalogException
        {
            Fault: CatalogFault.Corrupt or CatalogFault.Storage or CatalogFault.NotWritable
            or CatalogFault.Unavailable
        };
}
