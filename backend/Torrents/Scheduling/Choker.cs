using NzbDav.Torrents.Peers;

namespace NzbDav.Torrents.Scheduling;

/// <summary>
/// Chooses the peers to unchoke. In every round these are the peers that sent us most (or, when nothing is fetched, that we sent most),
/// plus one peer in the optimistic slot, which changes every third round so that newcomers get a chance (BEP 3). Used under the torrent's
/// lock.
/// </summary>
internal sealed class Choker
{
    /// <summary>BEP 3: a round is ten seconds.</summary>
    public static readonly TimeSpan Round = TimeSpan.FromSeconds(10);

    /// <summary>BEP 3: the optimistic slot changes every thirty seconds.</summary>
    private const int OptimisticRounds = 3;

    private readonly List<Peer> _ranked = [];
    private Peer? _optimistic;
    private long _rounds;

    /// <summary>Runs one choke round: unchokes the best peers and the optimistic one, chokes the others.</summary>
    /// <param name="peers">All peers of the torrent.</param>
    /// <param name="slots">How many peers are served at once.</param>
    public void Run(List<Peer> peers, int slots)
    {
        _ranked.Clear();
        foreach (var peer in peers)
        {
            if (peer is { PeerInterested: true, HandshakeDone: true, IsClosed: false })
                _ranked.Add(peer);
            else if (!peer.IsClosed)
                peer.Choke();
        }

        _ranked.Sort(Compare);
        var best = Math.Min(Math.Max(slots - 1, 0), _ranked.Count);

        // A peer that is now among the best no longer needs the slot.
        if (_rounds++ % OptimisticRounds == 0 || _optimistic is null || _ranked.IndexOf(_optimistic) < best)
            _optimistic = slots > best ? Next(best) : null;
        for (var i = 0; i < _ranked.Count; i++)
        {
            if (i < best || _ranked[i] == _optimistic)
                _ranked[i].Unchoke();
            else
                _ranked[i].Choke();
        }

        foreach (var peer in peers)
            peer.EndRound();
    }

    /// <summary>Call when a peer has become interested. Unchokes it at once if a slot is free.</summary>
    public static void OnInterested(Peer peer, List<Peer> peers, int slots)
    {
        if (peer.AmChoking && HasRoom(peers, slots))
            peer.Unchoke();
    }

    /// <summary>
    /// Call when a peer has lost interest. Chokes it; its slot goes to the waiting peer whose last optimistic turn is longest ago.
    /// </summary>
    public static void OnUninterested(Peer peer, List<Peer> peers, int slots)
    {
        if (peer.AmChoking)
            return;
        peer.Choke();
        Peer? next = null;
        foreach (var other in peers)
        {
            if (other is { PeerInterested: true, AmChoking: true, HandshakeDone: true, IsSnubbed: false, IsClosed: false }
                && (next is null || other.LastOptimisticRound < next.LastOptimisticRound))
                next = other;
        }

        if (next is not null && HasRoom(peers, slots))
            next.Unchoke();
    }

    private static bool HasRoom(List<Peer> peers, int slots)
    {
        var served = 0;
        foreach (var peer in peers)
        {
            if (!peer.AmChoking)
                served++;
        }

        return served < slots;
    }

    /// <summary>
    /// Orders the best first. Snubbing peers are last, however much they take (BEP 3, anti-snubbing). Among equals, those already served
    /// come first: each change costs both sides a request queue.
    /// </summary>
    private static int Compare(Peer left, Peer right)
    {
        var order = left.IsSnubbed.CompareTo(right.IsSnubbed);
        if (order == 0)
            order = right.RoundDownloaded.CompareTo(left.RoundDownloaded);
        if (order == 0)
            order = right.RoundUploaded.CompareTo(left.RoundUploaded);
        if (order == 0)
            order = left.AmChoking.CompareTo(right.AmChoking);
        return order != 0 ? order : left.Number.CompareTo(right.Number);
    }

    /// <summary>
    /// Picks the optimistic peer: of those not among the best, the one that never had a turn, or whose last turn is longest ago.
    /// </summary>
    private Peer? Next(int best)
    {
        Peer? next = null;
        for (var i = best; i < _ranked.Count; i++)
        {
            if (next is null || _ranked[i].LastOptimisticRound < next.LastOptimisticRound)
                next = _ranked[i];
        }

        next?.OnOptimisticUnchoke(_rounds);
        return next;
    }
}
