using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Scheduling;

/// <summary>A torrent's readers, their windows and waits. Thread-safe, except where use under the torrent's lock is stated.</summary>
/// <param name="swarm">The torrent; described before the first reader joins.</param>
internal sealed class SwarmReaders(ISwarm swarm)
{
    private const string Closed = "The torrent was closed.";

    private readonly Dictionary<ReaderWindow, TorrentWaiter> _waiters = [];

    /// <summary>The window of each reader. Under the gate.</summary>
    public List<ReaderWindow> Windows { get; } = [];

    /// <summary>Adds a reader, and requests the pieces that it needs at once.</summary>
    public void Join(ReaderWindow reader, TorrentWaiter waiter)
    {
        swarm.Context.Pool.Budget.AddReader();
        lock (swarm.Gate)
        {
            Windows.Add(reader);
            _waiters[reader] = waiter;
            swarm.Scheduler!.Joined(reader);
            swarm.Pieces!.Pin(reader.First, reader.Last);
            Widen(reader);
            swarm.Scheduler.Hurry(reader, swarm.Now);
        }

        swarm.Flush();
    }

    /// <summary>Removes a reader.</summary>
    public void Leave(ReaderWindow reader)
    {
        swarm.Context.Pool.Budget.RemoveReader();
        lock (swarm.Gate)
        {
            Windows.Remove(reader);
            _waiters.Remove(reader);
            swarm.Pieces!.Unpin(reader.First, reader.Last);
        }

        swarm.Flush();
    }

    /// <summary>Moves a reader to a position.</summary>
    public void Move(ReaderWindow reader, long position)
    {
        lock (swarm.Gate)
        {
            var (first, last) = (reader.First, reader.Last);
            reader.MoveTo(position);
            Widen(reader);
            if (reader.First == first && reader.Last == last)
                return;
            if (reader.First > first)
                swarm.Pieces!.Unpin(first, Math.Min(reader.First - 1, last));
            if (reader.Last > last)
                swarm.Scheduler!.RefillAll(swarm.Now);
        }

        swarm.Flush();
    }

    /// <summary>Notes that a reader waits for a piece. False if the piece is held by now.</summary>
    public bool Wait(ReaderWindow reader, int piece)
    {
        lock (swarm.Gate)
        {
            if (swarm.Table!.Have[piece])
            {
                if (swarm.Pieces!.Holds(piece))
                    return false;
                swarm.NoteDropped(piece);
                swarm.Scheduler!.RefillAll(swarm.Now);
            }

            if (swarm.IsClosed)
            {
                _waiters[reader].Fail(Closed);
                return true;
            }

            reader.Waiting = piece;
            swarm.Scheduler!.Hurry(reader, swarm.Now);
        }

        swarm.Flush();
        return true;
    }

    /// <summary>Ends a reader's wait.</summary>
    public void StopWaiting(ReaderWindow reader)
    {
        lock (swarm.Gate)
            reader.Waiting = -1;
    }

    /// <summary>Called during a reader's wait. Requests late blocks again; if nothing arrives at all, the read fails with the reason.</summary>
    public void LookAfter(ReaderWindow reader, long since)
    {
        var now = swarm.Now;
        lock (swarm.Gate)
        {
            if (reader.Waiting < 0 || !_waiters.TryGetValue(reader, out var waiter))
                return;
            var slot = swarm.Table!.Slot(reader.Waiting);
            var last = Math.Max(since, slot?.LastBlock ?? 0);
            if (now - last > swarm.Context.Options.ReaderPatience.Ticks && slot?.IsVerifying != true)
            {
                waiter.Fail(Reason(reader.Waiting));
                return;
            }

            foreach (var peer in swarm.Peers)
                peer.StopGathering(now);
            swarm.Scheduler!.Hurry(reader, now);
            swarm.Scheduler.AskLateAgain(now);
        }

        swarm.Flush();
    }

    /// <summary>A piece is held: wakes the readers that wait for it. Under the gate.</summary>
    public void Wake(int piece)
    {
        foreach (var (reader, waiter) in _waiters)
        {
            if (reader.Waiting != piece)
                continue;
            reader.Waiting = -1;
            waiter.Wake();
        }
    }

    /// <summary>The torrent is closed: fails all waits. Under the gate.</summary>
    public void Fail()
    {
        foreach (var waiter in _waiters.Values)
            waiter.Fail(Closed);
    }

    /// <summary>The peers that can serve have changed: requests again what readers wait for. Under the gate.</summary>
    public void HurryWaiting()
    {
        if (swarm.Scheduler is null)
            return;
        foreach (var reader in Windows)
        {
            if (reader.Waiting >= 0)
                swarm.Scheduler.Hurry(reader, swarm.Now);
        }
    }

    /// <summary>Describes why an awaited piece is late: how much of it arrived, which peers have it, and which of them serve.</summary>
    public string Tell(int piece)
    {
        lock (swarm.Gate)
        {
            var number = piece.ToString(System.Globalization.CultureInfo.InvariantCulture);
            var slot = swarm.Table!.Slot(piece);
            if (slot is { IsVerifying: true })
                return $"piece {number} had arrived and was being checked{Bad(slot)}";
            var (having, serving, asked) = (0, 0, 0);
            foreach (var peer in swarm.Peers)
            {
                having += peer.Has(piece) ? 1 : 0;
                serving += peer.Has(piece) && !peer.ChokesUs ? 1 : 0;
            }

            for (var block = 0; block < (slot?.Blocks ?? 0); block++)
                asked += slot!.Copies(block) > 0 ? 1 : 0;
            var who = swarm.Peers.Count == 0 ? $"no peer was connected (of {swarm.Book.Known} known)"
                : having == 0 ? $"none of {swarm.Peers.Count} connected peers had it"
                : $"{having} of {swarm.Peers.Count} connected peers had it, {(serving == having ? "" : $"{having - serving} of them choked us, ")}{(serving == 0 ? "none served it" : $"{serving} served it")}";
            return slot is null
                ? $"piece {number}: no block of it had arrived, {who}"
                : $"piece {number}: {slot.Received} of {slot.Blocks} blocks had arrived and {asked} were requested, {who}{Bad(slot)}";
        }

        static string Bad(PieceSlot? slot) => slot is { IsSuspect: true } ? "; it had failed its hash before" : "";
    }

    private string Reason(int piece)
    {
        var having = 0;
        var serving = 0;
        foreach (var peer in swarm.Peers)
        {
            if (!peer.Has(piece))
                continue;
            having++;
            if (!peer.ChokesUs)
                serving++;
        }

        var number = piece.ToString(System.Globalization.CultureInfo.InvariantCulture);
        if (swarm.Peers.Count == 0)
            return $"No peer of the torrent can be reached (of {swarm.Book.Known} known); piece {number} is missing.";
        if (having == 0)
            return $"None of {swarm.Peers.Count} connected peers has piece {number}.";
        return serving == 0
            ? $"{having} peers have piece {number}, but none of them serves us."
            : $"{serving} peers could serve piece {number}, but nothing arrived for {swarm.Context.Options.ReaderPatience.TotalSeconds:0} s.";
    }

    private void Widen(ReaderWindow reader)
    {
        var target = reader.Target(swarm.Now);
        if (target <= reader.Last)
            return;
        swarm.Pieces!.Pin(reader.Last + 1, target);
        reader.Widen(target);
    }
}
