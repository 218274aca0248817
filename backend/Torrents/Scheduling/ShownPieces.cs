using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Scheduling;

/// <summary>
/// Fetches the pieces that super seeds show, so that they show more. A seed in super-seeding mode (BEP 16) claims to have nothing,
/// announces a piece or two, and announces others only when those have been downloaded. This is done while a reader waits for a piece that
/// no peer has announced, and, when only a part of the torrent is fetched, while no peer has announced the first missing piece of that
/// part, or until it is known whether the peer is a super seed, which has everything (<see cref="ShownRounds"/>). Used under the torrent's
/// lock.
/// </summary>
/// <param name="table">The torrent's pieces.</param>
/// <param name="readers">The torrent's readers.</param>
/// <param name="ledger">Sends the requests.</param>
internal sealed class ShownPieces(PieceTable table, List<ReaderWindow> readers, RequestLedger ledger)
{
    /// <summary>
    /// Most pieces that we lack and that a presumed super seed has announced: libtorrent's shows two at first. A peer with more is just
    /// incomplete, and fetching from it makes it show nothing more.
    /// </summary>
    private const int MostShown = 8;

    private readonly HashSet<int> _startedPieces = [];

    /// <summary>When a piece fetched for this reason was last complete, in ticks; 0 = never.</summary>
    public long LastPiece { get; private set; }

    /// <summary>True if every piece has been seen here or at a peer.</summary>
    public bool SawWhole { get; set; }

    /// <summary>True for a piece that is fetched for this reason.</summary>
    public bool Contains(int piece) => _startedPieces.Contains(piece);

    /// <summary>Call when a piece is complete.</summary>
    /// <returns>True if it was fetched for this reason: announce it to peers at once, because one of them waits for that.</returns>
    public bool Completed(int piece, List<Peer> peers, long now)
    {
        foreach (var peer in peers)
        {
            if (IsCandidate(peer) && peer.Has(piece))
                peer.Rounds.OnShownPieceObtained(now);
        }

        if (!_startedPieces.Remove(piece))
            return false;
        LastPiece = now;
        return true;
    }

    /// <summary>Requests the pieces that a peer shows, if a needed piece is shown by no peer.</summary>
    /// <param name="peer">The peer.</param>
    /// <param name="background">True if the torrent, or a part of it, is fetched without a reader.</param>
    /// <param name="now">Ticks.</param>
    public void Refill(Peer peer, bool background, long now)
    {
        var rank = IsHidden() ? RequestRank.Reader : RequestRank.Background;
        if (rank != RequestRank.Reader && !(background && table.Ranks is not null && (IsPartHidden() || IsDoubtful(peer))))
        {
            if (_startedPieces.Count > 0 && !(background && !SawWhole))
                _startedPieces.Clear();
            return;
        }

        // A seed wants nothing from us.
        if (!peer.CanRequest || peer.HasAll || peer.PeerInterested || peer.Pieces!.CountOther(table.Have, MostShown + 1) > MostShown)
            return;
        var limit = peer.Pipeline.Limit(bulk: true);
        for (var piece = 0; piece < table.Info.PieceCount && peer.Outstanding < limit; piece++)
        {
            if (!peer.Serves(piece) || table.IsSettled(piece))
                continue;
            var slot = table.Slot(piece);
            if (slot?.Admits(peer.Number) == false)
                continue;
            slot ??= table.TryOpen(piece, isWaited: false);
            if (slot is null)
                return;
            _startedPieces.Add(piece);
            while (slot.Free > 0 && peer.Outstanding < limit && ledger.MayRequest(rank, now))
                ledger.SendRequest(peer, slot, slot.NextFree(), now);
        }
    }

    private static bool IsCandidate(Peer peer) => !peer.NamedMany && !peer.PeerInterested;

    /// <summary>True if the peer may be a super seed, and the swarm has not shown all pieces.</summary>
    private bool IsDoubtful(Peer peer) => !SawWhole && IsCandidate(peer) && !peer.Rounds.IsProved;

    private bool IsPartHidden() => table.FirstMissing() is var piece && piece < table.Info.PieceCount && table.Availability(piece) == 0;

    private bool IsHidden()
    {
        foreach (var reader in readers)
        {
            if (reader.Waiting >= 0 && table.Availability(reader.Waiting) == 0 && !table.Have[reader.Waiting])
                return true;
        }

        return false;
    }
}
