using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Scheduling;

/// <summary>
/// A seed in super-seeding mode (BEP 16) says that it has nothing, shows a piece or two, and shows others only when those have been taken.
/// While a reader waits for a piece that nobody shows, or only a part of the torrent is fetched and nobody shows that, the pieces that such
/// peers show are fetched, so that they show more. So are a few more than that part, until it is known whether the peer is a super seed:
/// then it has everything (<see cref="ShownRounds"/>). Used under the torrent's lock.
/// </summary>
/// <param name="table">The torrent's pieces.</param>
/// <param name="readers">The torrent's readers.</param>
/// <param name="ledger">Sends the requests.</param>
internal sealed class ShownPieces(PieceTable table, List<ReaderWindow> readers, RequestLedger ledger)
{
    /// <summary>Most pieces that we lack of a peer taken for a super seed: libtorrent's shows two to begin with. One that has more is
    /// somebody else who is not complete, and fetching from it leads nowhere.</summary>
    private const int MostShown = 8;

    private readonly HashSet<int> _begun = [];

    /// <summary>When a piece fetched for this reason was last complete, in ticks; 0 = never.</summary>
    public long LastPiece { get; private set; }

    /// <summary>Every piece has been seen here or at a peer.</summary>
    public bool SawWhole { get; set; }

    /// <summary>True for a piece that is fetched for this reason.</summary>
    public bool Contains(int piece) => _begun.Contains(piece);

    /// <summary>A piece is complete.</summary>
    /// <returns>True if it was fetched for this reason: peers are told of it at once, as one of them waits for that.</returns>
    public bool Completed(int piece, List<Peer> peers, long now)
    {
        foreach (var peer in peers)
        {
            if (IsCandidate(peer) && peer.Has(piece))
                peer.Rounds.Taken(now);
        }

        if (!_begun.Remove(piece))
            return false;
        LastPiece = now;
        return true;
    }

    /// <summary>Requests the pieces that a peer shows, if one that is needed is shown by nobody.</summary>
    /// <param name="peer">The peer.</param>
    /// <param name="background">True if the torrent, or a part of it, is fetched without a reader.</param>
    /// <param name="now">Ticks.</param>
    public void Refill(Peer peer, bool background, long now)
    {
        var rank = IsHidden() ? RequestRank.Reader : RequestRank.Background;
        if (rank != RequestRank.Reader && !(background && table.Ranks is not null && (IsPartHidden() || IsDoubtful(peer))))
        {
            if (_begun.Count > 0 && !(background && !SawWhole))
                _begun.Clear();
            return;
        }

        // A seed wants nothing from us.
        if (!peer.CanAsk || peer.HasAll || peer.IsInterested || peer.Pieces!.CountOther(table.Have, MostShown + 1) > MostShown)
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
            _begun.Add(piece);
            while (slot.Free > 0 && peer.Outstanding < limit && ledger.MayAsk(rank, now))
                ledger.Ask(peer, slot, slot.NextFree(), now);
        }
    }

    private static bool IsCandidate(Peer peer) => !peer.NamedMany && !peer.IsInterested;

    /// <summary>It may be a super seed, and nobody else has shown all.</summary>
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
