using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Pieces;
using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents.Scheduling;

/// <summary>
/// Decides which peer is asked for which block. Runs one step per event (a block, an unchoke, a seek, a peer lost), under the torrent's lock, and
/// costs nothing in between. Blocks that a reader needs at once go to the peer that is free soonest; other blocks of the readers' windows
/// are taken in order by whoever has room, slow peers further ahead; the rest of the torrent, if it is wanted, rarest first.
/// </summary>
internal sealed class RequestScheduler(PieceTable table, List<Peer> peers, List<ReaderWindow> readers, Action<Peer> dirty)
{
    /// <summary>What an unmeasured peer is taken for, in bytes per second.</summary>
    public const double UnknownRate = 1 << 20;

    /// <summary>A reader that had nothing to ask for a while has at most this much in hand over the others, and at least…</summary>
    private const double LeadSeconds = 0.5;

    /// <summary>… so many bytes.</summary>
    private const long LeastLead = 2 << 20;

    /// <summary>A peer is slow if its next block takes this much longer than the quickest one's.</summary>
    private const double SlowFactor = 2;

    private const double SlowSeconds = 0.1;

    /// <summary>Blocks that a peer is given in one turn.</summary>
    private const int Stripe = 8;

    private long _round;
    private long _turn;
    private long _lead = LeastLead;

    /// <summary>Fetch all of the torrent, not only what readers want.</summary>
    public bool Background { get; set; }

    /// <summary>Peers on their way: being dialled, or connected and still choking us. What is needed at once is left for them too.</summary>
    public int Expected { get; set; }

    private LateBlocks Late => field ??= new LateBlocks(peers, Ask);

    /// <summary>A reader's turn begins with the others'.</summary>
    public void Joined(ReaderWindow reader) => reader.Turn = _turn;

    /// <summary>Asks a peer for as much as it has room for.</summary>
    public void Refill(Peer peer, long now)
    {
        if (!peer.CanAsk)
            return;
        RefillForReaders(peer, int.MaxValue, now);
        if (Background)
            RefillInBackground(peer, now);
    }

    /// <summary>Asks all peers for as much as they have room for, a few blocks each in turn: what is read first then comes from many.</summary>
    public void RefillAll(long now)
    {
        if (readers.Count > 0)
        {
            for (var asked = true; asked;)
            {
                asked = false;
                foreach (var peer in peers)
                    asked |= peer.CanAsk && RefillForReaders(peer, Stripe, now);
            }
        }

        if (!Background)
            return;
        foreach (var peer in peers)
        {
            if (peer.CanAsk)
                RefillInBackground(peer, now);
        }
    }

    /// <summary>Asks for what a reader needs at once, each block from the peer that is free soonest; what they were asked for others gives way.</summary>
    public void Hurry(ReaderWindow reader, long now)
    {
        _round++;
        var share = int.MaxValue;
        for (var piece = reader.First; piece <= reader.UrgentLast; piece++)
        {
            if (table.IsSettled(piece))
                continue;
            var slot = table.Slot(piece) ?? table.TryOpen(piece, piece == reader.First);
            if (slot is null)
                return;
            if (share == int.MaxValue)
                share = Share(reader);
            for (var block = slot.NextFree(); block >= 0; block = slot.NextFree())
            {
                var peer = Soonest(slot, share);
                if (peer is null)
                    break;
                GiveWay(peer, now);
                Ask(peer, slot, block, now);
                Reckon(reader);
            }
        }
    }

    /// <summary>Asks a second peer for blocks that a reader waits for and that are late.</summary>
    public void AskLateAgain(long now)
    {
        foreach (var reader in readers)
        {
            if (reader.Waiting >= 0 && table.Slot(reader.Waiting) is { IsVerifying: false, OnlyPeer: 0 } slot)
                Late.AskAgain(slot, now);
        }
    }

    /// <summary>A block may be asked for anew.</summary>
    public void Freed(PieceSlot slot)
    {
        foreach (var reader in readers)
            reader.Freed(slot.Index);
    }

    /// <summary>Takes one request out: its answer came, or will not.</summary>
    public void Remove(Peer peer, int position, long now)
    {
        var request = peer.Requests.At(position);
        peer.Requests.RemoveAt(position);
        if (peer.Requests.Count == 0)
            peer.Pipeline.Ended(now);
        if (request.Slot!.Unasked(request.Block))
            Freed(request.Slot);
    }

    /// <summary>Takes all of a peer's requests out: it choked us, went away, or is silent.</summary>
    public void RemoveAll(Peer peer, long now)
    {
        for (var i = 0; i < peer.Requests.Span; i++)
        {
            var request = peer.Requests.At(i);
            if (request.Slot is { } slot && slot.Unasked(request.Block))
                Freed(slot);
        }

        // Some of it may be on its way, and is welcome.
        peer.Unasked -= (long)peer.Requests.Count * RequestPipeline.Block;
        peer.Requests.Clear();
        peer.Pipeline.Ended(now);
    }

    /// <summary>The block came from another peer: the others need not send it.</summary>
    public void CancelOthers(PieceSlot slot, int block, long now)
    {
        foreach (var peer in peers)
        {
            if (slot.Copies(block) == 0)
                return;
            var position = peer.Requests.Find(slot.Index, block);
            if (position >= 0 && peer.Requests.At(position).Slot == slot)
                Cancel(peer, position, now);
        }
    }

    /// <summary>Somebody is going to read this piece, or all are wanted.</summary>
    public bool IsWanted(int piece)
    {
        foreach (var reader in readers)
        {
            if (piece >= reader.First && piece <= reader.Last)
                return true;
        }

        return Background;
    }

    /// <summary>Withdraws what was asked for readers that have left.</summary>
    public void CancelUnwanted(long now)
    {
        foreach (var peer in peers)
        {
            // From the end: taking one out at the front moves the others.
            for (var i = peer.Requests.Span - 1; i >= 0; i--)
            {
                if (peer.Requests.At(i) is { Slot: { } slot, Cancelled: false } && !IsWanted(slot.Index))
                    Cancel(peer, i, now);
            }
        }
    }

    private void Cancel(Peer peer, int position, long now)
    {
        var request = peer.Requests.At(position);
        if (request.Cancelled)
            return;
        var slot = request.Slot!;
        peer.Outbox.Block(MessageId.Cancel, slot.Index, request.Block * RequestPipeline.Block, slot.SizeOf(request.Block));
        dirty(peer);

        // BEP 6: a cancel is answered, by the block or by a reject. Without it nothing more may come.
        if (peer.Fast)
        {
            peer.Requests.MarkCancelled(position);
        }
        else
        {
            peer.Unasked -= RequestPipeline.Block;
            Remove(peer, position, now);
        }
    }

    private void Ask(Peer peer, PieceSlot slot, int block, long now)
    {
        if (peer.Requests.Count == 0)
        {
            peer.Pipeline.Began(now);
            peer.LastBlock = now;
        }

        slot.Asked(block);
        peer.Requests.Add(new Request(slot, block, now, Cancelled: false));
        peer.Outbox.Block(MessageId.Request, slot.Index, block * RequestPipeline.Block, slot.SizeOf(block));
        dirty(peer);
    }

    private void Reckon(ReaderWindow reader)
    {
        reader.Turn = Math.Max(reader.Turn, _turn - _lead) + RequestPipeline.Block;
        _turn = Math.Max(_turn, reader.Turn);
    }

    /// <summary>False if the peer was asked for nothing.</summary>
    private bool RefillForReaders(Peer peer, int most, long now)
    {
        var limit = peer.Pipeline.Limit(bulk: false);
        var before = peer.Outstanding;
        if (readers.Count == 0 || limit <= before || (limit - before < limit / 8 && before >= RequestPipeline.Floor))
            return false;
        _round++;
        var ahead = Ahead(peer);
        if (peer.Pipeline.IsStarting)
            limit = Math.Min(limit, WindowShare());
        limit = (int)Math.Min(limit, (long)before + most);
        while (peer.Outstanding < limit && peer.Requests.Count < RequestPipeline.Cap)
        {
            var reader = NextReader();
            if (reader is null)
                break;
            var slot = Pick(peer, reader, ahead);
            if (slot is null)
            {
                reader.Tried = _round;
                continue;
            }

            do
            {
                Ask(peer, slot, slot.NextFree(), now);
                Reckon(reader);
            }
            while (slot.Free > 0 && peer.Outstanding < limit && readers.Count == 1);
        }

        return peer.Outstanding > before;
    }

    private ReaderWindow? NextReader()
    {
        ReaderWindow? next = null;
        foreach (var reader in readers)
        {
            if (reader.Tried != _round && (next is null || Rank(reader) < Rank(next) || (Rank(reader) == Rank(next) && reader.Turn < next.Turn)))
                next = reader;
        }

        return next;
    }

    /// <summary>Import gives way to readers, health to everything.</summary>
    private static int Rank(ReaderWindow reader) => reader.Intent switch
    {
        Content.ReadIntent.Health => 2,
        Content.ReadIntent.Import => 1,
        _ => 0,
    };

    /// <summary>The first piece of a window that has something to ask of this peer.</summary>
    private PieceSlot? Pick(Peer peer, ReaderWindow reader, long ahead)
    {
        var from = reader.PieceOf(reader.Position + ahead);
        var settled = true;
        for (var piece = reader.Cursor; piece <= reader.Last; piece++)
        {
            if (table.IsSettled(piece))
            {
                if (settled)
                    reader.Cursor = piece + 1;
                continue;
            }

            settled = false;
            if (piece < from || !peer.Has(piece))
                continue;
            var slot = table.Slot(piece);
            if (slot is not null && slot.OnlyPeer != 0 && slot.OnlyPeer != peer.Number)
                continue;
            return slot ?? table.TryOpen(piece, piece == reader.Waiting);
        }

        return null;
    }

    /// <summary>How far ahead of a reader a peer is to work, in bytes: what the others fetch until its next block would be here. 0 unless it is slow.</summary>
    private long Ahead(Peer peer)
    {
        var best = double.MaxValue;
        double rate = 0;
        foreach (var other in peers)
        {
            if (!other.CanAsk)
                continue;
            best = Math.Min(best, other.Eta(UnknownRate));
            if (other.Requests.Count > 0)
                rate += other.Rate;
        }

        _lead = Math.Max(LeastLead, (long)(rate * LeadSeconds));
        var eta = peer.Eta(UnknownRate);
        return eta > (SlowFactor * best) + SlowSeconds ? (long)((eta - best) * rate) : 0;
    }

    /// <summary>How many blocks a peer is given at once of what a reader needs at once.</summary>
    private int Share(ReaderWindow reader) =>
        Share(Math.Min(reader.End, reader.Position + ReaderWindow.Initial) - ((long)reader.First * table.Info.PieceLength));

    /// <summary>
    /// How many blocks of all windows a peer is given while it is not known how quick it is. At a start the windows are small: the first few would take
    /// all, and the next round trip's worth would wait for them.
    /// </summary>
    private int WindowShare()
    {
        long needed = 0;
        foreach (var reader in readers)
            needed += Math.Min(reader.End, (reader.Last + 1L) * table.Info.PieceLength) - reader.Position;
        return Share(needed);
    }

    private int Share(long bytes)
    {
        var able = 0;
        foreach (var peer in peers)
        {
            if (peer.CanAsk)
                able++;
        }

        var blocks = (bytes + RequestPipeline.Block - 1) / RequestPipeline.Block;
        return (int)Math.Max(RequestPipeline.Start, (blocks + able + Expected - 1) / Math.Max(1, able + Expected));
    }

    private Peer? Soonest(PieceSlot slot, int share)
    {
        Peer? soonest = null;
        var best = double.MaxValue;
        foreach (var peer in peers)
        {
            if (!peer.CanAsk || !peer.Has(slot.Index) || (slot.OnlyPeer != 0 && slot.OnlyPeer != peer.Number) || peer.Requests.Count >= peer.Pipeline.PeerQueue)
                continue;

            // One that was not measured yet gets no more than its share: others may be quicker and only later.
            if (!peer.Pipeline.IsMeasured && peer.Outstanding >= share)
                continue;
            var eta = Urgent(peer);
            if (eta >= best)
                continue;
            best = eta;
            soonest = peer;
        }

        return soonest;
    }

    /// <summary>When an urgent block would be here: what can still be cancelled does not stand in its way.</summary>
    private double Urgent(Peer peer)
    {
        var rate = peer.Rate > 0 ? peer.Rate : UnknownRate;
        var before = CanGiveWay(peer) && peer.Hurried != _round ? Math.Min(peer.Outstanding, OnTheWay(peer)) : peer.Outstanding;

        // The sum, not the larger of the two: of peers equally far the one with less to send is sooner, however far they are.
        return peer.Pipeline.RoundTrip + ((before + 1) * RequestPipeline.Block / rate);
    }

    /// <summary>Without BEP 6 it is not known what comes of a cancelled request; what was not measured has a small queue anyway.</summary>
    private static bool CanGiveWay(Peer peer) => peer.Fast && peer.Pipeline.IsMeasured;

    /// <summary>Blocks that the peer has sent by the time a cancel reaches it, or that arrive before what is asked now could.</summary>
    private static int OnTheWay(Peer peer) => (int)(peer.Rate * (peer.Pipeline.RoundTrip + 0.01) / RequestPipeline.Block) + 1;

    /// <summary>Cancels what a peer was asked for beyond what is on its way by now, unless somebody needs it at once. Once per round.</summary>
    private void GiveWay(Peer peer, long now)
    {
        if (peer.Hurried == _round)
            return;
        peer.Hurried = _round;
        if (!CanGiveWay(peer))
            return;
        for (var i = OnTheWay(peer); i < peer.Requests.Span; i++)
        {
            var request = peer.Requests.At(i);
            if (request.Slot is { } slot && !request.Cancelled && !IsUrgent(slot.Index))
                Cancel(peer, i, now);
        }
    }

    private bool IsUrgent(int piece)
    {
        foreach (var reader in readers)
        {
            if (piece >= reader.First && piece <= reader.UrgentLast && reader.Waiting >= 0)
                return true;
        }

        return false;
    }

    private void RefillInBackground(Peer peer, long now)
    {
        var limit = peer.Pipeline.Limit(bulk: true);
        var room = limit - peer.Outstanding;
        if (room < limit / 8 && peer.Outstanding >= RequestPipeline.Floor)
            return;
        while (peer.Outstanding < limit && peer.Requests.Count < RequestPipeline.Cap)
        {
            if (peer.Background is not { Free: > 0, IsVerifying: false } slot || table.Slot(slot.Index) != slot)
            {
                slot = Unfinished(peer) ?? (table.Rarest(peer) is >= 0 and var piece ? table.TryOpen(piece, isWaited: false) : null);
                peer.Background = slot;
                if (slot is null)
                    return;
            }

            Ask(peer, slot, slot.NextFree(), now);
        }
    }

    /// <summary>Pieces that were begun are finished first.</summary>
    private PieceSlot? Unfinished(Peer peer)
    {
        foreach (var slot in table.Open)
        {
            if (slot is { Free: > 0, IsVerifying: false } && peer.Has(slot.Index) && (slot.OnlyPeer == 0 || slot.OnlyPeer == peer.Number))
                return slot;
        }

        return null;
    }
}
