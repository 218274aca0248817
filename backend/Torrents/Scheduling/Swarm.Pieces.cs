using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Pieces;
using NzbDav.Torrents.Wire;
using NzbDav.Torrents.Work;

namespace NzbDav.Torrents.Scheduling;

/// <summary>Pieces that are complete, abandoned or dropped.</summary>
internal sealed partial class Swarm
{
    /// <inheritdoc/>
    public void Verify(PieceSlot slot, long now)
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

    /// <inheritdoc/>
    public void Verified(PieceSlot slot, bool isGood)
    {
        if (isGood)
            Keep(slot);
        else
            Refuse(slot);
        Flush();
    }

    /// <summary>
    /// Called once a second: handles pieces that were begun for readers that have left. Their requests are cancelled. A piece with received blocks is kept
    /// while there is memory, because the next reader is often near. This is not done at once, because players close one range and open the next beside it.
    /// Under the gate.
    /// </summary>
    private void GiveUpUnread(long now)
    {
        if (Table is not { } table || Scheduler!.Background)
            return;
        Scheduler.CancelUnwanted(now);
        var scarce = Context.Pool.Budget.Reserved > Context.Pool.Budget.Limit / 2;
        for (var i = table.Open.Count - 1; i >= 0; i--)
        {
            var slot = table.Open[i];
            if (slot.IsVerifying || Scheduler.IsWanted(slot.Index) || (slot.Received > 0 && !scarce))
                continue;
            table.Close(slot).Release();
        }
    }

    /// <summary>Gives a suspect piece another peer if the one chosen for it does not serve it. Under the gate.</summary>
    private void Reassign(Peer? gone)
    {
        if (Table is not { } table)
            return;
        foreach (var slot in table.Open)
        {
            if (slot.OnlyPeer == 0 || slot.IsVerifying || (gone is not null && slot.OnlyPeer != gone.Number))
                continue;
            var only = Peers.Find(peer => peer.Number == slot.OnlyPeer);
            if (only is not { CanAsk: true } || !only.Serves(slot.Index))
                slot.OnlyPeer = Trusted(slot)?.Number ?? 0;
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

            // Held before anyone is notified, so that woken readers find it.
            Pieces!.Add(slot.Index, buffer, mustKeep: Scheduler!.Background);
            table.Have.Set(slot.Index);
            if (table.Have.IsFull && !_wasWhole)
                _completed.TrySetResult();
            Readers.Wake(slot.Index);
            foreach (var peer in Peers)
            {
                if (!peer.IsGreeted || peer.Has(slot.Index))
                    continue;

                // Sent along with the next message, at the latest when all peers are checked once a second: a packet for each announcement would cost more than
                // the pieces.
                peer.Outbox.Piece(MessageId.Have, slot.Index);
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
            slot.IsSuspect = true;
            slot.Restart();
            slot.OnlyPeer = Trusted(slot)?.Number ?? 0;
            Scheduler!.Ledger.Freed(slot);
            Readers.HurryWaiting();
            Scheduler.RefillAll(Now);
        }
    }

    /// <summary>Chooses the peer to send all of a bad piece: the quickest that has it and sent none of it.</summary>
    private Peer? Trusted(PieceSlot slot)
    {
        Peer? best = null;
        foreach (var peer in Peers)
        {
            if (peer.CanAsk && peer.Serves(slot.Index) && peer.Number != slot.OnlyPeer && (best is null || peer.Rate > best.Rate))
                best = peer;
        }

        return best;
    }

    /// <inheritdoc/>
    public void NoteFound(int piece)
    {
        // A piece that is being received is added when it is complete.
        if (Table is not { } table || IsClosed || !Pieces!.Holds(piece) || table.Slot(piece) is not null || !table.Have.Set(piece))
            return;
        Readers.Wake(piece);
        foreach (var peer in Peers)
        {
            if (peer.IsGreeted && !peer.Has(piece))
                peer.Outbox.Piece(MessageId.Have, piece);
        }
    }

    /// <inheritdoc/>
    public void NoteDropped(int piece)
    {
        if (Table is not { } table || !table.Have[piece] || Pieces!.Holds(piece))
            return;
        table.Dropped(piece);
        _extensions.TellLost(piece);
        _interest.Lost(piece);
        foreach (var reader in Readers.Windows)
            reader.Freed(piece);
    }
}
