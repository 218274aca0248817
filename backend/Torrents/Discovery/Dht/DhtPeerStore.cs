using NzbDav.Torrents.Datagrams;

namespace NzbDav.Torrents.Discovery.Dht;

/// <summary>
/// Peers announced to our node. Their number is limited, and each is removed 45 minutes after its last announce. Used under the DHT's lock.
/// </summary>
internal sealed class DhtPeerStore
{
    /// <summary>Most torrents. With all their peers they take about 10 MB.</summary>
    public const int MostTorrents = 1_000;

    /// <summary>Most peers of one torrent.</summary>
    public const int MostPeers = 100;

    /// <summary>How long a peer is stored after its last announce, in ticks. Clients announce every 15 to 30 minutes.</summary>
    private static readonly long Lifetime = 45 * TimeSpan.TicksPerMinute;

    private readonly Dictionary<NodeId, Dictionary<DatagramAddress, long>> _torrents = [];

    /// <summary>Stores a peer. Drops it if there is no room.</summary>
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

    /// <summary>Peers of one family, chosen at random.</summary>
    public List<DatagramAddress> List(NodeId torrent, int addressBytes, int most, long now)
    {
        if (!_torrents.TryGetValue(torrent, out var peers))
            return [];
        var found = peers.Where(peer => peer.Key.AddressBytes == addressBytes && now - peer.Value < Lifetime)
            .Select(static peer => peer.Key).ToArray();
        Random.Shared.Shuffle(found);
        return [.. found.Take(most)];
    }

    /// <summary>Removes peers that have not been announced within their lifetime.</summary>
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
