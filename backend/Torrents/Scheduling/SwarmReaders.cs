using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Scheduling;

/// <summary>A torrent's readers: what they are going to read and what they wait for. Thread-safe, but for what says that it is used under the torrent's lock.</summary>
/// <param name="swarm">The torrent; described before the first reader comes.</param>
internal sealed class SwarmReaders(Swarm swarm)
{
    private const string Closed = "The torrent was closed.";

    private readonly Dictionary<ReaderWindow, TorrentWaiter> _waiters = [];

    /// <summary>What each is going to read. Under the gate.</summary>
    public List<ReaderWindow> Windows { get; } = [];

    /// <summary>A reader joins; the pieces it needs at once are asked for.</summary>
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

    /// <summary>A reader leaves.</summary>
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

    /// <summary>A reader has gone on.</summary>
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

    /// <summary>A reader waits for a piece, unless it is held by now (false).</summary>
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

    /// <summary>A reader no longer waits.</summary>
    public void StopWaiting(ReaderWindow reader)
    {
        lock (swarm.Gate)
            reader.Waiting = -1;
    }

    /// <summary>A reader has waited for a while: late blocks are asked again, and if nothing comes at all its read fails with the reason.</summary>
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

    /// <summary>A piece is held: whoever waits for it looks again. Under the gate.</summary>
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

    /// <summary>The torrent is closed: whoever waits is told. Under the gate.</summary>
    public void Fail()
    {
        foreach (var waiter in _waiters.Values)
            waiter.Fail(Closed);
    }

    /// <summary>Who can be asked has changed: what readers wait for is asked again. Under the gate.</summary>
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

    /// <summary>What stands in the way of a piece that is waited for, in words: how much of it came, who has it, and who of them serves.</summary>
    public string Tell(int piece)
    {
        lock (swarm.Gate)
        {
            var number = piece.ToString(System.Globalization.CultureInfo.InvariantCulture);
            var slot = swarm.Table!.Slot(piece);
            if (slot is { IsVerifying: true })
                return $"piece {number} had come and was checked{Bad(slot)}";
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
                ? $"piece {number}: no block of it had come, {who}"
                : $"piece {number}: {slot.Received} of {slot.Blocks} blocks had come and {asked} were asked for, {who}{Bad(slot)}";
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
            : $"{serving} peers could serve piece {number}, but nothing came for {swarm.Context.Options.ReaderPatience.TotalSeconds:0} s.";
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
