using System.Globalization;
using System.Net;
using System.Net.Sockets;
using NzbDav.Content.Proxies;
using NzbDav.Torrents.Blocking;
using NzbDav.Torrents.Datagrams;
using NzbDav.Torrents.Mapping;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Network;
using NzbDav.Torrents.Settings;
using NzbDav.Torrents.Status;
using NzbDav.Torrents.Utp;
using NzbDav.Torrents.Wire;
using NzbDav.Torrents.Wire.Encryption;

namespace NzbDav.Torrents;

/// <summary>
/// Connections to and from peers and trackers, shared by all torrents of an engine. When the route changes, all sockets are recreated; when
/// another port is wanted, only those at our own port. Thread-safe.
/// </summary>
internal sealed class PeerNetwork : IAsyncDisposable
{
    private readonly KeyExchangeQueue _exchanges = new();
    private readonly DisguisedHashes _torrents = new();
    private readonly SystemAddresses? _addresses;
    private readonly PeerSockets _sockets;
    private readonly SwitchedChannel _datagrams = new();
    private readonly EncryptedReception _encryption;
    private readonly Blocklist _blocklist;
    private readonly BlockedChannel _unblocked;
    private readonly UtpHost _utp;
    private readonly TimeProvider _time;
    private readonly IPEndPoint? _listen;
    private readonly KeptPort _kept;
    private readonly Inbound _inbound;
    private readonly Action<string> _notice;
    private readonly Action _routed;
    private readonly Lock _gate = new();
    private List<TcpAcceptor> _acceptors = [];
    private List<PeerReception> _receptions = [];
    private volatile bool _carriesUtp;
    private readonly Func<TorrentOptions> _options;
    private IncomingPeerHandler? _onIncoming;
    private readonly PortForwarding _forwarding;
    private readonly PortForwarding _pinholes;

    /// <summary>The wanted port that could not be listened on, remembered so that the notice is sent only once; 0 = none.</summary>
    private int _refused;
    private bool _closed;

    /// <summary>Takes the port. Incoming connections wait in the kernel's queue until <see cref="Receive"/>.</summary>
    /// <param name="options">The engine's current options.</param>
    /// <param name="time">Drives all time-outs.</param>
    /// <param name="dialer">Opens connections; null = as the options say.</param>
    /// <param name="addresses">The addresses of this machine; null = those that the system reports.</param>
    /// <param name="routed">Called on any thread when the route or our port has changed.</param>
    /// <param name="mapped">Called on any thread when the router has opened another port, or closed it.</param>
    /// <param name="notice">Receives messages for the user; may be null.</param>
    /// <exception cref="SocketException">The port cannot be listened on.</exception>
    public PeerNetwork(Func<TorrentOptions> options, TimeProvider time, ITransportDialer? dialer, ILocalAddresses? addresses, Action routed,
        Action mapped, Action<string>? notice)
    {
        _time = time;
        _options = options;
        _routed = routed;
        _notice = notice ??= static _ => { };
        _listen = options().Listen;
        _kept = new KeptPort(options().PortFile);
        _inbound = new Inbound(time);
        _blocklist = new Blocklist(() => options().Blocklist, () => options().BannedAddresses, time, notice);
        _unblocked = new BlockedChannel(_datagrams, _blocklist);
        _sockets = new PeerSockets(
            () => new NetworkSettings(options().Bind, options().Proxy), addresses ?? (_addresses = new SystemAddresses()), time);
        _utp = new UtpHost(_unblocked, time, () => _carriesUtp ? _options().Utp : UtpPolicy.Off, _inbound.Note);
        _forwarding = Forwarding(AddressFamily.InterNetwork, mapped);
        _pinholes = Forwarding(AddressFamily.InterNetworkV6, static () => { });
        var handshake = new StreamHandshake(_exchanges);
        _encryption = new EncryptedReception(handshake, _torrents, () => options().Encryption);
        ReachesByUtp = dialer is null ? _utp.CanReach : static _ => false;
        Dialer = dialer ?? new EncryptingDialer(new UtpDialer(new TcpDialer(_sockets), _utp), handshake, () => options().Encryption, time);
        try
        {
            Open(isFirst: true);
        }
        catch
        {
            Close();
            throw;
        }

        _sockets.Changed += Reopen;

        PortForwarding Forwarding(AddressFamily family, Action moved) =>
            new(
                family,
                type => _sockets.Create(family, type, type == SocketType.Dgram ? ProtocolType.Udp : ProtocolType.Tcp),
                time,
                _notice,
                moved);
    }

    /// <summary>Connects to peers.</summary>
    public ITransportDialer Dialer { get; }

    /// <summary>True while peers of an address family can be dialled by uTP.</summary>
    public Func<AddressFamily, bool> ReachesByUtp { get; }

    /// <summary>Datagrams of UDP trackers and the DHT.</summary>
    public IDatagramChannel Datagrams => _unblocked;

    /// <summary>The port at which peers can reach us; 0 = none. Once set, it stays until the options name another.</summary>
    public int Port { get; private set; }

    /// <summary>State of the port mapping for <see cref="Port"/>.</summary>
    public PortMappingStatus Mapping => _forwarding.Status;

    /// <summary>Why nothing can be sent; null = traffic is possible.</summary>
    public string? Trouble => _sockets.Route.Trouble;

    /// <summary>Raised on any thread when the blocklist has changed.</summary>
    public event Action? Blocked
    {
        add => _blocklist.Changed += value;
        remove => _blocklist.Changed -= value;
    }

    /// <summary>True for an address on the blocklist.</summary>
    public bool IsBlocked(IPAddress address) => _blocklist.Contains(address);

    /// <summary>True when host names are resolved on this machine; otherwise a proxy resolves them, or they are not resolved.</summary>
    public bool MayResolve => _sockets.Route is { Trouble: null, Proxy: null };

    /// <summary>Wraps a resolver so that it looks up names only while that is allowed: see <see cref="MayResolve"/>.</summary>
    /// <param name="resolver">The resolver; null = the system's.</param>
    public HostResolver Guard(HostResolver? resolver) => async (host, cancellationToken) =>
    {
        if (IPAddress.TryParse(host.Trim('[', ']'), out _) || MayResolve)
            return resolver is null
                ? await Dns.GetHostAddressesAsync(host.Trim('[', ']'), cancellationToken) : await resolver(host, cancellationToken);
        throw new SocketException((int)SocketError.HostUnreachable);
    };

    /// <summary>Takes over the connections of an HTTP client.</summary>
    /// <param name="trackers">The client's handler.</param>
    /// <param name="family">Addresses to use; null = of any family.</param>
    public void Attach(SocketsHttpHandler trackers, AddressFamily? family) =>
        new TrackerConnector(_sockets, ConnectorOf(family).Invoke).Attach(trackers);

    /// <summary>
    /// Returns a function that connects, by the current route, to the first address of a family (null = any) that answers.
    /// </summary>
    public TrackerConnect ConnectorOf(AddressFamily? family) => (addresses, port, cancellationToken) => _sockets.ConnectAsync(
        family is null ? addresses : [.. addresses.Select(PeerAddress.Plain).Where(address => address.AddressFamily == family)],
        port,
        cancellationToken);

    /// <summary>Starts accepting peers. Called once.</summary>
    public void Receive(IncomingPeerHandler onIncoming)
    {
        lock (_gate)
        {
            _onIncoming = onIncoming;
            _receptions = Receptions();
        }

        Map(isNew: false);
    }

    /// <summary>Applies changed options.</summary>
    public void Apply()
    {
        _sockets.Check();
        _blocklist.Update();
        if (_options().Utp == UtpPolicy.Off)
            _utp.Abort();
        if (TryMove())
        {
            Map(isNew: true);
            _routed();
        }
        else
        {
            Map(isNew: false);
        }
    }

    /// <summary>Call when a torrent has been opened: peers can then name it in an encrypted handshake.</summary>
    public void Opened(InfoHash torrent) => _torrents.Add(torrent);

    /// <summary>Call when a torrent has been closed.</summary>
    public void Closed(InfoHash torrent) => _torrents.Remove(torrent);

    /// <summary>Stops accepting peers. Existing connections stay.</summary>
    public async ValueTask StopReceivingAsync()
    {
        List<PeerReception> receptions;
        lock (_gate)
        {
            _closed = true;
            (receptions, _receptions) = (_receptions, []);
        }

        await Task.WhenAll(_forwarding.CloseAsync(), _pinholes.CloseAsync());
        foreach (var reception in receptions)
            await reception.DisposeAsync();
    }

    /// <summary>Closes everything. No torrent may be open any more.</summary>
    public async ValueTask DisposeAsync()
    {
        _sockets.Changed -= Reopen;
        await StopReceivingAsync();
        Close();
    }

    private void Close()
    {
        foreach (var acceptor in _acceptors)
            acceptor.Dispose();
        _utp.Dispose();
        _datagrams.Dispose();
        _sockets.Dispose();
        _addresses?.Dispose();
        _blocklist.Dispose();
        _exchanges.Dispose();
    }

    /// <summary>Closes all sockets and creates those for the new route.</summary>
    private void Reopen()
    {
        lock (_gate)
        {
            if (_closed)
                return;
            foreach (var reception in _receptions)
                _ = reception.DisposeAsync().AsTask();
            try
            {
                Open(isFirst: false);
            }
            catch (SocketException)
            {
                // Another program has taken the port meanwhile. Peers are still dialled.
            }

            _receptions = Receptions();
        }

        Map(isNew: true);
        _routed();
    }

    /// <summary>Starts or stops port mapping.</summary>
    /// <param name="isNew">The route has changed: the earlier mapping is given up.</param>
    private void Map(bool isNew)
    {
        var route = _sockets.Route;
        bool isWanted;
        lock (_gate)
            isWanted = !_closed && _options().PortMapping && _acceptors.Count > 0 && route is { Trouble: null, Proxy: null }
                && !(_listen is { } listen && IPAddress.IsLoopback(listen.Address));
        foreach (var forwarding in (PortForwarding[])[_forwarding, _pinholes])
        {
            if (isNew || !isWanted)
                forwarding.Stop();
            if (isWanted)
                forwarding.Start(Port, route.Device);
        }
    }

    // The port at which peers can reach us.

    /// <summary>
    /// Moves to the port that the options name, if it is another one. Recreates listeners and the datagram socket; TCP connections stay.
    /// </summary>
    /// <returns>False if nothing has changed.</returns>
    private bool TryMove()
    {
        lock (_gate)
        {
            var wanted = _options().Listen?.Port ?? 0;
            if (_closed || _listen is null || wanted == 0 || wanted == Port)
                return false;
            var route = _sockets.Route;
            if (CanListen(route))
            {
                List<TcpAcceptor> opened;
                try
                {
                    opened = Listen(route, wanted, isOptional: false);
                }
                catch (SocketException error)
                {
                    if (_refused != wanted)
                    {
                        _notice(string.Create(
                            CultureInfo.InvariantCulture,
                            $"Peers are still expected at port {Port}: port {wanted} cannot be listened on: {error.Message}."));
                    }

                    _refused = wanted;
                    return false;
                }

                foreach (var reception in _receptions)
                    _ = reception.DisposeAsync().AsTask();
                _acceptors = opened;
                _receptions = Receptions();
            }

            // Without a route, the port is opened when there is one again.
            (Port, _refused) = (wanted, 0);
            if (CanListen(route))
                UseDatagrams(route);
            _inbound.Reset();
            return true;
        }
    }

    /// <summary>Behind a proxy, peers cannot reach us, and incoming connections would reveal our address.</summary>
    private bool CanListen(NetworkRoute route) => route is { Trouble: null, Proxy: null } && _listen is not null;

    private void Open(bool isFirst)
    {
        var route = _sockets.Route;
        _acceptors = [];
        _inbound.Reset();
        if (CanListen(route))
        {
            var named = _options().Listen?.Port ?? 0;
            var port = Port > 0 ? Port : named > 0 ? named : _kept.Port;
            try
            {
                _acceptors = Listen(route, port, isOptional: !isFirst);
            }
            catch (SocketException) when (port > 0 && port == _kept.Port && named == 0)
            {
                // Another program uses this port now. It was chosen at random, so any other will do.
                _acceptors = Listen(route, 0, isOptional: false);
            }

            if (_acceptors.Count > 0)
                Port = _acceptors[0].Port;
            if (named == 0 && Port > 0)
                _kept.Keep(Port);
        }

        UseDatagrams(route);
    }

    private void UseDatagrams(NetworkRoute route)
    {
        IDatagramChannel? datagrams = route switch
        {
            { Trouble: not null } or { Proxy.Kind: ProxyKind.Http } => null,
            { Proxy: { } proxy } => new SocksChannel(_sockets, proxy, _time),
            _ => new UdpChannel(
                [.. Addresses(route).Select(address => new IPEndPoint(address, Port))],
                _time,
                family => _sockets.Create(family, SocketType.Dgram, ProtocolType.Udp)),
        };
        // Through a proxy, only datagrams of the DHT and of trackers are sent: peers that connect by uTP could not be distinguished from
        // the proxy.
        _carriesUtp = datagrams is UdpChannel;
        _datagrams.Use(
            datagrams, datagrams is null ? route.Trouble ?? "It cannot be asked through an HTTP proxy, which carries no UDP" : null);

        // Peers identify a uTP connection by our address, which was that of the former socket.
        _utp.Abort();
    }

    /// <summary>Starts accepting peers by TCP and uTP; does nothing before <see cref="Receive"/>.</summary>
    private List<PeerReception> Receptions()
    {
        if (_onIncoming is not { } welcome)
            return [];
        IEnumerable<ITransportAcceptor> all = CanListen(_sockets.Route) ? [.. _acceptors, new UtpAcceptor(_utp, Port)] : _acceptors;
        return [.. all.Select(acceptor => new PeerReception(acceptor, _time, welcome, _encryption))];
    }

    private List<IPAddress> Addresses(NetworkRoute route)
    {
        if (!route.IsBound && _listen is { } listen && !listen.Address.Equals(IPAddress.Any) && !listen.Address.Equals(IPAddress.IPv6Any))
            return [listen.Address];
        IPAddress?[] sources = [route.SourceOf(AddressFamily.InterNetwork), route.SourceOf(AddressFamily.InterNetworkV6)];
        return [.. sources.OfType<IPAddress>()];
    }

    private bool TryAdmit(Socket socket, NetworkRoute route)
    {
        var from = (IPEndPoint)socket.RemoteEndPoint!;
        if (!IsBlocked(from.Address))
        {
            _inbound.Note(from);
            return _sockets.TryTrack(socket, route);
        }

        socket.Dispose();
        return false;
    }

    /// <summary>Listens at one port on all addresses. One family is enough: this machine may have no other.</summary>
    /// <param name="route">The route.</param>
    /// <param name="port">The port; 0 = any free one, the same for both families.</param>
    /// <param name="isOptional">False: throws if the first address cannot be listened on.</param>
    private List<TcpAcceptor> Listen(NetworkRoute route, int port, bool isOptional)
    {
        var opened = new List<TcpAcceptor>();
        foreach (var address in Addresses(route))
        {
            try
            {
                if (_sockets.Listen(address.AddressFamily) is { } socket)
                {
                    var endpoint = new IPEndPoint(address, opened.Count > 0 ? opened[0].Port : port);
                    opened.Add(new TcpAcceptor(socket, endpoint, taken => TryAdmit(taken, route)));
                }
            }
            catch (SocketException) when (isOptional || opened.Count > 0)
            {
                // One family is enough.
            }
        }

        return opened;
    }

    // State for display.

    /// <summary>The status of the engine's network, except the fields that the engine itself fills in.</summary>
    public NetworkStatus Describe()
    {
        var mapping = _forwarding.Status;
        var (options, route) = (_options(), _sockets.Route);
        return new NetworkStatus
        {
            Port = Port,
            MappingState = StateOf(_forwarding),
            Mapping = mapping,
            PinholeState = StateOf(_pinholes),
            Pinhole = _pinholes.Status,
            Inbound4 = _inbound.Four,
            Inbound6 = _inbound.Six,
            Bind = options.Bind,
            Device = route.Device,
            Addresses = [.. new[] { route.IPv4, route.IPv6 }.OfType<System.Net.IPAddress>()],
            Trouble = route.Trouble,
            Proxy = route.Proxy?.ToString(),
            HasBlocklist = options.Blocklist is not null,
            BlockedRanges = _blocklist.Count,
            Blocked = _blocklist.Refused,
            Encryption = options.Encryption,
        };
    }

    private static MappingState StateOf(PortForwarding forwarding) => forwarding.Status switch
    {
        { Method: not null } => MappingState.Mapped,
        { Trouble: not null } => MappingState.Failed,
        { HasRouter: false } => MappingState.Off,
        _ => forwarding.IsOn ? MappingState.Asking : MappingState.Off,
    };
}
