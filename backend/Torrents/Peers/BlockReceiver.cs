using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Peers;

/// <summary>
/// Copies the blocks that one peer sends from the receive buffer straight to their place in the piece's buffer: one copy, no allocation.
/// Called by the peer's receive loop unless stated otherwise.
/// </summary>
internal sealed class BlockReceiver(IPeerOwner torrent, Peer peer)
{
    /// <summary>A peer that sends more bytes than this that were not requested is disconnected.</summary>
    private const long MostUnasked = 32 << 20;

    /// <summary>The slot that the arriving block is written to; null = the block is discarded. Changes under the torrent's lock.</summary>
    private PieceSlot? _slot;
    private int _piece;
    private int _block;
    private int _length;

    /// <summary>Bytes of the block that have arrived.</summary>
    private int _offset;

    /// <summary>False if the block was never requested from this peer. It is then discarded.</summary>
    private bool _isRequested;

    /// <summary>True when the block, or the rest of it, is discarded because we already have it.</summary>
    private bool _isDuplicate;

    /// <summary>
    /// True while another peer is sending the same block: this copy is collected in <see cref="_spill"/> until it is complete.
    /// </summary>
    private bool _spills;
    private byte[]? _spill;
    private long _unrequestedBytes;

    /// <summary>True while a block arrives that is not discarded. Under the torrent's lock.</summary>
    public bool IsWriting => _slot is not null;

    /// <summary>Call when the header of a block has arrived. Returns the reason if the peer must be disconnected, otherwise null.</summary>
    public string? Begin(int piece, int begin, int length)
    {
        (_offset, _length) = (0, length);
        _spills = _isDuplicate = false;
        lock (torrent.Gate)
        {
            if (torrent.Table is not { } table)
                return "The peer sent a block before the torrent's metadata was known.";
            if ((uint)piece >= (uint)table.Info.PieceCount || begin < 0 || begin % PieceSlot.BlockSize != 0
                || length != Math.Min(PieceSlot.BlockSize, table.Info.SizeOf(piece) - begin))
                return "The peer sent a block with an impossible position or length.";
            var block = begin / PieceSlot.BlockSize;
            (_piece, _block) = (piece, block);
            var position = peer.FindRequest(piece, block);
            if (position >= 0 && torrent.Metrics.WantsFirstBytes)
                torrent.Metrics.BlockFirstByte(torrent.Now - peer.RequestAt(position).RequestedAt);
            _isRequested = position >= 0 || peer.TakeWithdrawn(piece, block);
            if (!_isRequested && (_unrequestedBytes += length) > MostUnasked)
                return "The peer sent too many blocks that were not requested.";
            var slot = table.Slot(piece);

            // An unrequested block is not written: one peer could otherwise spoil every open piece, and cause requests to honest peers to
            // be cancelled.
            if (!_isRequested || slot is null || slot.State(block) == BlockState.Received || !slot.Admits(peer.Number))
            {
                _isDuplicate = table.Have[piece] || slot?.State(block) == BlockState.Received;
                return null;
            }

            slot.BeginWriting();
            _slot = slot;
            _spills = !slot.Claim(block, peer.Number);
            return null;
        }
    }

    /// <summary>Call with the next bytes of the block.</summary>
    public void Receive(ReadOnlySpan<byte> bytes)
    {
        if (_slot is { } slot)
        {
            if (_spills)
            {
                bytes.CopyTo((_spill ??= new byte[PieceSlot.BlockSize]).AsSpan(_offset));
                torrent.Counters.AddCopied(bytes.Length);
            }
            else if (!slot.Write(_block, peer.Number, _offset, bytes))
            {
                // Another peer was quicker, or the piece was abandoned.
                lock (torrent.Gate)
                    EndWriting();
                _isDuplicate = true;
                Discard(_offset);
            }
            else
            {
                torrent.Counters.AddCopied(bytes.Length);
            }
        }

        _offset += bytes.Length;
        if (_slot is null)
            Discard(bytes.Length);
        if (_offset == _length)
            Finish();
    }

    /// <summary>Call when the connection has ended: a partly received block is lost. Under the torrent's lock.</summary>
    public void Abandon()
    {
        if (_slot is not { } slot)
            return;
        torrent.Counters.AddDiscarded(_offset);
        slot.Unclaim(_block, peer.Number);
        EndWriting();
    }

    /// <summary>Releases the buffer of <see cref="_spills"/>. Under the torrent's lock, while no block is being written.</summary>
    public void Trim() => _spill = null;

    private void Discard(int bytes)
    {
        if (_isDuplicate)
            torrent.Counters.AddDuplicate(bytes);
        else
            torrent.Counters.AddDiscarded(bytes);
    }

    private void Finish()
    {
        var now = torrent.Now;
        lock (torrent.Gate)
        {
            var slot = _slot;
            if (slot is not null && !TryAccept(slot, now))
            {
                _isDuplicate = true;
                Discard(_length);
                slot = null;
            }

            peer.OnBlockReceived(peer.FindRequest(_piece, _block), _isRequested, _length, now);
            if (slot is not null)
                torrent.OnBlockAccepted(slot, _block, now);
            EndWriting();
        }
    }

    private bool TryAccept(PieceSlot slot, long now)
    {
        if (torrent.Table?.Slot(slot.Index) != slot || slot.State(_block) == BlockState.Received
            || (!_spills && slot.Owner(_block) != peer.Number)
            || !slot.Admits(peer.Number))
            return false;
        if (_spills)
            torrent.Counters.AddCopied(_length);
        slot.MarkReceived(_block, peer.Number, now, _spills ? _spill.AsSpan(0, _length) : default);
        torrent.Counters.AddPayload(_length);
        return true;
    }

    private void EndWriting()
    {
        if (_slot is not { } slot)
            return;
        _slot = null;
        slot.EndWriting();
        torrent.Table!.Recycle(slot);
    }
}
