using Microsoft.Data.Sqlite;

namespace NzbDav.Catalog.Database.Sqlite;

/// <summary>
/// Moves committed pages from the write-ahead log into the database, on its own thread and connection. No reader waits for it; the writer
/// waits only for the last few pages of a long log. Starts when the log has grown by 4 MB, and two seconds after the last write.
/// </summary>
internal sealed class WalCheckpointer : IAsyncDisposable
{
    /// <summary>SQLite's own default: 4 MB.</summary>
    private const int PagesBetween = 1000;

    /// <summary>
    /// At 32 MB the writer completes the checkpoint itself. Only that restarts the log, which constant writes would otherwise grow without
    /// limit.
    /// </summary>
    private const int LongestLog = 8000;

    private static readonly TimeSpan Idle = TimeSpan.FromSeconds(2);

    private readonly CatalogOptions _options;
    private readonly ITimer _idle;
    private readonly SemaphoreSlim _due = new(0, 1);
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private SqliteConnection? _connection;
    private long _pages;
    private volatile bool _needsWriter;
    private volatile bool _stopping;

    public WalCheckpointer(CatalogOptions options, TimeProvider time)
    {
        _options = options;
        _idle = time.CreateTimer(
            static state => ((WalCheckpointer)state!).Start(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        new Thread(Work) { IsBackground = true, Name = "catalog checkpointer" }.Start();
    }

    /// <summary>Called after each commit, on the writer's thread and outside a transaction.</summary>
    public void Committed(SqliteConnection connection)
    {
        var written = SqliteEngine.PagesWritten(connection);
        if (written < _pages)
            _pages = 0;
        if (_needsWriter)
        {
            _needsWriter = false;
            TryCheckpoint(connection);
        }

        if (written - _pages >= PagesBetween)
        {
            _pages = written;
            Start();
        }
        else
        {
            _idle.Change(Idle, Timeout.InfiniteTimeSpan);
        }
    }

    /// <summary>Waits for a running checkpoint.</summary>
    public async ValueTask DisposeAsync()
    {
        await _idle.DisposeAsync();
        _stopping = true;
        Start();
        await _ended.Task;
    }

    private void Start()
    {
        lock (_due)
        {
            if (_due.CurrentCount == 0)
                _due.Release();
        }
    }

    private void Work()
    {
        while (true)
        {
            _due.Wait();
            if (_stopping)
                break;
            Checkpoint();
        }

        _connection?.Dispose();
        _ended.SetResult();
    }

    private void Checkpoint()
    {
        try
        {
            _connection ??= SqliteEngine.Open(_options, writable: true);
        }
        catch (SqliteException)
        {
            return;
        }

        if (TryCheckpoint(_connection) is var (log, done))
        {
            _needsWriter = log > LongestLog && done < log;
            return;
        }

        _connection.Dispose();
        _connection = null;
    }

    /// <summary>Null on a full disk or a lock: the log keeps its contents, and a later commit tries again.</summary>
    private static (int Log, int Done)? TryCheckpoint(SqliteConnection connection)
    {
        try
        {
            return SqliteEngine.Checkpoint(connection);
        }
        catch (SqliteException)
        {
            return null;
        }
    }
}
