using NzbDav.Content;
using NzbDav.Torrents.Storage;

namespace NzbDav.Torrents.Scheduling;

/// <summary>
/// Receives notifications of the budget and the store for a torrent, on any thread and perhaps under their locks: memory is free again, pieces were dropped.
/// One step of the scheduler, on another thread, handles all that have arrived by then. Allocates nothing. Thread-safe.
/// </summary>
internal sealed class StorageNews(ISwarm swarm) : IStorageNews, IBudgetWaiter, IThreadPoolWorkItem
{
    private readonly Lock _gate = new();
    private readonly Queue<int> _dropped = new();
    private readonly Queue<int> _found = new();
    private bool _queued;
    private bool _hasNoRoom;
    private Exception? _failure;
    private int _attempt;

    /// <inheritdoc/>
    public void BudgetFreed()
    {
        lock (_gate)
        {
            if (_queued)
                return;
            _queued = true;
        }

        ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    /// <inheritdoc/>
    public void Dropped(int piece, bool forRoom)
    {
        lock (_gate)
        {
            _dropped.Enqueue(piece);
            _hasNoRoom |= forRoom;
        }

        BudgetFreed();
    }

    /// <inheritdoc/>
    public void Found(int piece)
    {
        lock (_gate)
            _found.Enqueue(piece);
        BudgetFreed();
    }

    /// <inheritdoc/>
    public int Attempt => Volatile.Read(ref _attempt);

    /// <inheritdoc/>
    public void WriteFailed(Exception error, int attempt)
    {
        lock (_gate)
        {
            if (attempt != _attempt)
                return;
            _failure = error;
        }

        BudgetFreed();
    }

    /// <summary>The torrent is told to fetch: what failed so far no longer counts.</summary>
    public void Begin()
    {
        lock (_gate)
        {
            _attempt++;
            _failure = null;
            _hasNoRoom = false;
        }
    }

    /// <inheritdoc/>
    public void Execute()
    {
        lock (swarm.Gate)
        {
            while (TryTake(out var piece, out var isFound))
            {
                if (isFound)
                    swarm.NoteFound(piece);
                else
                    swarm.NoteDropped(piece);
            }

            if (Trouble() is ({ } reason, var isFull))
                swarm.EndBackground(reason, isFull);
            swarm.Scheduler?.RefillAll(swarm.Now);
        }

        swarm.Flush();
    }

    private (string? Reason, bool IsFull) Trouble()
    {
        lock (_gate)
        {
            var reason = _failure is not null ? $"A piece cannot be written to disk: {_failure.Message}" : _hasNoRoom ? "The cache is full: pieces had to make room for others." : null;
            var isFull = _failure is not null && FullDisk.Is(_failure);
            _failure = null;
            _hasNoRoom = false;
            return (reason, isFull);
        }
    }

    private bool TryTake(out int piece, out bool isFound)
    {
        lock (_gate)
        {
            isFound = _found.TryDequeue(out piece);
            if (isFound || _dropped.TryDequeue(out piece))
                return true;

            // Later notifications are handled by another step.
            _queued = false;
            return false;
        }
    }
}
