using NzbDav.Catalog.Database;
using NzbDav.Catalog.Torrents;
using NzbDav.Content;
using NzbDav.Torrents;

namespace NzbDav.Seeding;

/// <content>The part of a step that handles a single torrent.</content>
public sealed partial class SeedingRunner
{
    private async Task TryRunAsync(ShelfSlot slot, SeedingOptions options, bool runs, CancellationToken cancellationToken)
    {
        if (Find(slot.Entry.Hash) is not { } torrent)
            return;
        try
        {
            await RunAsync(slot, torrent, options, runs, cancellationToken);
            torrent.Failure = null;
        }
        catch (Exception error) when (error is not CatalogException && !cancellationToken.IsCancellationRequested)
        {
            if (torrent.Failure == error.Message)
                return;
            torrent.Failure = error.Message;
            Failed?.Invoke(new FailedTorrent(slot.Entry.Hash, slot.Entry.Name ?? slot.Facts?.Name ?? slot.Entry.Hash, error));
        }
    }

    private async Task RunAsync(
        ShelfSlot slot, RunningTorrent torrent, SeedingOptions options, bool runs, CancellationToken cancellationToken)
    {
        var entry = slot.Entry;
        var need = NeedOf(slot, options);
        if (runs && torrent.Lease is null)
            await BeginAsync(slot, torrent, cancellationToken);
        else if (!runs && torrent.Lease is not null)
            End(torrent, leaves: entry is not { Removed: null, IsStopped: false, Error: null } || need != TorrentNeed.None);
        if (torrent.Lease is { } lease)
            await UpdateTorrentAsync(slot, options, need, torrent, lease.Torrent, cancellationToken);
        else if (need == TorrentNeed.Probe && !options.WaitForCopy)
            await MarkAsync(entry, entry => entry with { Ready = entry.Ready ?? _time.GetUtcNow() }, cancellationToken);
        if (torrent.Lease is null)
            torrent.Held ??= TorrentOrders.ReadHeld(slot, options, _sessions.Engine);
        var phase = need != TorrentNeed.None && !runs ? TorrentPhase.Queued
            : torrent.Lease is not { } open ? TorrentPhase.Idle
            : open.Torrent.IsChecking ? TorrentPhase.Checking
            : open.Torrent.IsMoving ? TorrentPhase.Moving
            : TorrentPhase.Running;
        _shelf.Board.Set(entry.Hash, new TorrentRun(phase, torrent.Meter.Totals, torrent.Held, torrent.WaitsFor));
    }

    private async Task BeginAsync(ShelfSlot slot, RunningTorrent torrent, CancellationToken cancellationToken)
    {
        if (slot.Source.Metainfo is not { } blob || await _shelf.Facts.ReadAsync(blob, cancellationToken) is not { } metainfo)
            return;
        torrent.Lease = await _sessions.UseAsync(metainfo, cancellationToken);
        torrent.LastOrders = null;
    }

    /// <summary>Stops running a torrent: from then on it is open only for readers.</summary>
    /// <param name="torrent">The torrent.</param>
    /// <param name="leaves">True: it leaves its swarm at once unless somebody is reading it. False: it leaves when nobody has read it for a
    /// while.</param>
    private void End(RunningTorrent torrent, bool leaves)
    {
        var open = torrent.Lease!.Torrent;
        open.FetchAll(false);
        open.Select(null);
        torrent.Lease.Dispose();
        (torrent.Lease, torrent.LastOrders) = (null, null);
        if (leaves)
            _sessions.CloseUnused(open.Hash);
    }

    private async Task UpdateTorrentAsync(
        ShelfSlot slot, SeedingOptions options, TorrentNeed need, RunningTorrent torrent, Torrent open, CancellationToken cancellationToken)
    {
        // Its data is still being checked. Fetch nothing, because it may be there already, and report nothing.
        if (open.IsChecking || (open.Missing is not null && _shelf.Board.IsChecking(slot.Entry.Hash)))
            return;
        var policy = options.PolicyOf(slot);
        if (TorrentOrders.Apply(slot, policy, need, torrent, open) is { } trouble)
        {
            await MarkAsync(slot.Entry, entry => entry with { Error = trouble }, cancellationToken);
            return;
        }

        // Missing files are back and are being hashed.
        if (open.IsChecking)
            return;
        var (wanted, held) = open.CountWanted();

        // A kept torrent counts as complete only when its data is on disk.
        if (need == TorrentNeed.Download)
            held = Math.Max(0, held - open.CountUnwritten());
        torrent.Held = Math.Min((long)held * slot.Facts!.PieceLength, slot.Facts.Size);
        var isReady = slot.Entry.Ready is not null || !options.WaitForCopy || TorrentOrders.IsReadable(slot, open);
        if (need == TorrentNeed.ReturnToCache)
            return;
        var isProbe = need == TorrentNeed.Probe;
        var isWhole = need is not (TorrentNeed.Probe or TorrentNeed.Await) && wanted == held && !_shelf.Board.IsChecking(slot.Entry.Hash);
        var now = _time.GetUtcNow();
        if (isReady != (slot.Entry.Ready is not null) || (!isProbe && isWhole != (slot.Entry.Completed is not null)))
        {
            // Sample the totals before marking it complete: a small torrent may finish between two samples.
            torrent.Meter.Sample(open, open.Bytes.Payload, open.Bytes.Uploaded, IsSeeding(slot, policy), TimeSpan.Zero, now);
            _shelf.Board.Set(slot.Entry.Hash, new TorrentRun(TorrentPhase.Running, torrent.Meter.Totals, torrent.Held, torrent.WaitsFor));
            await MarkAsync(
                slot.Entry,
                entry => entry with
                {
                    Ready = isReady ? entry.Ready ?? now : entry.Ready,
                    Completed = isProbe ? (isReady ? entry.Completed ?? now : null) : isWhole ? entry.Completed ?? now : null,
                },
                cancellationToken);
            return;
        }

        if (!isReady && options.CopyTimeout > TimeSpan.Zero && torrent.Meter.Totals.Active - torrent.WaitFrom >= options.CopyTimeout)
            await FailStalledAsync(slot, torrent, open, options, cancellationToken);
        else if (need == TorrentNeed.Seed && !slot.Entry.IsForced
            && policy.IsReached(TorrentView.RatioOf(torrent.Meter.Totals, torrent.Held ?? 0), torrent.Meter.Totals))
            await EndSeedingAsync(slot.Entry, policy, cancellationToken);
    }

    private async Task FailStalledAsync(
        ShelfSlot slot, RunningTorrent torrent, Torrent open, SeedingOptions options, CancellationToken cancellationToken)
    {
        var status = open.LastStatus;
        var reason = string.Create(
            System.Globalization.CultureInfo.InvariantCulture,
            $"{StalledTorrent.GivenUp} in {DurationText.Of(options.CopyTimeout)}: "
            + $"{status.Peers} peers are connected and have {status.Copies:0.00} copies."
            + $"{(status.Reason is { } why ? " " + why : "")}");
        await MarkAsync(slot.Entry, entry => entry with { Error = reason }, cancellationToken);
        torrent.WaitFrom = torrent.Meter.Totals.Active;
        Stalled?.Invoke(new StalledTorrent(slot.Entry.Hash, slot.Entry.Name ?? slot.Facts!.Name, reason));
    }

    private async Task EndSeedingAsync(TorrentEntry entry, SharePolicy policy, CancellationToken cancellationToken)
    {
        await StoreAsync(cancellationToken);
        if (policy.AtLimit == LimitAction.Stop)
            await MarkAsync(entry, static entry => entry with { IsStopped = true }, cancellationToken);
        else
            await _shelf.RemoveAsync([entry.Hash], policy.AtLimit == LimitAction.RemoveData, cancellationToken);
    }

    private async Task MarkAsync(TorrentEntry entry, Func<TorrentEntry, TorrentEntry> change, CancellationToken cancellationToken)
    {
        // Unless the torrent was removed and added again in the meantime.
        await _store.UpdateAsync(
            [entry.Hash], now => now.Added == entry.Added && now.Removed is null ? change(now) : now, cancellationToken);
        if (Find(entry.Hash) is { } torrent)
            torrent.LastOrders = null;
    }
}
