using NzbDav.Torrents.Datagrams;

namespace NzbDav.Torrents.Discovery.Dht;

/// <summary>Peers that others announced to us: bounded, and forgotten after 45 minutes. Used under the DHT's lock.</summary>
internal sealed class DhtPeerStore
{
    /// <summary>Torrents; with all their peers some 10 MB.</summary>
    public const int MostTorrents = 1_000;

    /// <summary>Peers of each torrent.</summary>
    public const int MostPeers = 100;

    /// <summary>Clients announce every 15 to 30 minutes.</summary>
    private static readonly long Lifetime = 45 * TimeSpan.TicksPerMinute;

    private readonly Dictionary<NodeId, Dictionary<DatagramAddress, long>> _torrents = [];

    /// <summary>Remembers a peer; one that finds no room is dropped.</summary>
    public void Add(NodeId torrent, DatagramAddress peer, long now)
    {
        if (!_torrents.TryGetValue(torrent, out var peers))
        {
            if (_torrents.Count >= MostTorrents)
                return;
            peers = _torrents[torrent] = [];
        }

        if (peers.Count < MostPeers || peers.ContainsKey(peer))
            peers[peer] = now;
    }

    /// <summary>Any of the peers of one family.</summary>
    public List<DatagramAddress> List(NodeId torrent, int addressBytes, int most, long now)
    {
        if (!_torrents.TryGetValue(torrent, out var peers))
            return [];
        var found = peers.Where(peer => peer.Key.AddressBytes == addressBytes && now - peer.Value < Lifetime).Select(static peer => peer.Key).ToArray();
        Random.Shared.Shuffle(found);
        return [.. found.Take(most)];
    }

    /// <summary>Forgets who has not announced for long.</summary>
    public void Expire(long now)
    {
        foreach (var (torrent, peers) in _torrents.ToArray())
        {
            foreach (var (peer, since) in peers.ToArray())
            {
                if (now - since >= Lifetime)
                    peers.Remove(peer);
            }

            if (peers.Count == 0)
                _torrents.Remove(torrent);
        }
    }
}
