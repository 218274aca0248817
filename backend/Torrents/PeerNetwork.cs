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

/// <summary>How peers and trackers are reached, and how peers reach us: what all torrents of an engine share. Made anew when the route changes. Thread-safe.</summary>
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
    /// <param name="options">The engine's, as they are at the time.</param>
    /// <param name="time">Drives all time-outs.</param>
    /// <param name="dialer">Connects as it likes; null = by TCP, as the options say.</param>
    /// <param name="addresses">This machine's; null = as the system has them.</param>
    /// <param name="routed">Called when there is another route: on any thread.</param>
    /// <param name="mapped">Called when the router opens another port, or none any more: on any thread.</param>
    /// <param name="notice">Told what a person should know; null = nobody is.</param>
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

    /// <summary>Trackers and the DHT by UDP.</summary>
    public IDatagramChannel Datagrams => _unblocked;

    /// <summary>Where peers can reach us; 0 = nowhere. The same for the engine's life, once there is one.</summary>
    public int Port { get; private set; }

    /// <summary>How the router stands to <see cref="Port"/>.</summary>
    public PortMappingStatus Mapping => _forwarding.Status;

    /// <summary>Why nothing can be sent; null = it can.</summary>
    public string? Trouble => _sockets.Route.Trouble;

    /// <summary>Another blocklist holds. On any thread.</summary>
    public event Action? Blocked
    {
        add => _blocklist.Changed += value;
        remove => _blocklist.Changed -= value;
    }

    /// <summary>On the blocklist.</summary>
    public bool IsBlocked(IPAddress address) => _blocklist.Contains(address);

    /// <summary>Names are looked up here; else a proxy does it, or nobody.</summary>
    public bool MayResolve => _sockets.Route is { Trouble: null, Proxy: null };

    /// <summary>Looks up names only while that may be: see <see cref="MayResolve"/>.</summary>
    /// <param name="resolver">How; null = as the system does.</param>
    public HostResolver Guard(HostResolver? resolver) => async (host, cancellationToken) =>
    {
        if (IPAddress.TryParse(host.Trim('[', ']'), out _) || MayResolve)
            return resolver is null ? await Dns.GetHostAddressesAsync(host.Trim('[', ']'), cancellationToken) : await resolver(host, cancellationToken);
        throw new SocketException((int)SocketError.HostUnreachable);
    };

    /// <summary>Takes over the connections of an HTTP client.</summary>
    public void Attach(SocketsHttpHandler trackers) => new TrackerConnector(_sockets).Attach(trackers);

    /// <summary>Connects to the first of these that answers, by the route that there is.</summary>
    /// <exception cref="IOException">There is none.</exception>
    /// <exception cref="SocketException">None answers.</exception>
    public ValueTask<Socket> ConnectAsync(IReadOnlyList<IPAddress> addresses, int port, CancellationToken cancellationToken) => _sockets.ConnectAsync(addresses, port, cancellationToken);

    /// <summary>Takes in peers from here on. Called once.</summary>
    public void Receive(PeerWelcome welcome)
    {
        lock (_gate)
        {
            _welcome = welcome;
            _receptions = [.. _acceptors.Select(acceptor => new PeerReception(acceptor, _time, welcome, _encryption))];
        }

        Map(isNew: false);
    }

    /// <summary>The options have changed.</summary>
    public void Apply()
    {
        _sockets.Check();
        _blocklist.Look();
        Map(isNew: false);
    }

    /// <summary>A torrent is open: peers may ask for it in an encrypted handshake.</summary>
    public void Opened(InfoHash torrent) => _torrents.Add(torrent);

    /// <summary>A torrent is closed.</summary>
    public void Closed(InfoHash torrent) => _torrents.Remove(torrent);

    /// <summary>Takes no more peers. Those that are connected stay.</summary>
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

    /// <summary>No torrent is open any more.</summary>
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

    /// <summary>All sockets are closed; those for the new route are made.</summary>
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
                // Somebody else took the port meanwhile: peers are dialled all the same.
            }

            _receptions = _welcome is { } welcome ? [.. _acceptors.Select(acceptor => new PeerReception(acceptor, _time, welcome, _encryption))] : [];
        }

        Map(isNew: true);
        _routed();
    }

    /// <summary>Begins or ends asking the router.</summary>
    /// <param name="isNew">There is another route: what was asked for before is given up.</param>
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

        // Behind a proxy nobody can reach us, and whoever knocks would know us.
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
