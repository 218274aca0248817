using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents.Scheduling;

/// <summary>
/// Who is served. Every round the peers that gave most (or, when nothing is fetched, took most) are unchoked, and one more in turn, every third round
/// another, so that newcomers get a chance (BEP 3). Used under the torrent's lock.
/// </summary>
internal sealed class Choker
{
    /// <summary>BEP 3: a round is ten seconds.</summary>
    public static readonly TimeSpan Round = TimeSpan.FromSeconds(10);

    private readonly List<Peer> _ranked = [];
    private Peer? _optimistic;
    private int _rounds;

    /// <summary>Runs a round.</summary>
    /// <param name="peers">All of the torrent.</param>
    /// <param name="slots">How many are served at once.</param>
    /// <param name="dirty">Told whose outbox is to be flushed.</param>
    public void Run(List<Peer> peers, int slots, Action<Peer> dirty)
    {
        _ranked.Clear();
        foreach (var peer in peers)
        {
            if (peer is { IsInterested: true, IsGreeted: true, IsClosed: false })
                _ranked.Add(peer);
        }

        _ranked.Sort(static (left, right) => right.RoundBytes.CompareTo(left.RoundBytes));
        if (_rounds++ % 3 == 0 || _optimistic is null || !_ranked.Contains(_optimistic))
            _optimistic = _ranked.Count > slots - 1 ? _ranked[slots - 1 + Random.Shared.Next(_ranked.Count - slots + 1)] : null;
        for (var i = 0; i < _ranked.Count; i++)
            Set(_ranked[i], i >= slots - 1 && _ranked[i] != _optimistic, dirty);
        foreach (var peer in peers)
            peer.RoundBytes = 0;
    }

    /// <summary>A peer is interested: it is served at once if there is room.</summary>
    public static void Interested(Peer peer, List<Peer> peers, int slots, Action<Peer> dirty)
    {
        var served = 0;
        foreach (var other in peers)
        {
            if (!other.IsChoked)
                served++;
        }

        if (peer.IsChoked && served < slots)
            Set(peer, choke: false, dirty);
    }

    private static void Set(Peer peer, bool choke, Action<Peer> dirty)
    {
        if (peer.IsChoked == choke)
            return;
        peer.IsChoked = choke;
        peer.Outbox.Message(choke ? MessageId.Choke : MessageId.Unchoke);
        if (choke)
            peer.Uploads.RejectAll();
        dirty(peer);
    }
}
