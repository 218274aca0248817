using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Scheduling;

/// <summary>Pieces that are whole, and readers that wait for them.</summary>
internal sealed partial class Swarm
{
    /// <summary>All blocks of a piece are here. Under the gate.</summary>
    internal void Verify(PieceSlot slot, long now)
    {
        var rank = BackgroundWorkers.Someday;
        foreach (var reader in _readers)
        {
            if (slot.Index == reader.Waiting)
                rank = BackgroundWorkers.Waiting;
            else if (slot.Index >= reader.First && slot.Index <= reader.Last)
                rank = Math.Min(rank, 1 + (long)(slot.Index - reader.First));
        }

        Context.Workers.Add(new VerifyJob(this, Table!.Info, slot, now), rank);
    }

    /// <summary>The hash of a piece was made. Called by a background worker.</summary>
    internal void Verified(PieceSlot slot, bool isGood)
    {
        if (isGood)
            Keep(slot);
        else
            Refuse(slot);
        Flush();
    }

    /// <summary>A reader joins; the pieces it needs at once are asked for.</summary>
    internal void Join(ReaderWindow reader, TorrentWaiter waiter)
    {
        Context.Pool.Budget.AddReader();
        lock (Gate)
        {
            _readers.Add(reader);
            _waiters[reader] = waiter;
            Scheduler!.Joined(reader);
            Pieces!.Pin(reader.First, reader.Last);
            Widen(reader);
            Scheduler.Hurry(reader, Now);
        }

        Flush();
    }

    /// <summary>A reader leaves.</summary>
    internal void Leave(ReaderWindow reader)
    {
        Context.Pool.Budget.RemoveReader();
        lock (Gate)
        {
            _readers.Remove(reader);
            _waiters.Remove(reader);
            Pieces!.Unpin(reader.First, reader.Last);
        }

        Flush();
    }

    /// <summary>A reader has gone on.</summary>
    internal void Move(ReaderWindow reader, long position)
    {
        lock (Gate)
        {
            var (first, last) = (reader.First, reader.Last);
            reader.MoveTo(position);
            Widen(reader);
            if (reader.First == first && reader.Last == last)
                return;
            if (reader.First > first)
                Pieces!.Unpin(first, Math.Min(reader.First - 1, last));
            if (reader.Last > last)
                Scheduler!.RefillAll(Now);
        }

        Flush();
    }

    /// <summary>A reader waits for a piece, unless it is held by now (false).</summary>
    internal bool Wait(ReaderWindow reader, int piece)
    {
        lock (Gate)
        {
            if (Table!.Have[piece])
            {
                if (Pieces!.Holds(piece))
                    return false;
                NoteDropped(piece);
            }

            if (_closed)
            {
                _waiters[reader].Fail("The torrent was closed.");
                return true;
            }

            reader.Waiting = piece;
            Scheduler!.Hurry(reader, Now);
        }

        Flush();
        return true;
    }

    /// <summary>A reader no longer waits.</summary>
    internal void StopWaiting(ReaderWindow reader)
    {
        lock (Gate)
            reader.Waiting = -1;
    }

    /// <summary>A reader has waited for a while: late blocks are asked again, and if nothing comes at all its read fails with the reason.</summary>
    internal void LookAfter(ReaderWindow reader, long since)
    {
        var now = Now;
        lock (Gate)
        {
            if (reader.Waiting < 0 || !_waiters.TryGetValue(reader, out var waiter))
                return;
            var slot = Table!.Slot(reader.Waiting);
            var last = Math.Max(since, slot?.LastBlock ?? 0);
            if (now - last > Context.Options.ReaderPatience.Ticks && slot?.IsVerifying != true)
            {
                waiter.Fail(Reason(reader.Waiting));
                return;
            }

            foreach (var peer in _peers)
                peer.StopGathering(now);
            Scheduler!.Hurry(reader, now);
            Scheduler.AskLateAgain(now);
        }

        Flush();
    }

    private string Reason(int piece)
    {
        var having = 0;
        var serving = 0;
        foreach (var peer in _peers)
        {
            if (!peer.Has(piece))
                continue;
            having++;
            if (!peer.ChokesUs)
                serving++;
        }

        var number = piece.ToString(System.Globalization.CultureInfo.InvariantCulture);
        if (_peers.Count == 0)
            return $"No peer of the torrent can be reached (of {_book.Known} known); piece {number} is missing.";
        if (having == 0)
            return $"None of {_peers.Count} connected peers has piece {number}.";
        return serving == 0
            ? $"{having} peers have piece {number}, but none of them serves us."
            : $"{serving} peers could serve piece {number}, but nothing came for {Context.Options.ReaderPatience.TotalSeconds:0} s.";
    }

    private void Widen(ReaderWindow reader)
    {
        var target = reader.Target(Now);
        if (target <= reader.Last)
            return;
        Pieces!.Pin(reader.Last + 1, target);
        reader.Widen(target);
    }

    /// <summary>
    /// Once a second: pieces that were begun for readers that have left. What was asked is withdrawn; a piece of which something came is kept while there is memory,
    /// as the next reader is often near. Not at once: players close one range and open the next beside it. Under the gate.
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
            table.Close(slot);
            slot.Buffer.Release();
        }
    }

    /// <summary>A suspect piece whose only peer does not serve it gets another. Under the gate.</summary>
    private void Reassign(Peer? gone)
    {
        if (Table is not { } table)
            return;
        foreach (var slot in table.Open)
        {
            if (slot.OnlyPeer == 0 || slot.IsVerifying || (gone is not null && slot.OnlyPeer != gone.Number))
                continue;
            var only = _peers.Find(peer => peer.Number == slot.OnlyPeer);
            if (only is not { CanAsk: true })
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
            table.Close(slot);
            if (_closed)
            {
                slot.Buffer.Release();
                return;
            }

            // Held before it is told: whoever is woken finds it.
            Pieces!.Add(slot.Index, slot.Buffer);
            table.Have.Set(slot.Index);
            foreach (var (reader, waiter) in _waiters)
            {
                if (reader.Waiting != slot.Index)
                    continue;
                reader.Waiting = -1;
                waiter.Wake();
            }

            foreach (var peer in _peers)
            {
                if (!peer.IsGreeted || peer.Has(slot.Index))
                    continue;
                peer.Outbox.Have(slot.Index);
                MarkDirty(peer);
            }
        }
    }

    private void Refuse(PieceSlot slot)
    {
        var guilty = _blame.Failed(slot);
        lock (Gate)
        {
            Counters.AddFailed(slot.Size);
            if (_closed)
            {
                Table!.Close(slot);
                slot.Buffer.Release();
                return;
            }

            if (guilty != 0)
                Ban(guilty, "The peer sent a bad piece.");
            slot.IsSuspect = true;
            slot.Restart();
            slot.OnlyPeer = Trusted(slot)?.Number ?? 0;
            Scheduler!.Freed(slot);
            HurryWaiting();
            Scheduler.RefillAll(Now);
        }
    }

    /// <summary>Who is to send all of a piece that was bad: the quickest that has it and sent none of it.</summary>
    private Peer? Trusted(PieceSlot slot)
    {
        Peer? best = null;
        foreach (var peer in _peers)
        {
            if (peer.CanAsk && peer.Has(slot.Index) && peer.Number != slot.OnlyPeer && (best is null || peer.Rate > best.Rate))
                best = peer;
        }

        return best;
    }

    private void Ban(int number, string reason)
    {
        foreach (var peer in _peers)
        {
            if (peer.Number != number)
                continue;
            _book.Ban(peer.Listening ?? peer.Remote);
            peer.Connection.Close(reason);
            return;
        }
    }
}
