using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Scheduling;

/// <summary>
/// Decides which block is requested from which peer; nothing else does. Runs one step per event (a block, an unchoke, a seek, a lost peer),
/// under the torrent's lock, and costs nothing in between. Blocks that a reader needs at once go to the peer that is free soonest. Other
/// blocks of the readers' windows are taken in order by any peer with room; slow peers work further ahead. The rest of the torrent, if
/// wanted, is fetched rarest first.
/// </summary>
internal sealed partial class Picker
{
    /// <summary>Blocks that a peer is given in one turn.</summary>
    private const int Stripe = 8;

    private readonly PieceTable _table;
    private readonly List<Peer> _peers;
    private readonly List<ReaderWindow> _readers;
    private readonly RequestAllowance _allowance;
    private readonly PeerForecast _forecast;
    private readonly FairReaderOrder _fairOrder;
    private long _round;

    /// <param name="table">The torrent's pieces.</param>
    /// <param name="peers">The torrent's peers.</param>
    /// <param name="readers">The torrent's readers.</param>
    /// <param name="allowance">The torrent's limit of requested bytes.</param>
    public Picker(PieceTable table, List<Peer> peers, List<ReaderWindow> readers, RequestAllowance allowance)
    {
        _table = table;
        _peers = peers;
        _readers = readers;
        _allowance = allowance;
        _forecast = new PeerForecast(table, peers, readers);
        _fairOrder = new FairReaderOrder(readers);
    }

    /// <summary>True: fetch all of the torrent, not only what readers need.</summary>
    public bool Background { get; set; }

    /// <inheritdoc cref="PeerForecast.ForecastCount"/>
    public long Forecasts => _forecast.ForecastCount;

    /// <inheritdoc cref="PeerForecast.Expected"/>
    public int Expected
    {
        get => _forecast.Expected;
        set => _forecast.Expected = value;
    }

    /// <inheritdoc cref="FairReaderOrder.OnReaderJoined"/>
    public void OnReaderJoined(ReaderWindow reader) => _fairOrder.OnReaderJoined(reader);

    /// <summary>Requests as many blocks from a peer as its queue has room for.</summary>
    public void Refill(Peer peer, long now)
    {
        if (!peer.CanRequest)
            return;
        if (_readers.Count > 0)
        {
            _forecast.Make();
            RefillForReaders(peer, int.MaxValue, now);
        }

        RefillShown(peer, now);
        if (Background)
            RefillInBackground(peer, now);
    }

    /// <summary>
    /// Requests as many blocks from all peers as their queues have room for. Takes a few blocks from each in turn, so that the blocks read
    /// first come from many peers.
    /// </summary>
    public void RefillAll(long now)
    {
        if (_readers.Count > 0)
        {
            _forecast.Make();
            for (var asked = true; asked;)
            {
                asked = false;
                foreach (var peer in _peers)
                    asked |= peer.CanRequest && RefillForReaders(peer, Stripe, now);
            }
        }

        foreach (var peer in _peers)
        {
            RefillShown(peer, now);
            if (Background && peer.CanRequest)
                RefillInBackground(peer, now);
        }
    }

    /// <summary>
    /// Requests the blocks that a reader needs at once, each from the peer that is free soonest. Less urgent requests to that peer are
    /// cancelled.
    /// </summary>
    public void RequestUrgent(ReaderWindow reader, long now)
    {
        _round++;
        var share = int.MaxValue;
        for (var piece = reader.First; piece <= reader.UrgentLast; piece++)
        {
            if (_table.IsSettled(piece))
                continue;
            var slot = _table.Slot(piece) ?? _table.TryOpen(piece, piece == reader.First);
            if (slot is null)
                return;
            if (share == int.MaxValue)
                share = _forecast.BlocksPerPeer(reader);
            for (var block = slot.NextFree(); block >= 0; block = slot.NextFree())
            {
                if (!_allowance.MayRequest(reader.Rank, now))
                    return;
                var peer = _forecast.FindSoonest(slot, share, _round);
                if (peer is null)
                    break;
                CancelLowerPriority(peer, now);
                SendRequest(peer, slot, block, now);
                _fairOrder.CountBlock(reader);
            }
        }
    }

    /// <summary>Requests late blocks, which a reader waits for, from a second peer.</summary>
    public void RequestLateDuplicates(long now)
    {
        foreach (var peer in _peers)
            RefillShown(peer, now);
        foreach (var reader in _readers)
        {
            if (reader.Waiting < 0 || reader.IsYielding || _table.Slot(reader.Waiting) is not { IsVerifying: false } slot)
                continue;
            if (slot.IsSuspect)
                AdmitFaster(slot, now);
            RequestDuplicates(slot, now);
        }
    }

    /// <summary>True if this piece is in a reader's window, or if all pieces are wanted.</summary>
    public bool IsWanted(int piece)
    {
        foreach (var reader in _readers)
        {
            if (piece >= reader.First && piece <= reader.Last)
                return true;
        }

        return Background || _shown.Contains(piece);
    }

    /// <summary>Cancels requests made for readers that have left.</summary>
    public void CancelUnwanted(long now)
    {
        foreach (var peer in _peers)
        {
            // From the end: removing one at the front moves the others.
            for (var i = peer.RequestSpan - 1; i >= 0; i--)
            {
                if (peer.RequestAt(i) is { Slot: { } slot, Cancelled: false } && !IsWanted(slot.Index))
                    peer.CancelRequest(i, now);
            }
        }
    }

    /// <summary>
    /// Called when a reader waits in any torrent: cancels requests that give way, except for blocks that are already on their way.
    /// </summary>
    public void Yield(long now)
    {
        foreach (var peer in _peers)
        {
            if (!PeerForecast.CanCancelRequests(peer))
                continue;
            for (var i = PeerForecast.BlocksOnTheWay(peer); i < peer.RequestSpan; i++)
            {
                if (peer.RequestAt(i) is { Slot: { } slot, Cancelled: false } && !ReaderWindow.IsFirst(_readers, slot.Index))
                    peer.CancelRequest(i, now);
            }
        }
    }

    /// <summary>Called when a block has arrived: cancels the requests for it to other peers.</summary>
    public void CancelOthers(PieceSlot slot, int block, long now)
    {
        foreach (var peer in _peers)
        {
            if (slot.Copies(block) == 0)
                return;
            var position = peer.FindRequest(slot.Index, block);
            if (position >= 0 && peer.RequestAt(position).Slot == slot)
                peer.CancelRequest(position, now);
        }
    }

    /// <summary>Requests a block that the allowance has just admitted.</summary>
    private void SendRequest(Peer peer, PieceSlot slot, int block, long now)
    {
        _allowance.CountRequest(slot.SizeOf(block));
        peer.SendRequest(slot, block, now);
    }

    /// <summary>Requests blocks of the readers' windows from a peer. False if nothing was requested.</summary>
    private bool RefillForReaders(Peer peer, int most, long now)
    {
        var limit = peer.Pipeline.Limit(bulk: false);
        var before = peer.Outstanding;
        if (limit <= before || (limit - before < limit / 8 && before >= RequestPipeline.Floor))
            return false;
        _round++;
        var ahead = _forecast.Ahead(peer);
        _fairOrder.Follow(_forecast.LineRate);
        if (peer.Pipeline.IsStarting)
            limit = Math.Min(limit, _forecast.WindowBlocksPerPeer());
        limit = (int)Math.Min(limit, (long)before + most);
        while (peer.Outstanding < limit && peer.RequestCount < RequestPipeline.Cap)
        {
            // Next returns the most urgent first: the readers after this one would be refused too.
            var reader = _fairOrder.Next(_round);
            if (reader is null || !_allowance.MayRequest(reader.Rank, now))
                break;
            var slot = Pick(peer, reader, ahead);
            if (slot is null)
            {
                reader.Tried = _round;
                continue;
            }

            do
            {
                SendRequest(peer, slot, slot.NextFree(), now);
                _fairOrder.CountBlock(reader);
            }
            while (slot.Free > 0 && peer.Outstanding < limit && _readers.Count == 1 && _allowance.MayRequest(reader.Rank, now));
        }

        return peer.Outstanding > before;
    }

    /// <summary>Finds the first piece of a window with a block to request from this peer.</summary>
    private PieceSlot? Pick(Peer peer, ReaderWindow reader, long ahead)
    {
        var from = reader.PieceOf(reader.Position + ahead);
        var settled = true;
        for (var piece = reader.Cursor; piece <= reader.Last; piece++)
        {
            if (_table.IsSettled(piece))
            {
                if (settled)
                    reader.Cursor = piece + 1;
                continue;
            }

            settled = false;
            if (piece < from || !peer.Serves(piece))
                continue;
            var slot = _table.Slot(piece);
            if (slot is not null && !slot.Admits(peer.Number))
                continue;
            return slot ?? _table.TryOpen(piece, piece == reader.Waiting);
        }

        return null;
    }

    /// <summary>
    /// Makes room for urgent blocks, once per round: cancels a peer's requests for pieces that are no longer wanted, and, beyond the blocks
    /// that are already on their way, all requests that no waiting reader needs at once.
    /// </summary>
    private void CancelLowerPriority(Peer peer, long now)
    {
        if (peer.Notes.UrgentRound == _round)
            return;
        peer.Notes.UrgentRound = _round;
        if (!PeerForecast.CanCancelRequests(peer))
            return;
        var onTheWay = PeerForecast.BlocksOnTheWay(peer);
        for (var i = 0; i < peer.RequestSpan; i++)
        {
            // Unwanted requests are cancelled even among the first: the round trip was estimated before the queue was long, and a cancel
            // that comes too late costs nothing.
            var request = peer.RequestAt(i);
            if (request.Slot is { } slot && !request.Cancelled && (i < onTheWay ? !IsWanted(slot.Index) : !IsUrgent(slot.Index)))
                peer.CancelRequest(i, now);
        }
    }

    private bool IsUrgent(int piece)
    {
        foreach (var reader in _readers)
        {
            if (piece >= reader.First && piece <= reader.UrgentLast && reader.Waiting >= 0 && !reader.IsYielding)
                return true;
        }

        return false;
    }
}
