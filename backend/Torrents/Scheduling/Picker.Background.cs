using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Scheduling;

/// <summary>Requests that no reader needs yet: the rest of the torrent, and the pieces that super seeds show.</summary>
internal sealed partial class Picker
{
    // When all of a torrent is wanted: first the pieces already begun, then the rarest.

    /// <summary>Requests as many blocks from a peer as its queue has room for.</summary>
    private void RefillInBackground(Peer peer, long now)
    {
        var limit = peer.Pipeline.Limit(bulk: !_allowance.IsShared);
        var room = limit - peer.Outstanding;
        if (room < limit / 8 && peer.Outstanding >= RequestPipeline.Floor)
            return;
        while (peer.Outstanding < limit && peer.RequestCount < RequestPipeline.Cap && _allowance.MayRequest(RequestRank.Background, now))
        {
            var slot = peer.Notes.BackgroundPiece < 0 ? null : _table.Slot(peer.Notes.BackgroundPiece);
            if (slot is null || !CanGoOn(peer, slot))
            {
                slot = Unfinished(peer) ?? (_table.IsHeldBack?.Invoke() != true && NextInBackground(peer) is >= 0 and var piece
                    ? _table.TryOpen(piece, isWaited: false) : null);
                peer.Notes.BackgroundPiece = slot?.Index ?? -1;
                if (slot is null)
                    return;
            }

            SendRequest(peer, slot, slot.NextFree(), now);
        }
    }

    /// <summary>
    /// Chooses the piece to begin: the one that the peer suggested (BEP 6), which it can send at once, otherwise the rarest. From a peer
    /// that chokes us, one of its allowed-fast pieces. −1: none.
    /// </summary>
    private int NextInBackground(Peer peer)
    {
        var suggested = peer.UseSuggestion();
        if ((uint)suggested < (uint)_table.Info.PieceCount && CanBegin(peer, suggested))
            return suggested;
        if (!peer.PeerChoking)
            return Rarest(peer);
        foreach (var piece in peer.Allowed)
        {
            if ((uint)piece < (uint)_table.Info.PieceCount && CanBegin(peer, piece))
                return piece;
        }

        return -1;
    }

    private bool CanBegin(Peer peer, int piece) => !_table.Have[piece] && _table.Slot(piece) is null && peer.Serves(piece);

    /// <summary>Finds a piece that was begun and that the peer can continue; null: none.</summary>
    private PieceSlot? Unfinished(Peer peer)
    {
        foreach (var slot in _table.Open)
        {
            if (CanGoOn(peer, slot))
                return slot;
        }

        return null;
    }

    private static bool CanGoOn(Peer peer, PieceSlot slot) =>
        slot is { Free: > 0, IsVerifying: false } && peer.Serves(slot.Index) && slot.Admits(peer.Number);

    /// <summary>
    /// Finds the next piece to fetch among those that a peer serves and that are neither held nor begun; −1: none. Chooses the rarest of
    /// the highest rank, and equally rare ones in order.
    /// </summary>
    private int Rarest(Peer peer)
    {
        var ranks = _table.Ranks;
        var (best, rank, fewest) = (-1, 0, int.MaxValue);
        for (var piece = _table.FirstMissing(); piece < _table.Info.PieceCount; piece++)
        {
            var pieceRank = ranks?[piece] ?? 1;
            if (pieceRank < rank || pieceRank == 0 || _table.Have[piece] || _table.Slot(piece) is not null || !peer.Serves(piece))
                continue;
            var count = _table.IsSequential ? 0 : _table.Counted(piece);
            if (pieceRank == rank && count >= fewest)
                continue;
            (best, rank, fewest) = (piece, pieceRank, count);
            if (fewest == 0 && ranks is null)
                break;
        }

        return best;
    }

    // Super seeds. A seed in super-seeding mode (BEP 16) claims to have nothing, announces a piece or two, and announces others only when
    // those have been downloaded. So the pieces that it shows are fetched to make it show more. This is done while a reader waits for a
    // piece that no peer has announced. It is also done when only a part of the torrent is fetched: while no peer has announced the first
    // missing piece of that part, or until it is known whether the peer is a super seed, which has everything (ShownRounds).

    /// <summary>
    /// Most pieces that we lack and that a presumed super seed has announced: libtorrent's shows two at first. A peer with more is merely
    /// incomplete, and fetching from it makes it show nothing more.
    /// </summary>
    private const int MostShown = 8;

    private readonly HashSet<int> _shown = [];

    /// <summary>When a piece fetched from a super seed was last complete, in ticks; 0 = never.</summary>
    public long LastShownPiece { get; private set; }

    /// <summary>True if every piece has been seen here or at a peer.</summary>
    public bool SawWhole { get; set; }

    /// <summary>Call when a piece is complete.</summary>
    /// <returns>True if it was fetched to make a super seed show more: announce it to peers at once, because the super seed waits for
    /// that.</returns>
    public bool OnPieceCompleted(int piece, long now)
    {
        foreach (var peer in _peers)
        {
            if (IsCandidate(peer) && peer.Has(piece))
                peer.Rounds.OnShownPieceObtained(now);
        }

        if (!_shown.Remove(piece))
            return false;
        LastShownPiece = now;
        return true;
    }

    /// <summary>Requests the pieces that a peer shows, if no peer shows a piece that is needed.</summary>
    private void RefillShown(Peer peer, long now)
    {
        var rank = IsHidden() ? RequestRank.Reader : RequestRank.Background;
        if (rank != RequestRank.Reader && !(Background && _table.Ranks is not null && (IsPartHidden() || IsDoubtful(peer))))
        {
            if (_shown.Count > 0 && !(Background && !SawWhole))
                _shown.Clear();
            return;
        }

        // A seed wants nothing from us.
        if (!peer.CanRequest || peer.HasAll || peer.PeerInterested || peer.Pieces!.CountOther(_table.Have, MostShown + 1) > MostShown)
            return;
        var limit = peer.Pipeline.Limit(bulk: true);
        for (var piece = 0; piece < _table.Info.PieceCount && peer.Outstanding < limit; piece++)
        {
            if (!peer.Serves(piece) || _table.IsSettled(piece))
                continue;
            var slot = _table.Slot(piece);
            if (slot?.Admits(peer.Number) == false)
                continue;
            slot ??= _table.TryOpen(piece, isWaited: false);
            if (slot is null)
                return;
            _shown.Add(piece);
            while (slot.Free > 0 && peer.Outstanding < limit && _allowance.MayRequest(rank, now))
                SendRequest(peer, slot, slot.NextFree(), now);
        }
    }

    private static bool IsCandidate(Peer peer) => !peer.NamedMany && !peer.PeerInterested;

    /// <summary>True if the peer may be a super seed, and the swarm has not shown all pieces.</summary>
    private bool IsDoubtful(Peer peer) => !SawWhole && IsCandidate(peer) && !peer.Rounds.IsProved;

    private bool IsPartHidden() => _table.FirstMissing() is var piece && piece < _table.Info.PieceCount && _table.Availability(piece) == 0;

    private bool IsHidden()
    {
        foreach (var reader in _readers)
        {
            if (reader.Waiting >= 0 && _table.Availability(reader.Waiting) == 0 && !_table.Have[reader.Waiting])
                return true;
        }

        return false;
    }
}
