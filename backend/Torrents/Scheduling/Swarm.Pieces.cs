using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Pieces;
using NzbDav.Torrents.Wire;
using NzbDav.Torrents.Work;

namespace NzbDav.Torrents.Scheduling;

/// <summary>Blocks that arrive, and pieces that are complete, abandoned or dropped.</summary>
internal sealed partial class Swarm
{
    /// <summary>Pieces that were evicted, perhaps held again since; null = none. Under the gate.</summary>
    private BitField? _evicted;

    /// <summary>Queues the hash check of a piece whose blocks have all arrived. Under the gate.</summary>
    private void Verify(PieceSlot slot, long now)
    {
        var rank = BackgroundWorkers.Someday;
        foreach (var reader in Readers.Windows)
        {
            if (slot.Index == reader.Waiting)
                rank = BackgroundWorkers.Waiting;
            else if (slot.Index >= reader.First && slot.Index <= reader.Last)
                rank = Math.Min(rank, 1 + (long)(slot.Index - reader.First));
        }

        var job = (VerifyJob)(slot.Job ??= new VerifyJob(this, slot));
        job.Queued = now;
        Context.Workers.Add(job, rank);
    }

    /// <summary>Handles the result of a hash check. Called by a background worker, outside the gate.</summary>
    public void Verified(PieceSlot slot, bool isGood)
    {
        if (isGood)
            Keep(slot);
        else
            Refuse(slot);
        Flush();
    }

    /// <summary>
    /// Handles pieces that were begun for readers that have left: cancels their requests. A piece with received blocks is kept while memory
    /// allows, because the next reader is often near. Called once a second, not at once, because players close one range and open the next
    /// beside it. Under the gate.
    /// </summary>
    private void GiveUpUnread(long now)
    {
        if (Table is not { } table || Picker!.Background)
            return;
        Picker.CancelUnwanted(now);
        var scarce = Context.Pool.Budget.Reserved > Context.Pool.Budget.Limit / 2;
        for (var i = table.Open.Count - 1; i >= 0; i--)
        {
            var slot = table.Open[i];
            if (slot.IsVerifying || Picker.IsWanted(slot.Index) || (slot.Received > 0 && !scarce))
                continue;
            table.Close(slot).Release();
        }
    }

    private void Keep(PieceSlot slot)
    {
        var guilty = _blame.Passed(slot);
        lock (Gate)
        {
            foreach (var number in guilty)
                Ban(number, "The peer sent bad blocks.");
            var table = Table!;
            var buffer = table.Close(slot);
            if (IsClosed)
            {
                buffer.Release();
                return;
            }

            // Held before anyone is notified: woken readers must find it.
            Pieces!.Add(slot.Index, buffer, mustKeep: Picker!.Background);
            table.MarkHeld(slot.Index);
            var isShown = Picker.OnPieceCompleted(slot.Index, Now);
            if (table.Have.IsFull && !_wasWhole)
                _completed.TrySetResult();
            Readers.Wake(slot.Index);
            foreach (var peer in Peers)
            {
                if (!peer.HandshakeDone || peer.Has(slot.Index))
                    continue;

                // Sent with the next message, at the latest in the tick of each second: a packet for each announcement would cost more than
                // it gains.
                peer.Outbox.AboutPiece(MessageId.Have, slot.Index);
                if (isShown)
                    peer.MarkDirty();
            }
        }
    }

    private void Refuse(PieceSlot slot)
    {
        var guilty = _blame.Failed(slot);
        lock (Gate)
        {
            Counters.AddFailed(slot.Size);
            if (IsClosed)
            {
                Table!.Close(slot).Release();
                return;
            }

            if (guilty != 0)
                Ban(guilty, "The peer sent a bad piece.");
            Picker!.Retry(slot);
            Readers.RequestUrgentForWaiting();
            Picker.RefillAll(Now);
        }
    }

    /// <inheritdoc/>
    public void OnPieceAvailable(int piece)
    {
        Readers.OnPieceFreed(piece);
        if (!Table!.IsSettled(piece))
            ScheduleUrgent();
    }

    /// <inheritdoc/>
    public void OnPiecesAvailable()
    {
        Readers.Rewind();
        ScheduleUrgent();
    }

    /// <inheritdoc/>
    public void OnBlockFreed(PieceSlot slot) => Readers.OnPieceFreed(slot.Index);

    /// <inheritdoc/>
    public void OnBlockReceived(Peer peer, in Request request, int bytes, long now)
    {
        Context.DownloadLimit.Received(bytes, ReaderWindow.IsFirst(Readers.Windows, request.Slot!.Index), now);
        Metrics.BlockReceived(now - request.RequestedAt, peer.Pipeline.RoundTrip);
    }

    /// <inheritdoc/>
    public void OnBlockAccepted(PieceSlot slot, int block, long now)
    {
        if (slot.Copies(block) > 0)
            Picker!.CancelOthers(slot, block, now);
        if (slot.IsComplete)
            Verify(slot, now);
    }

    /// <summary>Call when a piece was found on disk. Under the gate.</summary>
    public void OnPieceFound(int piece)
    {
        // A piece that is being received is marked as held when it is complete.
        if (Table is not { } table || IsClosed || !Pieces!.Holds(piece) || table.Slot(piece) is not null || !table.MarkHeld(piece))
            return;
        Readers.Wake(piece);
        foreach (var peer in Peers)
        {
            if (peer.HandshakeDone && !peer.Has(piece))
                peer.Outbox.AboutPiece(MessageId.Have, piece);
        }
    }

    /// <summary>Call when a piece may no longer be held. Under the gate.</summary>
    public void OnPieceDropped(int piece)
    {
        if (Table is not { } table || !table.Have[piece] || Pieces!.Holds(piece))
            return;
        table.MarkDropped(piece);
        _messages.OnPieceDropped(piece);
        Readers.OnPieceFreed(piece);
    }

    /// <summary>Call when a good piece was evicted from disk: trackers are not told that it is missing again. Under the gate.</summary>
    public void OnPieceEvicted(int piece)
    {
        if (Table is { } table)
            (_evicted ??= new BitField(table.Info.PieceCount)).Set(piece);
    }

    /// <summary>
    /// Bytes left, as announced to trackers. Evicted pieces do not count as left: to a tracker, progress that goes back looks like another
    /// user's download or like cheating. Never 0 while a piece is missing, which would announce a seed. 1 until the torrent is described.
    /// </summary>
    public long ReadLeft()
    {
        lock (Gate)
        {
            if (Table is not { } table)
                return 1;
            var (left, least) = (0L, 0L);
            for (var piece = 0; piece < table.Info.PieceCount && !table.Have.IsFull; piece++)
            {
                if (table.Have[piece])
                    continue;
                var size = table.Info.SizeOf(piece);
                least = least == 0 ? size : Math.Min(least, size);
                if (_evicted is null || !_evicted[piece])
                    left += size;
            }

            return Math.Max(left, least);
        }
    }
}

/// <summary>Checks a piece in the buffer that received it. Belongs to the slot, which has one check at a time.</summary>
internal sealed class VerifyJob(Swarm swarm, PieceSlot slot) : BackgroundJob
{
    /// <summary>When it was queued, in ticks.</summary>
    public long Queued { get; set; }

    public override void Run()
    {
        var started = swarm.Now;
        var isGood = swarm.Context.Check.IsGood(swarm.Table!.Info, slot.Index, slot.Buffer.Array.AsSpan(0, slot.Size));
        swarm.Metrics.Hashed(started - Queued, swarm.Now - started);
        swarm.Verified(slot, isGood);
    }
}
