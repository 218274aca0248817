using NzbDav.Content;

namespace NzbDav.Torrents.Scheduling;

/// <summary>A torrent's readers, their windows and waits. Thread-safe, except where use under the torrent's lock is stated.</summary>
/// <param name="swarm">The torrent; described before the first reader joins.</param>
internal sealed class SwarmReaders(Swarm swarm)
{
    private const string Closed = "The torrent was closed.";

    private readonly Dictionary<ReaderWindow, TorrentWaiter> _waiters = [];

    private int _urgency = (int)RequestRank.Background;

    /// <summary>The windows of the readers that are not idle. Under the gate.</summary>
    public List<ReaderWindow> Windows { get; } = [];

    /// <summary>Number of open readers, including idle ones.</summary>
    public int Open => _waiters.Count;

    /// <summary>When the last reader left, in ticks; null while there is one, and before the first. Under the gate.</summary>
    public long? Ended { get; private set; }

    /// <summary>Adds a reader, and requests the pieces that it needs at once.</summary>
    public void Join(ReaderWindow reader, TorrentWaiter waiter)
    {
        swarm.Context.Pool.Budget.AddReader();
        lock (swarm.Gate)
        {
            Windows.Add(reader);
            _waiters[reader] = waiter;
            Ended = null;
            Rank(reader);
            swarm.DeclareInterest();
            swarm.Picker!.OnReaderJoined(reader);
            swarm.Pieces!.Pin(reader.First, reader.Last);
            Widen(reader);
            Request(reader);
        }

        swarm.Flush();
    }

    /// <summary>Removes a reader.</summary>
    public void Remove(ReaderWindow reader)
    {
        lock (swarm.Gate)
        {
            _waiters.Remove(reader);
            if (Windows.Remove(reader))
                swarm.Pieces!.Unpin(reader.First, reader.Last);
            else
                swarm.Context.Pool.Budget.MarkReaderActive();
            reader.Waiting = -1;
            Rank(reader);
            if (Open == 0)
                Ended = swarm.Now;
        }

        swarm.Context.Pool.Budget.RemoveReader();

        swarm.Flush();
    }

    /// <summary>Moves a reader to a position.</summary>
    public void Move(ReaderWindow reader, long position)
    {
        lock (swarm.Gate)
        {
            var (first, last) = (reader.First, reader.Last);
            reader.MoveTo(position);
            if (reader.IsIdle)
                return;
            Widen(reader);
            if (reader.First == first && reader.Last == last)
                return;
            if (reader.First > first)
                swarm.Pieces!.Unpin(first, Math.Min(reader.First - 1, last));
            if (reader.Last > last)
                swarm.Picker!.RefillAll(swarm.Now);
        }

        swarm.Flush();
    }

    /// <summary>Marks a reader as waiting for a piece. False if the piece is held by now.</summary>
    public bool Wait(ReaderWindow reader, int piece)
    {
        lock (swarm.Gate)
        {
            if (swarm.Table!.Have[piece])
            {
                if (swarm.Pieces!.Holds(piece))
                    return false;
                swarm.OnPieceDropped(piece);
                swarm.Picker!.RefillAll(swarm.Now);
            }

            if (swarm.IsClosed)
            {
                _waiters[reader].Fail(Closed);
                return true;
            }

            ResumeLocked(reader);
            reader.Waiting = piece;
            Rank(reader);
            Request(reader);
        }

        swarm.Flush();
        return true;
    }

    /// <summary>Ends a reader's wait.</summary>
    public void StopWaiting(ReaderWindow reader)
    {
        lock (swarm.Gate)
            End(reader);
    }

    /// <summary>Sets how a reader lets others go first; null = it does not. Ignored for downloads, import and health.</summary>
    public void SetYieldMode(ReaderWindow reader, YieldMode? mode)
    {
        lock (swarm.Gate)
        {
            if (reader.YieldMode == mode || reader.Intent is ReadIntent.Download or ReadIntent.Import or ReadIntent.Health)
                return;
            reader.YieldMode = mode;
            Rank(reader);
            if (reader.IsIdle || !_waiters.ContainsKey(reader))
                return;
            var target = Math.Max(reader.First, reader.Target(swarm.Now));
            if (target < reader.Last)
            {
                swarm.Pieces!.Unpin(target + 1, reader.Last);
                reader.Fit(target);
            }

            Widen(reader);
            if (reader.Waiting >= 0)
                Request(reader);
            else
                swarm.Picker!.RefillAll(swarm.Now);
        }

        swarm.Flush();
    }

    /// <summary>
    /// Marks readers idle from which nothing was read for <see cref="ContentReader.IdleTime"/>. Their share of the memory and the line goes
    /// to others. Called once a second, under the gate.
    /// </summary>
    public void MarkIdleReaders(long now)
    {
        var rested = false;
        for (var i = Windows.Count - 1; i >= 0; i--)
        {
            var reader = Windows[i];
            if (reader.Waiting >= 0 || now - reader.LastReadAt < ContentReader.IdleTime.Ticks)
                continue;
            Windows.RemoveAt(i);
            reader.MarkIdle();
            swarm.Pieces!.Unpin(reader.First, reader.Last);
            swarm.Context.Pool.Budget.MarkReaderIdle();
            rested = true;
        }

        if (!rested)
            return;
        Recount();
        swarm.Context.Pool.Budget.WakeNext();
    }

    /// <summary>Call when an idle reader is read from again.</summary>
    public void Resume(ReaderWindow reader)
    {
        lock (swarm.Gate)
        {
            ResumeLocked(reader);
            swarm.Picker!.RefillAll(swarm.Now);
        }

        swarm.Flush();
    }

    /// <summary>
    /// Called repeatedly during a reader's wait. Requests late blocks from a second peer; fails the read with the reason if nothing has
    /// arrived for too long.
    /// </summary>
    public void CheckWait(ReaderWindow reader, long since)
    {
        var now = swarm.Now;
        lock (swarm.Gate)
        {
            if (reader.Waiting < 0 || !_waiters.TryGetValue(reader, out var waiter))
                return;
            var slot = swarm.Table!.Slot(reader.Waiting);
            var last = Math.Max(Math.Max(since, slot?.LastBlock ?? 0), swarm.Picker!.LastShownPiece);
            var patience = swarm.Context.Options.ReaderTimeout;
            if (now - last > patience.Ticks && slot?.IsVerifying != true)
            {
                waiter.Fail(LatePieces.Explain(reader.Waiting, swarm.Peers, swarm.Book.Known, patience, swarm.WebSeeds.Trouble));
                return;
            }

            foreach (var peer in swarm.Peers)
                peer.StopGathering(now);
            reader.HasYieldExpired = reader.YieldMode is { } mode && now - since >= mode.MaxWait.Ticks;
            Rank(reader);
            Request(reader);
            swarm.Picker.RequestLateDuplicates(now);
        }

        swarm.Flush();
    }

    /// <inheritdoc cref="LatePieces.Describe"/>
    public string Describe(int piece)
    {
        lock (swarm.Gate)
            return LatePieces.Describe(piece, swarm.Table!, swarm.Peers, swarm.Book.Known);
    }

    /// <summary>Call when a piece is held: wakes the readers that wait for it. Under the gate.</summary>
    public void Wake(int piece)
    {
        foreach (var (reader, waiter) in _waiters)
        {
            if (reader.Waiting != piece)
                continue;
            End(reader);
            waiter.Wake();
        }
    }

    /// <summary>Call when a block of this piece may be requested, perhaps again. Under the gate.</summary>
    public void OnPieceFreed(int piece)
    {
        foreach (var reader in Windows)
            reader.OnPieceFreed(piece);
    }

    /// <summary>Call when peers may serve pieces that none had before: readers search again from their position. Under the gate.</summary>
    public void Rewind()
    {
        foreach (var reader in Windows)
            reader.Rewind();
    }

    /// <summary>Call when the torrent is closed: fails all waits. Under the gate.</summary>
    public void Fail()
    {
        foreach (var waiter in _waiters.Values)
            waiter.Fail(Closed);
    }

    /// <summary>Call when the peers that can serve have changed: requests the blocks that readers wait for. Under the gate.</summary>
    public void RequestUrgentForWaiting()
    {
        if (swarm.Picker is null)
            return;
        foreach (var reader in Windows)
        {
            if (reader.Waiting >= 0 && !reader.IsYielding)
                swarm.Picker.RequestUrgent(reader, swarm.Now);
        }
    }

    private void Widen(ReaderWindow reader)
    {
        var target = reader.Target(swarm.Now);
        if (target <= reader.Last)
            return;
        swarm.Pieces!.Pin(reader.Last + 1, target);
        reader.Fit(target);
    }

    private void End(ReaderWindow reader)
    {
        reader.Waiting = -1;
        reader.HasYieldExpired = false;
        reader.LastReadAt = swarm.Now;
        Rank(reader);
    }

    /// <summary>Requests the blocks that a reader needs at once; if it yields, after those of others.</summary>
    private void Request(ReaderWindow reader)
    {
        if (reader.IsYielding)
            swarm.Picker!.RefillAll(swarm.Now);
        else
            swarm.Picker!.RequestUrgent(reader, swarm.Now);
    }

    private void ResumeLocked(ReaderWindow reader)
    {
        if (!reader.IsIdle || !_waiters.ContainsKey(reader))
            return;
        swarm.Context.Pool.Budget.MarkReaderActive();
        reader.Resume(swarm.Now);
        Windows.Add(reader);
        Recount();
        swarm.Picker!.OnReaderJoined(reader);
        swarm.Pieces!.Pin(reader.First, reader.Last);
        Widen(reader);
    }

    // Which readers go first, also across torrents.

    /// <summary>The rank of the most urgent reader. Needs no lock.</summary>
    public RequestRank Urgency => (RequestRank)Volatile.Read(ref _urgency);

    /// <summary>Call when a reader's rank or wait may have changed.</summary>
    private void Rank(ReaderWindow reader)
    {
        Recount();
        var holds = reader.Waiting >= 0 && reader is { YieldMode: null, Rank: RequestRank.Reader };
        if (reader.HoldsLine == holds)
            return;
        reader.HoldsLine = holds;
        if (holds)
            swarm.Context.DownloadLimit.BeginWait(swarm.Now);
        else
            swarm.Context.DownloadLimit.EndWait(swarm.Now);
    }

    private void Recount()
    {
        var urgency = RequestRank.Background;
        foreach (var reader in Windows)
            urgency = reader.Rank < urgency ? reader.Rank : urgency;
        Volatile.Write(ref _urgency, (int)urgency);
    }
}
