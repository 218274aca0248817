using System.Net;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Scheduling;

/// <summary>What ways to find peers ask of the torrent.</summary>
internal sealed partial class Swarm
{
    /// <summary>A private torrent has changed its tracker: only the new one's peers stay connected, and only they are dialled (BEP 27).</summary>
    /// <param name="endpoints">Those peers.</param>
    /// <param name="also">Peers that were learned of like this stay too.</param>
    public void KeepOnly(IReadOnlyCollection<IPEndPoint> endpoints, PeerSources also)
    {
        var stay = endpoints.ToHashSet();
        lock (Gate)
        {
            Book.KeepOnly(stay, also);
            foreach (var peer in Peers)
            {
                if ((peer.Sources & also) == 0 && !stay.Contains(peer.Listening ?? peer.Remote))
                    peer.Connection.Close("The private torrent has another tracker now.");
            }
        }
    }
}
