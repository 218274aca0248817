using NzbDav.Content;
using NzbDav.Torrents.Storage;

namespace NzbDav.Torrents.Scheduling;

/// <summary>
/// Receives notifications of the budget and the store for a torrent, on any thread and perhaps under their locks: memory is free again,
/// pieces were dropped. One step of the scheduler, on another thread, handles all that have arrived by then. Does not allocate.
/// Thread-safe.
/// </summary>
internal sealed class PieceEventQueue(Swarm swarm) : IPieceEvents, IBudgetWaiter, IThreadPoolWorkItem
{
    private readonly Lock _gate = new();
    private readonly Queue<(int Piece, bool ForRoom)> _dropped = new();
    private readonly Queue<int> _found = new();
    private bool _queued;
    private bool _hasNoRoom;
    private Exception? _failure;
    private string? _missing;
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
    public void PieceDropped(int piece, bool forRoom)
    {
        lock (_gate)
        {
            _dropped.Enqueue((piece, forRoom));
            _hasNoRoom |= forRoom;
        }

        BudgetFreed();
    }

    /// <inheritdoc/>
    public void PieceFound(int piece)
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

    /// <inheritdoc/>
    public void FilesMissing(string reason)
    {
        lock (_gate)
            _missing = reason;
        BudgetFreed();
    }

    /// <summary>Call when fetching is switched on or off: earlier failures no longer count.</summary>
    public void Begin()
    {
        lock (_gate)
        {
            _attempt++;
            _failure = null;
            _missing = null;
            _hasNoRoom = false;
        }
    }

    /// <inheritdoc/>
    public void Execute()
    {
        lock (swarm.Gate)
        {
            while (TryDequeue(out var piece, out var isFound, out var forRoom))
            {
                if (isFound)
                {
                    swarm.OnPieceFound(piece);
                    continue;
                }

                if (forRoom)
                    swarm.OnPieceEvicted(piece);
                swarm.OnPieceDropped(piece);
            }

            if (DrainFault() is ({ } reason, var isFull))
                swarm.EndBackground(reason, isFull);
            swarm.Picker?.RefillAll(swarm.Now);
        }

        swarm.Flush();
    }

    private (string? Reason, bool IsFull) DrainFault()
    {
        lock (_gate)
        {
            var reason = _missing
                ?? (_failure is not null ? $"A piece cannot be written to disk: {_failure.Message}"
                : _hasNoRoom ? "The cache is full: pieces had to make room for others." : null);
            var isFull = _missing is null && _failure is not null && FullDisk.Is(_failure);
            _failure = null;
            _missing = null;
            _hasNoRoom = false;
            return (reason, isFull);
        }
    }

    private bool TryDequeue(out int piece, out bool isFound, out bool forRoom)
    {
        lock (_gate)
        {
            forRoom = false;
            isFound = _found.TryDequeue(out piece);
            if (isFound)
                return true;
            if (_dropped.TryDequeue(out var dropped))
            {
                (piece, forRoom) = dropped;
                return true;
            }

            // Later notifications are handled by another step.
            _queued = false;
            return false;
        }
    }
}
