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
using NzbDav.Torrents.Wire;
using NzbDav.Torrents.Wire.Encryption;

namespace NzbDav.Torrents;

/// <summary>Connections to and from peers and trackers, shared by all torrents of an engine. Sockets are recreated when the route changes.
/// Thread-safe.</summary>
internal sealed partial class PeerNetwork : IAsyncDisposable
{
    private readonly KeyExchangeQueue _exchanges = new();
    private readonly DisguisedHashes _torrents = new();
    private readonly SystemAddresses? _addresses;
    private readonly PeerSockets _sockets;
    private readonly SwitchedChannel _datagrams = new();
    private readonly EncryptedReception _encryption;
    private readonly Blocklist _blocklist;
    private readonly BlockedChannel _unblocked;
    private readonly TimeProvider _time;
    private readonly IPEndPoint? _listen;
    private readonly Action _routed;
    private readonly Lock _gate = new();
    private List<TcpAcceptor> _acceptors = [];
    private List<PeerReception> _receptions = [];
    private readonly Func<TorrentOptions> _options;
    private PeerWelcome? _welcome;
    private readonly PortForwarding _forwarding;
    private bool _closed;

    /// <summary>Takes the port; connections wait in the kernel's queue until <see cref="Receive"/>.</summary>
    /// <param name="options">The engine's current options.</param>
    /// <param name="time">Drives all time-outs.</param>
    /// <param name="dialer">Opens connections; null = by TCP, as the options say.</param>
    /// <param name="addresses">The addresses of this machine; null = those that the system reports.</param>
    /// <param name="routed">Called on any thread when the route has changed.</param>
    /// <param name="mapped">Called on any thread when the router has opened another port, or closed it.</param>
    /// <param name="notice">Receives messages for the user; may be null.</param>
    /// <exception cref="SocketException">The port cannot be listened on.</exception>
    public PeerNetwork(Func<TorrentOptions> options, TimeProvider time, ITransportDialer? dialer, ILocalAddresses? addresses, Action routed, Action mapped, Action<string>? notice)
    {
        _time = time;
        _options = options;
        _routed = routed;
        notice ??= static _ => { };
        _listen = options().Listen;
        _blocklist = new Blocklist(() => options().Blocklist, () => options().BannedAddresses, time, notice);
        _unblocked = new BlockedChannel(_datagrams, _blocklist);
        _sockets = new PeerSockets(() => new NetworkSettings(options().Bind, options().Proxy), addresses ?? (_addresses = new SystemAddresses()), time);
        _forwarding = new PortForwarding(type => _sockets.Create(AddressFamily.InterNetwork, type, type == SocketType.Dgram ? ProtocolType.Udp : ProtocolType.Tcp), time, notice, mapped);
        var handshake = new StreamHandshake(_exchanges);
        _encryption = new EncryptedReception(handshake, _torrents, () => options().Encryption);
        Dialer = dialer ?? new EncryptingDialer(new TcpDialer(_sockets), handshake, () => options().Encryption, time);
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
    }

    /// <summary>Connects to peers.</summary>
    public ITransportDialer Dialer { get; }

    /// <summary>Datagrams of UDP trackers and the DHT.</summary>
    public IDatagramChannel Datagrams => _unblocked;

    /// <summary>Where peers can reach us; 0 = nowhere. Once set, it stays for the engine's life.</summary>
    public int Port { get; private set; }

    /// <summary>State of the port mapping for <see cref="Port"/>.</summary>
    public PortMappingStatus Mapping => _forwarding.Status;

    /// <summary>Why nothing can be sent; null = it can.</summary>
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
            return resolver is null ? await Dns.GetHostAddressesAsync(host.Trim('[', ']'), cancellationToken) : await resolver(host, cancellationToken);
        throw new SocketException((int)SocketError.HostUnreachable);
    };

    /// <summary>Takes over the connections of an HTTP client.</summary>
    public void Attach(SocketsHttpHandler trackers) => new TrackerConnector(_sockets).Attach(trackers);

    /// <summary>Connects to the first address that answers, by the current route.</summary>
    /// <exception cref="IOException">There is no route.</exception>
    /// <exception cref="SocketException">None answers.</exception>
    public ValueTask<Socket> ConnectAsync(IReadOnlyList<IPAddress> addresses, int port, CancellationToken cancellationToken) => _sockets.ConnectAsync(addresses, port, cancellationToken);

    /// <summary>Starts accepting peers. Called once.</summary>
    public void Receive(PeerWelcome welcome)
    {
        lock (_gate)
        {
            _welcome = welcome;
            _receptions = [.. _acceptors.Select(acceptor => new PeerReception(acceptor, _time, welcome, _encryption))];
        }

        Map(isNew: false);
    }

    /// <summary>Applies changed options.</summary>
    public void Apply()
    {
        _sockets.Check();
        _blocklist.Look();
        Map(isNew: false);
    }

    /// <summary>Notes that a torrent is open, so that peers can name it in an encrypted handshake.</summary>
    public void Opened(InfoHash torrent) => _torrents.Add(torrent);

    /// <summary>Notes that a torrent is closed.</summary>
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

        await _forwarding.CloseAsync();
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
                // Another program took the port meanwhile. Peers are still dialled.
            }

            _receptions = _welcome is { } welcome ? [.. _acceptors.Select(acceptor => new PeerReception(acceptor, _time, welcome, _encryption))] : [];
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
            isWanted = !_closed && _options().PortMapping && _acceptors.Count > 0 && route is { Trouble: null, Proxy: null } && !(_listen is { } listen && IPAddress.IsLoopback(listen.Address));
        if (isNew || !isWanted)
            _forwarding.Stop();
        if (isWanted)
            _forwarding.Start(Port, route.Device);
    }

    private void Open(bool isFirst)
    {
        var route = _sockets.Route;
        _acceptors = [];
        var wanted = Endpoints(route);

        // Behind a proxy peers cannot reach us, and incoming connections would reveal our address.
        if (route is { Trouble: null, Proxy: null } && _listen is not null)
        {
            foreach (var endpoint in wanted)
                Listen(endpoint, route, isOptional: !isFirst || _acceptors.Count > 0);
        }

        IDatagramChannel? datagrams = route switch
        {
            { Trouble: not null } or { Proxy.Kind: ProxyKind.Http } => null,
            { Proxy: { } proxy } => new SocksChannel(_sockets, proxy, _time),
            _ => new UdpChannel([.. wanted.Select(endpoint => new IPEndPoint(endpoint.Address, Port))], _time, family => _sockets.Create(family, SocketType.Dgram, ProtocolType.Udp)),
        };
        _datagrams.Use(datagrams, datagrams is null ? route.Trouble ?? "It cannot be asked through an HTTP proxy, which carries no UDP" : null);
    }

    private List<IPEndPoint> Endpoints(NetworkRoute route)
    {
        var port = Port > 0 ? Port : _listen?.Port ?? 0;
        if (!route.IsBound && _listen is { } listen && !listen.Address.Equals(IPAddress.Any) && !listen.Address.Equals(IPAddress.IPv6Any))
            return [new IPEndPoint(listen.Address, port)];
        IPAddress?[] sources = [route.SourceOf(AddressFamily.InterNetwork), route.SourceOf(AddressFamily.InterNetworkV6)];
        return [.. sources.OfType<IPAddress>().Select(source => new IPEndPoint(source, port))];
    }

    private bool TryTake(Socket taken, NetworkRoute route)
    {
        if (!IsBlocked(((IPEndPoint)taken.RemoteEndPoint!).Address))
            return _sockets.TryTrack(taken, route);
        taken.Dispose();
        return false;
    }

    private void Listen(IPEndPoint endpoint, NetworkRoute route, bool isOptional)
    {
        try
        {
            if (_sockets.Listen(endpoint.AddressFamily) is not { } socket)
                return;
            var acceptor = new TcpAcceptor(socket, new IPEndPoint(endpoint.Address, Port > 0 ? Port : endpoint.Port), taken => TryTake(taken, route));
            _acceptors.Add(acceptor);
            Port = acceptor.Port;
        }
        catch (SocketException) when (isOptional)
        {
            // One family is enough: this machine may have no other.
        }
    }
}
