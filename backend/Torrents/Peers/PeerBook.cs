using System.Net;
using System.Net.Sockets;
using System.Runtime.InteropServices;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Peers;

/// <summary>The addresses of a torrent's peers: who may be dialled next, who is banned. Used under the torrent's lock.</summary>
internal sealed class PeerBook
{
    /// <summary>More addresses are not remembered: a tracker may send anything.</summary>
    private const int MostKnown = 5_000;

    private const int MostBanned = 10_000;

    /// <summary>Ports of one address that are remembered: whoever names more wants us to knock there again and again.</summary>
    private const int MostPerAddress = 8;

    /// <summary>Peers at one address that were banned before the address is.</summary>
    private const int MostOffences = 2;

    /// <summary>Peers that fail so often in a row are forgotten: a tracker names them again if they come back.</summary>
    private const int MostFailures = 10;

    /// <summary>
    /// Doubled by each failure. Short at first: some clients refuse an address for a moment after a connection from there has ended, and a reader waits.
    /// </summary>
    private static readonly long FirstPause = TimeSpan.TicksPerSecond;
    private static readonly long LongestPause = 10 * TimeSpan.TicksPerMinute;
    private readonly Dictionary<IPEndPoint, KnownPeer> _known = [];
    private readonly Dictionary<IPAddress, int> _addresses = [];
    private readonly LinkedList<KnownPeer> _idle = [];
    private readonly HashSet<IPEndPoint> _banned = [];
    private readonly Dictionary<IPAddress, int> _offences = [];
    private readonly Dictionary<PeerSources, int> _named = [];
    private PeerSources _allowed = (PeerSources)~0;

    public int Known => _known.Count;

    /// <summary>Adds an address; false if it is known, banned, no use, or its source named too many.</summary>
    /// <param name="endpoint">Where the peer listens.</param>
    /// <param name="source">Who named it.</param>
    public bool Add(IPEndPoint endpoint, PeerSources source)
    {
        if (!Allows(source))
            return false;
        if (_known.TryGetValue(endpoint, out var known))
        {
            known.Sources |= source;
            return false;
        }

        if (endpoint.Port == 0 || _known.Count >= MostKnown || IsBanned(endpoint) || IsNobody(endpoint.Address))
            return false;
        ref var named = ref CollectionsMarshal.GetValueRefOrAddDefault(_named, source, out _);
        if (named >= MostOf(source) || !TryCount(endpoint.Address))
            return false;
        named++;
        var peer = new KnownPeer(endpoint, source);
        _known[endpoint] = peer;
        _idle.AddLast(peer);
        return true;
    }

    /// <summary>Not the address of one host: 0/8, multicast and what is reserved or broadcast.</summary>
    private static bool IsNobody(IPAddress address)
    {
        if (address.AddressFamily == AddressFamily.InterNetworkV6)
            return address.IsIPv6Multicast || address.Equals(IPAddress.IPv6Any);
        Span<byte> bytes = stackalloc byte[4];
        address.TryWriteBytes(bytes, out _);
        return bytes[0] is 0 or >= 224;
    }

    /// <summary>The torrent may have peers that were learned of like this.</summary>
    public bool Allows(PeerSources sources) => (sources & _allowed) != 0;

    /// <summary>From here on only these sources count (BEP 27): what others named is forgotten, at once or when its connection has ended.</summary>
    public void Restrict(PeerSources allowed)
    {
        _allowed = allowed;
        foreach (var peer in _known.Values.Where(peer => !peer.IsBusy && !Allows(peer.Sources)).ToArray())
        {
            _idle.Remove(peer);
            Forget(peer.Endpoint);
        }
    }

    /// <summary>Forgets all but these, and those that were learned of like <paramref name="also"/>, at once or when their connections have ended; they may be named again.</summary>
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

    /// <summary>So many addresses of one source are remembered: what strangers say must not push out what a tracker says.</summary>
    private static int MostOf(PeerSources source) => source switch
    {
        PeerSources.Tracker => MostKnown,
        PeerSources.Dht => 2_000,
        PeerSources.Local or PeerSources.Saved => 200,
        _ => 1_000,
    };

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
    /// <param name="endpoint">Where it was dialled.</param>
    /// <param name="encryption">Of the connection.</param>
    public void Reached(IPEndPoint endpoint, PeerEncryption encryption)
    {
        if (!_known.TryGetValue(endpoint, out var peer))
            return;
        peer.WasReached = true;
        peer.IsPlain = encryption == PeerEncryption.None;
    }

    /// <summary>A peer that came to us says where it listens. False if that is no use, or we are dialling it or connected there.</summary>
    public bool TryAdopt(IPEndPoint endpoint)
    {
        if (_known.TryGetValue(endpoint, out var known) ? known.IsBusy : !Add(endpoint, PeerSources.Incoming))
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

    /// <summary>An address that was taken by <see cref="Next"/> is not dialled after all: at the next chance, or when others had theirs.</summary>
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

    /// <summary>Some address may be dialled.</summary>
    public bool HasNext(long now)
    {
        foreach (var peer in _idle)
        {
            if (peer.NotBefore <= now)
                return true;
        }

        return false;
    }

    /// <summary>The dial failed, or the connection ended: it is tried again after a while, sooner if it had been of use.</summary>
    public void Left(IPEndPoint endpoint, bool wasUseful, long now)
    {
        if (!_known.TryGetValue(endpoint, out var peer) || !peer.IsBusy)
            return;
        peer.Failures = wasUseful ? 0 : peer.Failures + 1;

        // It may have changed its mind, or be another one.
        if (peer.Failures > 1)
            peer.IsPlain = false;
        peer.NotBefore = now + Math.Min(LongestPause, FirstPause << peer.Failures);
        peer.IsBusy = false;
        if (peer.Failures > MostFailures || IsBanned(endpoint) || !Allows(peer.Sources))
            Forget(endpoint);
        else
            _idle.AddLast(peer);
    }

    /// <summary>
    /// Never talks to it again, nor after a second offence to anybody at its address: bad peers come back with other ports, but behind one address (carrier NAT, a VPN, a container's gateway)
    /// there may be honest ones.
    /// </summary>
    public void Ban(IPEndPoint endpoint)
    {
        if (_banned.Count >= MostBanned || !_banned.Add(endpoint) || IPAddress.IsLoopback(endpoint.Address))
            return;
        CollectionsMarshal.GetValueRefOrAddDefault(_offences, endpoint.Address, out _)++;
    }

    /// <summary>Never dials it again. Others at the same address are welcome: our own address is that of everybody behind the same NAT.</summary>
    public void Avoid(IPEndPoint endpoint)
    {
        if (_banned.Count < MostBanned)
            _banned.Add(endpoint);
    }

    public bool IsBanned(IPEndPoint endpoint) => _banned.Contains(endpoint) || _offences.GetValueOrDefault(endpoint.Address) >= MostOffences;

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
