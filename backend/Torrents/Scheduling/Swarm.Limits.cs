using NzbDav.Torrents.Settings;

namespace NzbDav.Torrents.Scheduling;

/// <summary>How much is asked for: what readers want or all of the torrent, and of it all that peers have room for, or as much as limits allow.</summary>
internal sealed partial class Swarm
{
    /// <summary>Fetches all of the torrent, or only what readers want.</summary>
    public void SetBackground(bool background)
    {
        lock (Gate)
        {
            _background = background;
            BackgroundEnded = null;
            IsDiskFull = false;
            if (Scheduler is null)
                return;
            Scheduler.Background = background;
            Scheduler.RefillAll(Now);
        }

        Flush();
    }

    /// <summary>
    /// The rest of the torrent has no place: what was fetched next would only push out what was fetched before, or be lost when memory is short. Under the gate.
    /// </summary>
    /// <param name="reason">Told to the user.</param>
    /// <param name="isFull">It had a place if the disk had room.</param>
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

    /// <summary>Bounds what the torrent's peers are asked for. Readers are held to it too, what they wait for goes first.</summary>
    /// <param name="bytesPerSecond">0: no bound.</param>
    public void LimitDownload(long bytesPerSecond)
    {
        lock (Gate)
        {
            _allowance.BytesPerSecond = bytesPerSecond;
            AskMore();
        }

        Flush();
    }

    /// <summary>What is fetched of the rest, and what first. Null: all of it, the rarest first.</summary>
    public void Select(FetchOrder? order)
    {
        lock (Gate)
        {
            if (Table is not { } table || IsClosed)
                return;
            table.Ranks = order?.Ranks(table.Info);
            table.IsSequential = order is { IsSequential: true };
            Scheduler!.RefillAll(Now);
        }

        Flush();
    }

    /// <summary>More may be asked for than a moment ago.</summary>
    private void Replenish()
    {
        lock (Gate)
        {
            _allowance.Woke();
            AskMore();
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
