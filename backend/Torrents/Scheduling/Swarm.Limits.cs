using NzbDav.Torrents.Settings;

namespace NzbDav.Torrents.Scheduling;

/// <summary>Download scope and limits: only what readers need or all of the torrent, and at which rate.</summary>
internal sealed partial class Swarm
{
    /// <summary>Fetches all of the torrent, or only what readers need.</summary>
    public void SetBackground(bool background)
    {
        lock (Gate)
        {
            _background = background;
            _news.Begin();
            BackgroundEnded = null;
            IsDiskFull = false;
            if (Scheduler is null)
                return;
            Scheduler.Background = background;
            DeclareInterest();
            Scheduler.RefillAll(Now);
        }

        Flush();
    }

    /// <inheritdoc/>
    public void EndBackground(string reason, bool isFull)
    {
        if (!_background)
            return;
        _background = false;
        BackgroundEnded = reason;
        IsDiskFull = isFull;
        if (Scheduler is not null)
            Scheduler.Background = false;
    }

    /// <summary>Limits the torrent's download. Readers are limited too, but the blocks they wait for go first.</summary>
    /// <param name="bytesPerSecond">0: no limit.</param>
    public void LimitDownload(long bytesPerSecond)
    {
        lock (Gate)
        {
            _allowance.BytesPerSecond = bytesPerSecond;
            AskMore();
        }

        Flush();
    }

    /// <summary>Sets which pieces are fetched in the background, and in which order. Null: all, the rarest first.</summary>
    public void Select(FetchOrder? order)
    {
        lock (Gate)
        {
            if (Table is not { } table || IsClosed)
                return;
            table.Ranks = order?.Ranks(table.Info);
            table.LeavesOut = order is { EdgesOnly: false };
            table.IsSequential = order is { IsSequential: true };
            DeclareInterest();
            Scheduler!.RefillAll(Now);
        }

        Flush();
    }

    /// <summary>Called when more may be requested after a refusal.</summary>
    private void Replenish()
    {
        lock (Gate)
        {
            _allowance.Woke();
            AskMore();
        }

        Flush();
    }

    /// <summary>Called when a reader waits in some torrent.</summary>
    private void Yield()
    {
        lock (Gate)
        {
            if (IsClosed || Scheduler is null)
                return;
            Scheduler.Yield(Now);
        }

        Flush();
    }

    private void AskMore()
    {
        if (IsClosed || Scheduler is null)
            return;
        Readers.HurryWaiting();
        Scheduler.RefillAll(Now);
    }
}
