using NzbDav.Content;

namespace NzbDav.Torrents.Scheduling;

/// <summary>
/// What the budget and the store tell a torrent, on any thread and perhaps under their locks: memory is free again, pieces were dropped. One step of the schedule on another thread takes up
/// all that was told until then. Allocates nothing. Thread-safe.
/// </summary>
internal sealed class StorageNews(Swarm swarm) : IBudgetWaiter, IThreadPoolWorkItem
{
    private readonly Lock _gate = new();
    private readonly Queue<int> _dropped = new();
    private bool _queued;

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

    /// <summary>A piece is no longer held.</summary>
    public void Dropped(int piece)
    {
        lock (_gate)
            _dropped.Enqueue(piece);
        BudgetFreed();
    }

    /// <inheritdoc/>
    public void Execute()
    {
        lock (swarm.Gate)
        {
            while (TryTake(out var piece))
                swarm.NoteDropped(piece);
            swarm.Scheduler?.RefillAll(swarm.Now);
        }

        swarm.Flush();
    }

    private bool TryTake(out int piece)
    {
        lock (_gate)
        {
            if (_dropped.TryDequeue(out piece))
                return true;

            // What is told from here on is another step's.
            _queued = false;
            return false;
        }
    }
}
