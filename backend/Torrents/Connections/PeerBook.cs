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
internal sealed class PeerBook(
    Func<IPAddress, bool>? isBlocked = null, Func<IPAddress, bool>? mayDial = null, Func<AddressFamily, bool>? reachesByUtp = null)
{
    /// <summary>Sources whose peers may always be dialled: these peers proved to exist.</summary>
    private const PeerSources Proven = PeerSources.Local | PeerSources.Incoming;

    /// <summary>Most addresses remembered: a tracker may send any number.</summary>
    public const int MostKnown = 5_000;

    /// <summary>Most ports remembered per address: a source that names more may want us to dial that host again and again.</summary>
    private const int MostPerAddress = 8;

    /// <summary>Failures in a row after which a peer is forgotten. A tracker names it again if it comes back.</summary>
    private const int MostFailures = 10;

    /// <summary>Misses in a row after which a saved peer is not saved again.</summary>
    private const int MostMisses = 3;

    /// <summary>
    /// A peer that is not known to speak uTP is tried by uTP after each of this many first failures in a row: it may be there although TCP
    /// does not reach it.
    /// </summary>
    private const int MostTriedByUtp = 2;

    /// <summary>
    /// Pause after a failure, in ticks, doubled by each one. Short at first: some clients refuse an address for a moment after a connection
    /// from it has ended.
    /// </summary>
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
    /// <param name="isReachable">True if the source has connected to it.</param>
    /// <param name="speaksUtp">True if the source says that it speaks uTP.</param>
    /// <param name="byAlias">True if it knows the torrent by its alias.</param>
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

        if (endpoint.Port == 0 || _known.Count >= MostKnown || IsBanned(endpoint) || LocalNetwork.IsNoHost(endpoint.Address))
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

    /// <summary>
    /// Allows only these sources from now on (BEP 27). Other addresses are forgotten, at once or when their connections end.
    /// </summary>
    public void Restrict(PeerSources allowed)
    {
        _allowed = allowed;
        foreach (var peer in _known.Values.Where(peer => !peer.IsBusy && !Allows(peer.Sources)).ToArray())
        {
            _idle.Remove(peer);
            Forget(peer.Endpoint);
        }
    }

    /// <summary>
    /// Forgets all addresses except these and those from <paramref name="also"/>, at once or when their connections end. They may be named
    /// again.
    /// </summary>
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

    /// <summary>
    /// Takes the next address to dial; null if none is ready. Order: fewest failures, source (local, saved, … exchange), reached by another
    /// peer, priority by BEP 40.
    /// </summary>
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

    /// <summary>Notes our address as a peer sees it. It cannot be verified; a wrong one only changes the order of dials.</summary>
    public void SetOwnAddress(IPEndPoint own)
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

    /// <summary>
    /// Returns an address from <see cref="Next"/> without dialling it: first in line, or behind the others after a pause.
    /// </summary>
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

    /// <summary>Number of addresses that may be dialled now.</summary>
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

    /// <summary>
    /// Notes that a dial failed or a connection ended. The address is dialled again after a pause, a shorter one if the connection was
    /// useful.
    /// </summary>
    public void Left(IPEndPoint endpoint, bool wasUseful, long now)
    {
        if (!_known.TryGetValue(endpoint, out var peer) || !peer.IsBusy)
            return;
        peer.Failures = wasUseful ? 0 : peer.Failures + 1;

        // It may accept an encrypted handshake by now, or be another peer.
        if (peer.Failures > 1)
            (peer.IsPlain, peer.NextByUtp) = (false, false);
        peer.NotBefore = now + Math.Min(LongestPause, FirstPause << peer.Failures);
        peer.IsBusy = false;
        if (peer.Failures > MostFailures || IsBanned(endpoint) || !Allows(peer.Sources))
            Forget(endpoint);
        else
            _idle.AddLast(peer);
    }

    /// <summary>
    /// Notes that the peer there is already connected, by another address or by its own dial: this address is not dialled for ten minutes.
    /// </summary>
    public void PostponeTwin(IPEndPoint endpoint, long now)
    {
        Left(endpoint, wasUseful: true, now);
        if (_known.TryGetValue(endpoint, out var peer))
            peer.NotBefore = now + LongestPause;
    }

    /// <summary>
    /// Bans a peer for good, and after a second offence all peers at its address: bad peers return with other ports, but honest ones may
    /// share the address (NAT, a VPN). With IPv6 one customer has a /64, and may use another address in it for each connection.
    /// </summary>
    public void Ban(IPEndPoint endpoint) => _bans.Add(endpoint);

    /// <summary>
    /// Never dials this endpoint again. Other peers at the same address are still accepted: all peers behind our NAT have our public
    /// address.
    /// </summary>
    public void Avoid(IPEndPoint endpoint) => _bans.Avoid(endpoint);

    /// <summary>Number of known addresses that this source named, alone or with others.</summary>
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

    /// <summary>See <see cref="CanonicalPriority"/>; 0 while our own address is unknown.</summary>
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

    // How peers were reached and are dialled next: by TCP, and by uTP if that fails.

    /// <summary>Adds an address at which a peer was reached when the torrent was open before.</summary>
    public void Add(SavedPeer saved)
    {
        if (Add(saved.Endpoint, PeerSources.Saved, saved.Sources, isReachable: false, saved.ByUtp, saved.ByAlias)
            && _known.TryGetValue(saved.Endpoint, out var peer))
            (peer.IsPlain, peer.LearnedFrom, peer.Misses, peer.NextByUtp) = (saved.IsPlain, saved.Sources, saved.Misses, saved.ByUtp);
    }

    /// <summary>Notes that a peer's handshake arrived.</summary>
    /// <param name="endpoint">Address at which it was dialled.</param>
    /// <param name="encryption">Encryption of the connection.</param>
    /// <param name="byUtp">True for a connection by uTP.</param>
    /// <param name="byAlias">True if it uses the torrent's alias.</param>
    public void Reached(IPEndPoint endpoint, PeerEncryption encryption, bool byUtp = false, bool byAlias = false)
    {
        if (!_known.TryGetValue(endpoint, out var peer))
            return;
        peer.WasReached = true;
        (peer.IsPlain, peer.ByAlias) = (encryption == PeerEncryption.None, byAlias);
        peer.SpeaksUtp |= byUtp;

        // Dialled in the same way again: uTP was used only because TCP had failed.
        peer.NextByUtp = byUtp;
    }

    /// <summary>
    /// Notes the listening address of an incoming peer. False if the address is unusable, or is already being dialled or connected.
    /// </summary>
    /// <param name="endpoint">The address.</param>
    /// <param name="byUtp">True if it connected by uTP.</param>
    /// <param name="byAlias">True if it knows the torrent by its alias.</param>
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
    /// not reached, until they have been missed three times in a row. Empty while no peer was reached: that says more about our network
    /// than about the peers.
    /// </summary>
    public IReadOnlyList<SavedPeer> ListReached(int most) => !_known.Values.Any(static peer => peer.WasReached) ? [] :
    [
        .. _known.Values.Where(static peer => peer.WasReached || ((peer.Sources & PeerSources.Saved) != 0 && MissesOf(peer) < MostMisses))
            .OrderByDescending(static peer => peer.WasReached).ThenByDescending(static peer => peer.IsBusy)
            .ThenBy(MissesOf).ThenBy(static peer => peer.Failures).Take(most)
            .Select(static peer => new SavedPeer(
                peer.Endpoint, (peer.Sources | peer.LearnedFrom) & ~PeerSources.Saved, peer.IsPlain, MissesOf(peer))
            {
                ByUtp = peer.NextByUtp,
                ByAlias = peer.ByAlias,
            }),
    ];

    /// <summary>
    /// Notes that a dial was not answered, or was closed before the handshake: a client without TCP may still listen there. After TCP the
    /// next dial may be by uTP, without a pause but behind all addresses that have failed less often. A failed dial by uTP does not count
    /// as a failure and delays no dial by TCP: nothing is reached later than without uTP.
    /// </summary>
    /// <param name="endpoint">The address.</param>
    /// <param name="byUtp">True if it was dialled by uTP.</param>
    /// <param name="now">Ticks.</param>
    public void OnDialUnanswered(IPEndPoint endpoint, bool byUtp, long now)
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

/// <summary>Ranks the sources of peers.</summary>
internal static class SourceRank
{
    /// <summary>Most addresses remembered from one source: unverified sources must not displace the tracker's addresses.</summary>
    public static int MostOf(PeerSources source) => source switch
    {
        PeerSources.Tracker => PeerBook.MostKnown,
        PeerSources.Dht => 2_000,
        PeerSources.Local or PeerSources.Saved => 200,
        _ => 1_000,
    };

    /// <summary>Rank for dialling; lower is first.</summary>
    public static int Of(PeerSources sources)
    {
        if ((sources & PeerSources.Local) != 0)
            return 0;
        if ((sources & (PeerSources.Saved | PeerSources.Link)) != 0)
            return 1;
        return (sources & (PeerSources.Tracker | PeerSources.Incoming)) != 0 ? 2 : (sources & PeerSources.Dht) != 0 ? 3 : 4;
    }
}
