using System.Globalization;
using System.Net;
using System.Net.Sockets;
using NzbDav.Content.Proxies;
using NzbDav.Torrents.Datagrams;
using NzbDav.Torrents.Network;
using NzbDav.Torrents.Utp;
using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents;

/// <content>The port at which peers can reach us.</content>
internal sealed partial class PeerNetwork
{
    /// <summary>
    /// Moves to the port that the options name, if it is another one: new listeners and datagrams, while all connections stay.
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

            // Without a route it is opened when there is one.
            (Port, _refused) = (wanted, 0);
            if (CanListen(route))
                UseDatagrams(route);
            _inbound.Reset();
            return true;
        }
    }

    /// <summary>Behind a proxy peers cannot reach us, and incoming connections would reveal our address.</summary>
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
                // Another program has it now. It was chosen at random, so another will do.
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
        // A proxy carries datagrams for the DHT and trackers; peers that connect could not be told from it.
        _carriesUtp = datagrams is UdpChannel;
        _datagrams.Use(
            datagrams, datagrams is null ? route.Trouble ?? "It cannot be asked through an HTTP proxy, which carries no UDP" : null);

        // Peers know a connection by our address, and that of the former sockets is gone.
        _utp.Abort();
    }

    /// <summary>Accepts peers by TCP and uTP, once there is somebody to welcome them.</summary>
    private List<PeerReception> Receptions()
    {
        if (_welcome is not { } welcome)
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

    private bool TryTake(Socket taken, NetworkRoute route)
    {
        var from = (IPEndPoint)taken.RemoteEndPoint!;
        if (!IsBlocked(from.Address))
        {
            _inbound.Note(from);
            return _sockets.TryTrack(taken, route);
        }

        taken.Dispose();
        return false;
    }

    /// <summary>Listens at one port of all addresses. One family is enough: this machine may have no other.</summary>
    /// <param name="route">The route.</param>
    /// <param name="port">The port; 0 = any free one, the same for both families.</param>
    /// <param name="isOptional">False: it fails if no address can be listened on.</param>
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
                    opened.Add(new TcpAcceptor(socket, endpoint, taken => TryTake(taken, route)));
                }
            }
            catch (SocketException) when (isOptional || opened.Count > 0)
            {
                // See above.
            }
        }

        return opened;
    }
}
