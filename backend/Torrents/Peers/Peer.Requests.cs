using NzbDav.Torrents.Pieces;
using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents.Peers;

/// <summary>
/// Our requests to the peer. Keeps the list of requests, the states of the pieces' blocks and the messages to the peer in step. Makes no
/// decisions: the torrent's picker does.
/// </summary>
internal sealed partial class Peer
{
    private readonly RequestRing _requests = new();
    private readonly WithdrawnRequests _withdrawn = new();
    private PickerNotes _notes = new() { BackgroundPiece = -1 };

    public RequestPipeline Pipeline { get; } = new();

    /// <summary>Its rate when its last block arrived, in bytes per second.</summary>
    public double Rate => Pipeline.Rate;

    /// <summary>When its last block arrived, or when the first request after an idle time was sent; in ticks.</summary>
    public long LastBlock { get; private set; }

    /// <summary>Requests whose answer is expected, including cancelled ones.</summary>
    public int RequestCount => _requests.Count;

    /// <summary>Requests whose block is expected, not counting cancelled ones.</summary>
    public int Outstanding => _requests.Count - _requests.Cancelled;

    /// <summary>True while a cancelled request has not been answered.</summary>
    public bool HasCancelled => _requests.HasCancelled;

    /// <summary>Positions of requests, in order, including empty ones. <see cref="RequestAt"/> accepts smaller ones.</summary>
    public int RequestSpan => _requests.Span;

    /// <summary>The picker's notes on this peer. Only the picker uses them.</summary>
    public ref PickerNotes Notes => ref _notes;

    /// <summary>The request at a position. Sending a request, or removing one, changes the positions.</summary>
    public Request RequestAt(int position) => _requests.At(position);

    /// <summary>Position of a request; −1 if there is none.</summary>
    public int FindRequest(int piece, int block) => _requests.Find(piece, block);

    /// <summary>Seconds until a block requested now would arrive, as an estimate.</summary>
    /// <param name="otherwise">Assumed rate while none was measured, in bytes per second.</param>
    public double Eta(double otherwise)
    {
        var rate = Rate > 0 ? Rate : otherwise;
        return Pipeline.RoundTrip + ((_requests.Count + 1) * PieceSlot.BlockSize / rate);
    }

    /// <summary>Requests a block.</summary>
    public void SendRequest(PieceSlot slot, int block, long now)
    {
        if (_requests.Count == 0)
        {
            Pipeline.OnRequestSent(now);
            LastBlock = now;
        }

        slot.MarkRequested(block);
        _requests.Add(new Request(slot, block, now, Cancelled: false));
        Outbox.Block(MessageId.Request, slot.Index, block * PieceSlot.BlockSize, slot.SizeOf(block));
        MarkDirty();
    }

    /// <summary>Cancels the request at a position.</summary>
    public void CancelRequest(int position, long now)
    {
        var request = _requests.At(position);
        if (request.Cancelled)
            return;
        var slot = request.Slot!;
        Outbox.Block(MessageId.Cancel, slot.Index, request.Block * PieceSlot.BlockSize, slot.SizeOf(request.Block));
        MarkDirty();

        // BEP 6: a cancel is answered, by the block or by a reject. Without BEP 6 there may be no answer.
        if (Fast)
        {
            _requests.MarkCancelled(position);
        }
        else
        {
            _withdrawn.Add(slot.Index, request.Block, now);
            RemoveRequest(position, now);
        }
    }

    /// <summary>Call when it rejects a request (BEP 6). False if it has no such request.</summary>
    public bool OnReject(int piece, int begin, long now)
    {
        var position = begin % PieceSlot.BlockSize == 0 ? _requests.Find(piece, begin / PieceSlot.BlockSize) : -1;
        if (position < 0)
            return false;
        if (PeerChoking)
            _allowed?.Remove(piece);
        else if (!_requests.At(position).Cancelled && ++_rejects > MostRejects)
            IsSnubbed = true;
        RemoveRequest(position, now);
        return true;
    }

    /// <summary>Returns true if a block may be on its way although its request was withdrawn, and forgets that request.</summary>
    public bool TakeWithdrawn(int piece, int block) => _withdrawn.Remove(piece, block);

    /// <summary>Call when a block has arrived.</summary>
    /// <param name="position">Position of its request; −1 = there is none, or none any more.</param>
    /// <param name="isRequested">True if it had been requested when it began to arrive.</param>
    /// <param name="bytes">Its bytes.</param>
    /// <param name="now">Ticks.</param>
    public void OnBlockReceived(int position, bool isRequested, int bytes, long now)
    {
        if (isRequested)
        {
            LastBlock = now;
            EndSnub();
        }

        if (position < 0)
            return;
        var request = _requests.At(position);
        Pipeline.OnBlockReceived(now, bytes, request.RequestedAt);
        AddDownloaded(bytes);
        _owner.OnBlockReceived(this, request, bytes, now);
        RemoveRequest(position, now);
    }

    /// <summary>Drops all requests: the peer choked us, left or is silent.</summary>
    private void DropRequests(long now)
    {
        for (var i = 0; i < _requests.Span; i++)
        {
            var request = _requests.At(i);
            if (request.Slot is not { } slot)
                continue;

            // Some blocks may be on their way and are still useful.
            _withdrawn.Add(slot.Index, request.Block, now);
            EndRequest(slot, request.Block);
        }

        _requests.Clear();
        Pipeline.OnIdle(now);
    }

    private void RemoveRequest(int position, long now)
    {
        var request = _requests.At(position);
        _requests.RemoveAt(position);
        if (_requests.Count == 0)
            Pipeline.OnIdle(now);
        EndRequest(request.Slot!, request.Block);
    }

    private void EndRequest(PieceSlot slot, int block)
    {
        if (slot.Unasked(block))
            _owner.OnBlockFreed(slot);
        _owner.Table!.Recycle(slot);
    }
}

/// <summary>The picker's notes on a peer between its steps.</summary>
internal struct PickerNotes
{
    /// <summary>The last piece requested in the background; −1 = none.</summary>
    public int BackgroundPiece { get; set; }

    /// <summary>The peer's <see cref="Peer.Eta"/> at the time of the last forecast.</summary>
    public double Eta { get; set; }

    /// <summary>The last urgent round in which the peer's other requests were cancelled to make room.</summary>
    public long UrgentRound { get; set; }
}
