using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Scheduling;

/// <summary>
/// Copies blocks from the receive buffer straight to their place in the piece's buffer: one copy, no allocation. Called by the peers'
/// receive loops, each for its own peer.
/// </summary>
internal sealed class BlockReceiver(Swarm swarm) : IBlockReceiver<Peer>
{
    /// <summary>A peer that sends more unrequested bytes than this is disconnected.</summary>
    private const long MostUnasked = 32 << 20;

    /// <summary>The header of a block arrived. Returns the reason if the peer must be disconnected, otherwise null.</summary>
    public string? Begin(Peer peer, int piece, int begin, int length)
    {
        peer.Spills = false;
        peer.BlockOffset = 0;
        peer.BlockLength = length;
        peer.IsDuplicate = false;
        lock (swarm.Gate)
        {
            if (swarm.Table is not { } table)
                return "The peer sent a block before the torrent's metadata was known.";
            if ((uint)piece >= (uint)table.Info.PieceCount || begin < 0 || begin % PieceSlot.BlockSize != 0
                || length != Math.Min(PieceSlot.BlockSize, table.Info.SizeOf(piece) - begin))
                return "The peer sent a block with an impossible position or length.";
            var block = begin / PieceSlot.BlockSize;
            peer.Block = block;
            peer.BlockPiece = piece;
            var position = peer.Requests.Find(piece, block);
            if (position >= 0 && swarm.Metrics.WantsFirstBytes)
                swarm.Metrics.BlockFirstByte(swarm.Now - peer.Requests.At(position).RequestedAt);
            peer.IsUnasked = position < 0 && !peer.Withdrawn.Remove(piece, block);
            if (peer.IsUnasked && (peer.UnrequestedBytes += length) > MostUnasked)
                return "The peer sent too many blocks that were not requested.";
            var slot = table.Slot(piece);

            // An unrequested block is not written: otherwise one peer could spoil every open piece, and cause the requests to honest peers
            // to be cancelled.
            if (peer.IsUnasked || slot is null || slot.State(block) == BlockState.Received
                || !slot.Admits(peer.Number))
            {
                peer.IsDuplicate = table.Have[piece] || slot?.State(block) == BlockState.Received;
                return null;
            }

            peer.BeginWriting(slot);
            peer.Spills = !slot.Claim(block, peer.Number);
            return null;
        }
    }

    /// <summary>The next bytes of the block arrived.</summary>
    public void Receive(Peer peer, ReadOnlySpan<byte> bytes)
    {
        if (peer.Slot is { } slot)
        {
            if (peer.Spills)
            {
                bytes.CopyTo(peer.Spill.AsSpan(peer.BlockOffset));
                swarm.Counters.AddCopied(bytes.Length);
            }
            else if (!slot.Write(peer.Block, peer.Number, peer.BlockOffset, bytes))
            {
                // Another peer was quicker, or the piece was abandoned.
                lock (swarm.Gate)
                    peer.EndWriting(swarm.Table!);
                peer.IsDuplicate = true;
                Reject(peer, peer.BlockOffset);
            }
            else
            {
                swarm.Counters.AddCopied(bytes.Length);
            }
        }

        peer.BlockOffset += bytes.Length;
        if (peer.Slot is null)
            Reject(peer, bytes.Length);
        if (peer.BlockOffset == peer.BlockLength)
            Finish(peer);
    }

    /// <summary>The connection ended: a partly received block is lost. Under the torrent's lock.</summary>
    public void Abandon(Peer peer)
    {
        if (peer.Slot is not { } slot)
            return;
        swarm.Counters.AddDiscarded(peer.BlockOffset);
        slot.Unclaim(peer.Block, peer.Number);
        peer.EndWriting(swarm.Table!);
    }

    private void Reject(Peer peer, int bytes)
    {
        if (peer.IsDuplicate)
            swarm.Counters.AddDuplicate(bytes);
        else
            swarm.Counters.AddDiscarded(bytes);
    }

    private void Finish(Peer peer)
    {
        var now = swarm.Now;
        lock (swarm.Gate)
        {
            var slot = peer.Slot;
            var position = peer.Requests.Find(peer.BlockPiece, peer.Block);
            var asked = position >= 0 ? peer.Requests.At(position).RequestedAt : now;
            if (slot is not null && !Accept(peer, slot, now))
            {
                peer.IsDuplicate = true;
                Reject(peer, peer.BlockLength);
                slot = null;
            }

            if (!peer.IsUnasked)
            {
                peer.LastBlock = now;
                peer.IsSnubbed = false;
                peer.Rejects = 0;
            }

            if (position >= 0)
            {
                peer.Pipeline.OnBlockReceived(now, peer.BlockLength, asked);
                peer.AddDownloaded(peer.BlockLength);
                swarm.Context.DownloadLimit.Received(peer.BlockLength, ReaderWindow.IsFirst(swarm.Readers.Windows, peer.BlockPiece), now);
                swarm.Metrics.BlockReceived(now - asked, peer.Pipeline.RoundTrip);
                swarm.Scheduler!.Ledger.Remove(peer, position, now);
            }

            if (slot is not null)
                CompleteBlock(slot, peer.Block, now);
            peer.EndWriting(swarm.Table!);
        }
    }

    private void CompleteBlock(PieceSlot slot, int block, long now)
    {
        if (slot.Copies(block) > 0)
            swarm.Scheduler!.Ledger.CancelOthers(slot, block, now);
        if (slot.IsComplete)
            swarm.Verify(slot, now);
    }

    private bool Accept(Peer peer, PieceSlot slot, long now)
    {
        if (swarm.Table?.Slot(slot.Index) != slot || slot.State(peer.Block) == BlockState.Received
            || (!peer.Spills && slot.Owner(peer.Block) != peer.Number)
            || !slot.Admits(peer.Number))
            return false;
        if (peer.Spills)
            swarm.Counters.AddCopied(peer.BlockLength);
        slot.MarkReceived(peer.Block, peer.Number, now, peer.Spills ? peer.Spill.AsSpan(0, peer.BlockLength) : default);
        swarm.Counters.AddPayload(peer.BlockLength);
        return true;
    }
}
