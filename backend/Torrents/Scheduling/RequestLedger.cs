using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Pieces;
using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents.Scheduling;

/// <summary>
/// What the peers are asked for: the peers' rings of requests, the states of the pieces' blocks and what is said to the peers, always changed together.
/// Decides nothing. Used under the torrent's lock.
/// </summary>
/// <param name="table">The torrent's pieces.</param>
/// <param name="peers">The torrent's.</param>
/// <param name="readers">The torrent's; told when a block may be asked for anew.</param>
/// <param name="allowance">The torrent's.</param>
/// <param name="dirty">Called with each peer that has something to be sent.</param>
internal sealed class RequestLedger(PieceTable table, List<Peer> peers, List<ReaderWindow> readers, RequestAllowance allowance, Action<Peer> dirty)
{
    /// <inheritdoc cref="RequestAllowance.MayAsk"/>
    public bool MayAsk(long now) => allowance.MayAsk(now);

    /// <summary>Asks a peer for a block.</summary>
    public void Ask(Peer peer, PieceSlot slot, int block, long now)
    {
        if (peer.Requests.Count == 0)
        {
            peer.Pipeline.Began(now);
            peer.LastBlock = now;
        }

        slot.Asked(block);
        allowance.Asked(slot.SizeOf(block));
        peer.Requests.Add(new Request(slot, block, now, Cancelled: false));
        peer.Outbox.Block(MessageId.Request, slot.Index, block * PieceSlot.BlockSize, slot.SizeOf(block));
        dirty(peer);
    }

    /// <summary>Tells a peer that what it was asked for is no longer wanted.</summary>
    public void Cancel(Peer peer, int position, long now)
    {
        var request = peer.Requests.At(position);
        if (request.Cancelled)
            return;
        var slot = request.Slot!;
        peer.Outbox.Block(MessageId.Cancel, slot.Index, request.Block * PieceSlot.BlockSize, slot.SizeOf(request.Block));
        dirty(peer);

        // BEP 6: a cancel is answered, by the block or by a reject. Without it nothing more may come.
        if (peer.Fast)
        {
            peer.Requests.MarkCancelled(position);
        }
        else
        {
            peer.Forgive(PieceSlot.BlockSize);
            Remove(peer, position, now);
        }
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

    /// <summary>Takes one request out: its answer came, or will not.</summary>
    public void Remove(Peer peer, int position, long now)
    {
        var request = peer.Requests.At(position);
        peer.Requests.RemoveAt(position);
        if (peer.Requests.Count == 0)
            peer.Pipeline.Ended(now);
        Unasked(request.Slot!, request.Block);
    }

    /// <summary>Takes all of a peer's requests out: it choked us, went away, or is silent.</summary>
    public void RemoveAll(Peer peer, long now)
    {
        for (var i = 0; i < peer.Requests.Span; i++)
        {
            var request = peer.Requests.At(i);
            if (request.Slot is { } slot)
                Unasked(slot, request.Block);
        }

        // Some of it may be on its way, and is welcome.
        peer.Forgive((long)peer.Requests.Count * PieceSlot.BlockSize);
        peer.Requests.Clear();
        peer.Pipeline.Ended(now);
    }

    /// <summary>A block of this piece may be asked for anew.</summary>
    public void Freed(PieceSlot slot)
    {
        foreach (var reader in readers)
            reader.Freed(slot.Index);
    }

    private void Unasked(PieceSlot slot, int block)
    {
        if (slot.Unasked(block))
            Freed(slot);
        table.Recycle(slot);
    }
}
