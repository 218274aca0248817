using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Scheduling;

/// <summary>
/// Decides which block is requested from which peer. Runs one step per event (a block, an unchoke, a seek, a lost peer), under the
/// torrent's lock, and costs nothing in between. Blocks that a reader needs at once go to the peer that is free soonest. Other blocks of
/// the readers' windows are taken in order by any peer with room, slow peers further ahead. The rest of the torrent, if wanted, is fetched
/// rarest first.
/// </summary>
internal sealed class RequestScheduler
{
    /// <summary>Blocks that a peer is given in one turn.</summary>
    private const int Stripe = 8;

    private readonly PieceTable _table;
    private readonly List<Peer> _peers;
    private readonly List<ReaderWindow> _readers;
    private readonly PeerForecast _forecast;
    private readonly FairReaderOrder _fairOrder;
    private readonly BackgroundRequests _background;
    private readonly LateBlocks _lateBlocks;
    private long _round;

    /// <param name="table">The torrent's pieces.</param>
    /// <param name="peers">The torrent's peers.</param>
    /// <param name="readers">The torrent's readers.</param>
    /// <param name="allowance">The torrent's limit of requested bytes.</param>
    /// <param name="dirty">Called with each peer whose outbox has something to send.</param>
    public RequestScheduler(PieceTable table, List<Peer> peers, List<ReaderWindow> readers, RequestAllowance allowance, Action<Peer> dirty)
    {
        _table = table;
        _peers = peers;
        _readers = readers;
        Ledger = new RequestLedger(table, peers, readers, allowance, dirty);
        _forecast = new PeerForecast(table, peers, readers);
        _fairOrder = new FairReaderOrder(readers);
        _background = new BackgroundRequests(table, Ledger);
        _lateBlocks = new LateBlocks(peers, Ledger);
        Suspects = new SuspectPieces(table, peers);
        Shown = new ShownPieces(table, readers, Ledger);
    }

    /// <summary>The requests to the peers.</summary>
    public RequestLedger Ledger { get; }

    /// <summary>Pieces that were bad.</summary>
    public SuspectPieces Suspects { get; }

    /// <summary>Pieces that are fetched from super seeds.</summary>
    public ShownPieces Shown { get; }

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

    /// <inheritdoc cref="FairReaderOrder.Joined"/>
    public void Joined(ReaderWindow reader) => _fairOrder.Joined(reader);

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

        Shown.Refill(peer, Background, now);
        if (Background)
            _background.Refill(peer, now);
    }

    /// <summary>Requests as many blocks from all peers as their queues have room for, a few blocks from each in turn, so that the blocks
    /// read first come from many peers.</summary>
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
            Shown.Refill(peer, Background, now);
            if (Background && peer.CanRequest)
                _background.Refill(peer, now);
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
                if (!Ledger.MayRequest(reader.Rank, now))
                    return;
                var peer = _forecast.FindSoonest(slot, share, _round);
                if (peer is null)
                    break;
                CancelLowerPriority(peer, now);
                Ledger.SendRequest(peer, slot, block, now);
                _fairOrder.CountBlock(reader);
            }
        }
    }

    /// <summary>Requests late blocks, which a reader waits for, from a second peer.</summary>
    public void RequestLateDuplicates(long now)
    {
        foreach (var peer in _peers)
            Shown.Refill(peer, Background, now);
        foreach (var reader in _readers)
        {
            if (reader.Waiting < 0 || reader.IsYielding || _table.Slot(reader.Waiting) is not { IsVerifying: false } slot)
                continue;
            if (slot.IsSuspect)
                Suspects.AdmitFaster(slot, now);
            _lateBlocks.RequestDuplicates(slot, now);
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

        return Background || Shown.Contains(piece);
    }

    /// <summary>Cancels requests made for readers that have left.</summary>
    public void CancelUnwanted(long now)
    {
        foreach (var peer in _peers)
        {
            // From the end: removing one at the front moves the others.
            for (var i = peer.Requests.Span - 1; i >= 0; i--)
            {
                if (peer.Requests.At(i) is { Slot: { } slot, Cancelled: false } && !IsWanted(slot.Index))
                    Ledger.Cancel(peer, i, now);
            }
        }
    }

    /// <summary>
    /// Called when a reader waits in some torrent: cancels requests that give way, except for blocks that are already on their way.
    /// </summary>
    public void Yield(long now)
    {
        foreach (var peer in _peers)
        {
            if (!PeerForecast.CanCancelRequests(peer))
                continue;
            for (var i = PeerForecast.BlocksOnTheWay(peer); i < peer.Requests.Span; i++)
            {
                if (peer.Requests.At(i) is { Slot: { } slot, Cancelled: false } && !ReaderWindow.IsFirst(_readers, slot.Index))
                    Ledger.Cancel(peer, i, now);
            }
        }
    }

    /// <summary>False if nothing was requested from the peer.</summary>
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
        while (peer.Outstanding < limit && peer.Requests.Count < RequestPipeline.Cap)
        {
            // The readers that follow are no more urgent.
            var reader = _fairOrder.Next(_round);
            if (reader is null || !Ledger.MayRequest(reader.Rank, now))
                break;
            var slot = Pick(peer, reader, ahead);
            if (slot is null)
            {
                reader.Tried = _round;
                continue;
            }

            do
            {
                Ledger.SendRequest(peer, slot, slot.NextFree(), now);
                _fairOrder.CountBlock(reader);
            }
            while (slot.Free > 0 && peer.Outstanding < limit && _readers.Count == 1 && Ledger.MayRequest(reader.Rank, now));
        }

        return peer.Outstanding > before;
    }

    /// <summary>The first piece of a window with a block to request from this peer.</summary>
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
        if (peer.LastUrgentRound == _round)
            return;
        peer.LastUrgentRound = _round;
        if (!PeerForecast.CanCancelRequests(peer))
            return;
        var onTheWay = PeerForecast.BlocksOnTheWay(peer);
        for (var i = 0; i < peer.Requests.Span; i++)
        {
            // Unwanted requests are cancelled even among the first: the round trip was estimated before the queue was long, and a cancel
            // that comes too late costs nothing.
            var request = peer.Requests.At(i);
            if (request.Slot is { } slot && !request.Cancelled && (i < onTheWay ? !IsWanted(slot.Index) : !IsUrgent(slot.Index)))
                Ledger.Cancel(peer, i, now);
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
