using System.Net;
using System.Net.Sockets;
using System.Runtime.InteropServices;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Connections;

/// <summary>The addresses of a torrent's peers: which to dial next, which are banned. Used under the torrent's lock.</summary>
/// <param name="isBlocked">True for an address on the current blocklist; null = there is no blocklist.</param>
/// <param name="mayDial">See <see cref="Network.OutboundRules.MayDial"/>; null = all may be dialled.</param>
/// <param name="reachesByUtp">True while peers of an address family can be dialled by uTP; null = never.</param>
internal sealed partial class PeerBook(
    Func<IPAddress, bool>? isBlocked = null, Func<IPAddress, bool>? mayDial = null, Func<AddressFamily, bool>? reachesByUtp = null)
{
    /// <summary>Peers that need no leave to be dialled: they proved to be there.</summary>
    private const PeerSources Proven = PeerSources.Local | PeerSources.Incoming;

    /// <summary>Most addresses remembered: a tracker may send any number.</summary>
    public const int MostKnown = 5_000;

    /// <summary>Most ports remembered per address: a source that names more may want us to dial that host again and again.</summary>
    private const int MostPerAddress = 8;

    /// <summary>Failures in a row after which a peer is forgotten: a tracker names it again if it comes back.</summary>
    private const int MostFailures = 10;

    /// <summary>Doubled by each failure. Short at first: some clients refuse an address for a moment after a connection from it has
    /// ended.</summary>
    private static readonly long FirstPause = TimeSpan.TicksPerSecond;
    private static readonly long LongestPause = 10 * TimeSpan.TicksPerMinute;
    private readonly Dictionary<IPEndPoint, KnownPeer> _known = [];
    private readonly Dictionary<IPAddress, int> _addresses = [];
    private readonly LinkedList<KnownPeer> _idle = [];
    private readonly PeerBans _bans = new(isBlocked);
    private readonly Dictionary<PeerSources, int> _named = [];
    private PeerSources _allowed = (PeerSources)~0;
    private IPEndPoint? _own4;
    private IPEndPoint? _own6;

    public int Known => _known.Count;

    /// <summary>Adds an address. False if it is already known, banned or unusable, or if its source has named too many.</summary>
    /// <param name="endpoint">Address at which the peer listens.</param>
    /// <param name="source">The source that named it.</param>
    /// <param name="isReachable">The source has connected to it.</param>
    /// <param name="speaksUtp">The source says that it speaks uTP.</param>
    /// <param name="byAlias">It knows the torrent by its alias.</param>
    public bool Add(IPEndPoint endpoint, PeerSources source, bool isReachable = false, bool speaksUtp = false, bool byAlias = false) =>
        Add(endpoint, source, source, isReachable, speaksUtp, byAlias);

    private bool Add(IPEndPoint endpoint, PeerSources source, PeerSources learned, bool isReachable, bool speaksUtp, bool byAlias)
    {
        if (!Allows(source))
            return false;
        endpoint = PeerAddress.Plain(endpoint);
        if (_known.TryGetValue(endpoint, out var known))
        {
            known.Sources |= source;
            known.IsReachable |= isReachable;
            known.ByAlias &= byAlias;
            known.SpeaksUtp |= speaksUtp;
            return false;
        }

        if (endpoint.Port == 0 || _known.Count >= MostKnown || IsBanned(endpoint) || LocalNetwork.IsNobody(endpoint.Address))
            return false;
        if ((learned & Proven) == 0 && mayDial?.Invoke(endpoint.Address) == false)
            return false;
        ref var named = ref CollectionsMarshal.GetValueRefOrAddDefault(_named, source, out _);
        if (named >= SourceRank.MostOf(source) || !TryCount(endpoint.Address))
            return false;
        named++;
        var peer = new KnownPeer(endpoint, source)
        {
            Priority = PriorityOf(endpoint),
            IsReachable = isReachable,
            SpeaksUtp = speaksUtp,
            ByAlias = byAlias,
        };
        _known[endpoint] = peer;
        _idle.AddLast(peer);
        return true;
    }

    /// <summary>True when the torrent may have peers from these sources.</summary>
    public bool Allows(PeerSources sources) => (sources & _allowed) != 0;

    /// <summary>Allows only these sources from now on (BEP 27). Other addresses are forgotten, at once or when their connections
    /// end.</summary>
    public void Restrict(PeerSources allowed)
    {
        _allowed = allowed;
        foreach (var peer in _known.Values.Where(peer => !peer.IsBusy && !Allows(peer.Sources)).ToArray())
        {
            _idle.Remove(peer);
            Forget(peer.Endpoint);
        }
    }

    /// <summary>Forgets all but these and those from <paramref name="also"/>, at once or when their connections end. They may be named
    /// again.</summary>
    public void KeepOnly(IReadOnlySet<IPEndPoint> endpoints, PeerSources also)
    {
        foreach (var peer in _known.Values.Where(peer => (peer.Sources & also) == 0 && !endpoints.Contains(peer.Endpoint)).ToArray())
        {
            if (peer.IsBusy)
            {
                peer.Sources = PeerSources.None;
                continue;
            }

            _idle.Remove(peer);
            Forget(peer.Endpoint);
        }
    }

    /// <summary>Takes the next address to dial; null if none is ready. Order: fewest failures, source (local, saved, … exchange),
    /// those that another peer has reached, priority by BEP 40.</summary>
    public KnownPeer? Next(long now)
    {
        LinkedListNode<KnownPeer>? best = null;
        for (var node = _idle.First; node is not null;)
        {
            var at = node;
            node = node.Next;
            if (at.Value.NotBefore > now)
                continue;
            if (_bans.IsBlocked(at.Value.Endpoint.Address))
            {
                _idle.Remove(at);
                Forget(at.Value.Endpoint);
            }
            else if (best is null || IsBefore(at.Value, best.Value))
            {
                best = at;
            }
        }

        if (best is null)
            return null;
        _idle.Remove(best);
        best.Value.IsBusy = true;
        return best.Value;
    }

    /// <summary>Notes the address at which a peer sees us. It cannot be verified; a wrong one only changes the order.</summary>
    public void SeenAt(IPEndPoint own)
    {
        if (own.Equals(own.AddressFamily == AddressFamily.InterNetwork ? _own4 : _own6))
            return;
        if (own.AddressFamily == AddressFamily.InterNetwork)
            _own4 = own;
        else
            _own6 = own;
        foreach (var peer in _known.Values)
            peer.Priority = PriorityOf(peer.Endpoint);
    }

    /// <summary>Returns an address from <see cref="Next"/> without dialling it: first in line, or behind the others.</summary>
    public void PutBack(KnownPeer peer, bool first, long now)
    {
        peer.IsBusy = false;
        if (first)
        {
            _idle.AddFirst(peer);
            return;
        }

        peer.NotBefore = now + FirstPause;
        _idle.AddLast(peer);
    }

    /// <summary>Addresses that may be dialled now.</summary>
    /// <param name="now">Ticks.</param>
    /// <param name="priority">Priority by BEP 40 of the address that <see cref="Next"/> takes first.</param>
    public int CountReady(long now, out uint priority)
    {
        KnownPeer? first = null;
        var ready = 0;
        foreach (var peer in _idle)
        {
            if (peer.NotBefore > now)
                continue;
            ready++;
            if (first is null || IsBefore(peer, first))
                first = peer;
        }

        priority = first?.Priority ?? 0;
        return ready;
    }

    /// <summary>Notes that the dial failed or the connection ended. The address is dialled again after a while, sooner if the connection
    /// was useful.</summary>
    public void Left(IPEndPoint endpoint, bool wasUseful, long now)
    {
        if (!_known.TryGetValue(endpoint, out var peer) || !peer.IsBusy)
            return;
        peer.Failures = wasUseful ? 0 : peer.Failures + 1;

        // It may accept an encrypted handshake now, or be another peer.
        if (peer.Failures > 1)
            (peer.IsPlain, peer.NextByUtp) = (false, false);
        peer.NotBefore = now + Math.Min(LongestPause, FirstPause << peer.Failures);
        peer.IsBusy = false;
        if (peer.Failures > MostFailures || IsBanned(endpoint) || !Allows(peer.Sources))
            Forget(endpoint);
        else
            _idle.AddLast(peer);
    }

    /// <summary>Notes that the peer there is already connected, by another address or by its own dial: this address is not dialled for ten
    /// minutes.</summary>
    public void LeftTwin(IPEndPoint endpoint, long now)
    {
        Left(endpoint, wasUseful: true, now);
        if (_known.TryGetValue(endpoint, out var peer))
            peer.NotBefore = now + LongestPause;
    }

    /// <summary>Bans a peer for good, and after a second offence all peers at its address: bad peers return with other ports, but honest
    /// ones may share the address (NAT, a VPN). With IPv6 one customer has a /64, and another address there for each connection.</summary>
    public void Ban(IPEndPoint endpoint) => _bans.Add(endpoint);

    /// <summary>Never dials this endpoint again. Other peers at the same address are still accepted: all peers behind our NAT have our own
    /// address.</summary>
    public void Avoid(IPEndPoint endpoint) => _bans.Avoid(endpoint);

    /// <summary>Known addresses that this source named, perhaps besides others.</summary>
    public int CountOf(PeerSources source) => _known.Values.Count(peer => (peer.Sources & source) != 0);

    /// <inheritdoc cref="PeerBans.Contains"/>
    public bool IsBanned(IPEndPoint endpoint) => _bans.Contains(endpoint);

    private static bool IsBefore(KnownPeer one, KnownPeer other)
    {
        if (one.Failures != other.Failures)
            return one.Failures < other.Failures;
        var (rank, otherRank) = (SourceRank.Of(one.Sources), SourceRank.Of(other.Sources));
        if (rank != otherRank)
            return rank < otherRank;
        return one.IsReachable != other.IsReachable ? one.IsReachable : one.Priority > other.Priority;
    }

    /// <summary>See <see cref="CanonicalPriority"/>; 0 while our own address is not known.</summary>
    public uint PriorityOf(IPEndPoint endpoint) =>
        (endpoint.AddressFamily == AddressFamily.InterNetwork ? _own4 : _own6) is { } own ? CanonicalPriority.Of(own, endpoint) : 0;

    private bool TryCount(IPAddress address)
    {
        var count = _addresses.GetValueOrDefault(address);
        if (count >= MostPerAddress && !IPAddress.IsLoopback(address))
            return false;
        _addresses[address] = count + 1;
        return true;
    }

    private void Forget(IPEndPoint endpoint)
    {
        if (!_known.Remove(endpoint, out var peer))
            return;
        _named[peer.First]--;
        if (_addresses[endpoint.Address] > 1)
            _addresses[endpoint.Address]--;
        else
            _addresses.Remove(endpoint.Address);
    }
}
