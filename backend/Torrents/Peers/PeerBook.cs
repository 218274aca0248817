using System.Net;

namespace NzbDav.Torrents.Peers;

/// <summary>The addresses of a torrent's peers: who may be dialled next, who is banned. Used under the torrent's lock.</summary>
internal sealed class PeerBook
{
    /// <summary>More addresses are not remembered: a tracker may send anything.</summary>
    private const int MostKnown = 5_000;

    private const int MostBanned = 10_000;

    /// <summary>Peers that fail so often in a row are forgotten: a tracker names them again if they come back.</summary>
    private const int MostFailures = 10;

    /// <summary>
    /// Doubled by each failure. Short at first: some clients refuse an address for a moment after a connection from there has ended, and a reader waits.
    /// </summary>
    private static readonly long FirstPause = TimeSpan.TicksPerSecond;
    private static readonly long LongestPause = 10 * TimeSpan.TicksPerMinute;
    private readonly Dictionary<IPEndPoint, KnownPeer> _known = [];
    private readonly LinkedList<KnownPeer> _idle = [];
    private readonly HashSet<object> _banned = [];

    public int Known => _known.Count;

    /// <summary>Adds an address; false if it is known, banned or no use.</summary>
    public bool Add(IPEndPoint endpoint)
    {
        if (endpoint.Port == 0 || _known.Count >= MostKnown || IsBanned(endpoint) || endpoint.Address.Equals(IPAddress.Any) || endpoint.Address.IsIPv6Multicast)
            return false;
        if (_known.ContainsKey(endpoint))
            return false;
        var peer = new KnownPeer(endpoint);
        _known[endpoint] = peer;
        _idle.AddLast(peer);
        return true;
    }

    /// <summary>Takes the next address to dial; null if none is ready.</summary>
    public KnownPeer? Next(long now)
    {
        for (var node = _idle.First; node is not null; node = node.Next)
        {
            if (node.Value.NotBefore > now)
                continue;
            _idle.Remove(node);
            node.Value.IsBusy = true;
            return node.Value;
        }

        return null;
    }

    /// <summary>Its handshake came.</summary>
    public void Reached(IPEndPoint endpoint)
    {
        if (_known.TryGetValue(endpoint, out var peer))
            peer.WasReached = true;
    }

    /// <summary>A peer that came to us says where it listens. False if that is no use, or we are dialling it or connected there.</summary>
    public bool TryAdopt(IPEndPoint endpoint)
    {
        if (_known.TryGetValue(endpoint, out var known) ? known.IsBusy : !Add(endpoint))
            return false;
        var peer = _known[endpoint];
        _idle.Remove(peer);
        peer.IsBusy = true;
        peer.WasReached = true;
        return true;
    }

    /// <summary>Addresses worth dialling another time: those that were reached, connected ones first.</summary>
    public IReadOnlyList<IPEndPoint> ListReached(int most) =>
        [.. _known.Values.Where(static peer => peer.WasReached).OrderByDescending(static peer => peer.IsBusy).ThenBy(static peer => peer.Failures).Take(most).Select(static peer => peer.Endpoint)];

    /// <summary>The dial failed, or the connection ended: it is tried again after a while, sooner if it had been of use.</summary>
    public void Left(IPEndPoint endpoint, bool wasUseful, long now)
    {
        if (!_known.TryGetValue(endpoint, out var peer) || !peer.IsBusy)
            return;
        peer.Failures = wasUseful ? 0 : peer.Failures + 1;
        peer.NotBefore = now + Math.Min(LongestPause, FirstPause << peer.Failures);
        peer.IsBusy = false;
        if (peer.Failures > MostFailures || IsBanned(endpoint))
            _known.Remove(endpoint);
        else
            _idle.AddLast(peer);
    }

    /// <summary>Never talks to it again. Behind one address of the internet there may be several peers, but bad ones come back with other ports.</summary>
    public void Ban(IPEndPoint endpoint)
    {
        if (_banned.Count < MostBanned)
            _banned.Add(Key(endpoint));
    }

    public bool IsBanned(IPEndPoint endpoint) => _banned.Contains(Key(endpoint));

    private static object Key(IPEndPoint endpoint) => IPAddress.IsLoopback(endpoint.Address) ? endpoint : endpoint.Address;
}
