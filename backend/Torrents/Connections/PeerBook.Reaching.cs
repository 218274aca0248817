using System.Net;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Connections;

/// <content>How peers were reached, and how they are dialled next: by TCP, and by uTP if that fails.</content>
internal sealed partial class PeerBook
{
    /// <summary>Misses in a row after which a saved peer is not saved again.</summary>
    private const int MostMisses = 3;

    /// <summary>Failures in a row after which a peer that is not known to speak uTP is tried by it: it may be there, and TCP alone does not
    /// reach it.</summary>
    private const int MostTriedByUtp = 2;

    /// <summary>Adds an address at which a peer was reached when the torrent was open earlier.</summary>
    public void Add(SavedPeer saved)
    {
        if (Add(saved.Endpoint, PeerSources.Saved, saved.Sources, isReachable: false, saved.ByUtp, saved.ByAlias)
            && _known.TryGetValue(saved.Endpoint, out var peer))
            (peer.IsPlain, peer.Learned, peer.Misses, peer.NextByUtp) = (saved.IsPlain, saved.Sources, saved.Misses, saved.ByUtp);
    }

    /// <summary>Notes that a peer's handshake arrived.</summary>
    /// <param name="endpoint">Address at which it was dialled.</param>
    /// <param name="encryption">Encryption of the connection.</param>
    /// <param name="byUtp">The connection is by uTP.</param>
    /// <param name="byAlias">It uses the torrent's alias.</param>
    public void Reached(IPEndPoint endpoint, PeerEncryption encryption, bool byUtp = false, bool byAlias = false)
    {
        if (!_known.TryGetValue(endpoint, out var peer))
            return;
        peer.WasReached = true;
        (peer.IsPlain, peer.ByAlias) = (encryption == PeerEncryption.None, byAlias);
        peer.SpeaksUtp |= byUtp;

        // It is dialled in the same way again, as only what TCP does not reach is dialled by uTP.
        peer.NextByUtp = byUtp;
    }

    /// <summary>Notes the listening address of an incoming peer. False if the address is unusable, or if it is already being dialled or
    /// connected.</summary>
    /// <param name="endpoint">The address.</param>
    /// <param name="byUtp">It connected by uTP.</param>
    /// <param name="byAlias">It knows the torrent by its alias.</param>
    public bool TryAdopt(IPEndPoint endpoint, bool byUtp = false, bool byAlias = false)
    {
        if (_known.TryGetValue(endpoint, out var known) ? known.IsBusy : !Add(endpoint, PeerSources.Incoming, byAlias: byAlias))
            return false;
        var peer = _known[endpoint];
        _idle.Remove(peer);
        peer.IsBusy = true;
        peer.WasReached = true;
        peer.SpeaksUtp |= byUtp;
        return true;
    }

    /// <summary>
    /// Addresses worth dialling when the torrent is opened again: those that were reached, connected ones first, then saved ones that were
    /// not, until they have been missed three times in a row. Empty while no peer was reached: that says more about our network than about
    /// the peers.
    /// </summary>
    public IReadOnlyList<SavedPeer> ListReached(int most) => !_known.Values.Any(static peer => peer.WasReached) ? [] :
    [
        .. _known.Values.Where(static peer => peer.WasReached || ((peer.Sources & PeerSources.Saved) != 0 && MissesOf(peer) < MostMisses))
            .OrderByDescending(static peer => peer.WasReached).ThenByDescending(static peer => peer.IsBusy)
            .ThenBy(MissesOf).ThenBy(static peer => peer.Failures).Take(most)
            .Select(static peer => new SavedPeer(
                peer.Endpoint, (peer.Sources | peer.Learned) & ~PeerSources.Saved, peer.IsPlain, MissesOf(peer))
            {
                ByUtp = peer.NextByUtp,
                ByAlias = peer.ByAlias,
            }),
    ];

    /// <summary>
    /// Notes that nobody answered a dial, or closed before its handshake: a client without TCP may still listen there. After TCP the next
    /// one may be by uTP: without a pause, but behind all addresses that have failed less often. A dial by uTP does not count as a failure
    /// and delays no dial by TCP: nothing is reached later than without uTP.
    /// </summary>
    /// <param name="endpoint">The address.</param>
    /// <param name="byUtp">How it was dialled.</param>
    /// <param name="now">Ticks.</param>
    public void Missed(IPEndPoint endpoint, bool byUtp, long now)
    {
        if (!byUtp)
        {
            Left(endpoint, wasUseful: false, now);
            if (_known.TryGetValue(endpoint, out var missed) && (missed.SpeaksUtp || missed.Failures <= MostTriedByUtp)
                && reachesByUtp?.Invoke(endpoint.AddressFamily) == true)
            {
                (missed.ByTcpNotBefore, missed.NotBefore) = (missed.NotBefore, now);
                missed.NextByUtp = true;
            }
        }
        else if (_known.TryGetValue(endpoint, out var peer) && peer.IsBusy)
        {
            peer.IsBusy = false;
            peer.NextByUtp = false;
            peer.NotBefore = Math.Max(now, peer.ByTcpNotBefore);
            if (IsBanned(endpoint) || !Allows(peer.Sources))
                Forget(endpoint);
            else
                _idle.AddLast(peer);
        }
    }

    /// <summary>True if the address is dialled by uTP next.</summary>
    public bool IsNextByUtp(KnownPeer peer) => peer.NextByUtp && reachesByUtp?.Invoke(peer.Endpoint.AddressFamily) == true;

    private static int MissesOf(KnownPeer peer) => peer.WasReached ? 0 : peer.Misses + (peer.Failures > 0 ? 1 : 0);
}
