using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Pieces;
using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents.Scheduling;

/// <summary>
/// Keeps the peers' rings of requests, the states of the pieces' blocks and the messages to the peers consistent: they always change
/// together. Makes no decisions. Used under the torrent's lock.
/// </summary>
/// <param name="table">The torrent's pieces.</param>
/// <param name="peers">The torrent's peers.</param>
/// <param name="readers">The torrent's readers; notified when a block may be requested again.</param>
/// <param name="allowance">The torrent's limit.</param>
/// <param name="dirty">Called with each peer whose outbox has something to send.</param>
internal sealed class RequestLedger(
    PieceTable table, List<Peer> peers, List<ReaderWindow> readers, RequestAllowance allowance, Action<Peer> dirty)
{
    /// <inheritdoc cref="RequestAllowance.MayRequest"/>
    public bool MayRequest(RequestRank rank, long now) => allowance.MayRequest(rank, now);

    /// <inheritdoc cref="SharedAllowance.IsShared"/>
    public bool IsShared => allowance.IsShared;

    /// <summary>Requests a block from a peer.</summary>
    public void SendRequest(Peer peer, PieceSlot slot, int block, long now)
    {
        if (peer.Requests.Count == 0)
        {
            peer.Pipeline.OnRequestSent(now);
            peer.LastBlock = now;
        }

        slot.MarkRequested(block);
        allowance.CountRequest(slot.SizeOf(block));
        peer.Requests.Add(new Request(slot, block, now, Cancelled: false));
        peer.Outbox.Block(MessageId.Request, slot.Index, block * PieceSlot.BlockSize, slot.SizeOf(block));
        dirty(peer);
    }

    /// <summary>Cancels a request to a peer.</summary>
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
            peer.Withdrawn.Add(slot.Index, request.Block, now);
            Remove(peer, position, now);
        }
    }

    /// <summary>A block has arrived: cancels the requests for it to other peers.</summary>
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

    /// <summary>Removes one request: its answer has arrived, or will not.</summary>
    public void Remove(Peer peer, int position, long now)
    {
        var request = peer.Requests.At(position);
        peer.Requests.RemoveAt(position);
        if (peer.Requests.Count == 0)
            peer.Pipeline.OnIdle(now);
        Unasked(request.Slot!, request.Block);
    }

    /// <summary>Removes all requests to a peer that choked us, left or is silent.</summary>
    public void RemoveAll(Peer peer, long now)
    {
        for (var i = 0; i < peer.Requests.Span; i++)
        {
            var request = peer.Requests.At(i);
            if (request.Slot is not { } slot)
                continue;

            // Some blocks may be on their way, and are still useful.
            peer.Withdrawn.Add(slot.Index, request.Block, now);
            Unasked(slot, request.Block);
        }

        peer.Requests.Clear();
        peer.Pipeline.OnIdle(now);
    }

    /// <summary>Notes that a block of this piece may be requested again.</summary>
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
