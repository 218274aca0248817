using System.Net;
using System.Net.Sockets;
using System.Text;
using NzbDav.Content.Dialling;
using NzbDav.Content.Proxies;

namespace NzbDav.Torrents.Network;

/// <summary>
/// Creates all sockets of the engine: for peers, trackers and datagrams. All use one <see cref="NetworkRoute"/>. When the route changes,
/// all sockets are closed. While there is no route, none is created. Thread-safe.
/// </summary>
internal sealed class PeerSockets : IDisposable
{
    // From <asm-generic/socket.h>. Setting it needs no privilege since Linux 5.7.
    private const int SolSocket = 1;
    private const int SoBindToDevice = 25;

    /// <summary>Time between checks: the system's notification of a change can be lost.</summary>
    private static readonly TimeSpan CheckEvery = TimeSpan.FromSeconds(2);

    private readonly Func<NetworkSettings> _settings;
    private readonly ILocalAddresses _addresses;
    private readonly ITimer _timer;
    private readonly Lock _gate = new();
    private readonly Lock _checking = new();
    private List<WeakReference<Socket>> _open = [];
    private NetworkRoute _route;
    private int _mostOpen = 64;
    private bool _closed;

    /// <param name="settings">Returns the current settings.</param>
    /// <param name="addresses">The addresses of this machine.</param>
    /// <param name="time">Drives the check.</param>
    public PeerSockets(Func<NetworkSettings> settings, ILocalAddresses addresses, TimeProvider time)
    {
        _settings = settings;
        _addresses = addresses;
        _route = Find();
        _addresses.Changed += Check;
        _timer = time.CreateTimer(static state => ((PeerSockets)state!).Check(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        Watch();
    }

    /// <summary>
    /// Raised after the route has changed and all sockets have been closed. Calls do not overlap, because they run under a separate lock.
    /// </summary>
    public event Action? Changed;

    /// <summary>The current route.</summary>
    public NetworkRoute Route
    {
        get
        {
            lock (_gate)
                return _route;
        }
    }

    /// <summary>Determines the route again, because the options or the interfaces may have changed.</summary>
    public void Check()
    {
        lock (_checking)
        {
            var route = Find();
            List<WeakReference<Socket>> open;
            lock (_gate)
            {
                if (_closed || route == _route)
                    return;
                _route = route;
                (open, _open) = (_open, []);
            }

            Close(open);
            Watch();
            Changed?.Invoke();
        }
    }

    /// <summary>Creates a socket that uses the route, with any local port. Null if the route does not allow it.</summary>
    /// <exception cref="SocketException">The system refuses it.</exception>
    public Socket? Create(AddressFamily family, SocketType type, ProtocolType protocol) =>
        Create(family, type, protocol, isListener: type != SocketType.Stream);

    /// <summary>
    /// Like <see cref="Create(AddressFamily, SocketType, ProtocolType)"/>, but for listening: the socket is not yet bound to an address.
    /// </summary>
    /// <exception cref="SocketException">The system refuses it.</exception>
    public Socket? Listen(AddressFamily family) => Create(family, SocketType.Stream, ProtocolType.Tcp, isListener: true);

    /// <summary>Registers an accepted socket, so that it is closed with the others.</summary>
    /// <returns>False if the route has changed; the socket is then closed.</returns>
    public bool TryTrack(Socket socket, NetworkRoute route)
    {
        lock (_gate)
        {
            if (!_closed && ReferenceEquals(route, _route))
            {
                if (_open.Count >= _mostOpen)
                {
                    _open.RemoveAll(static reference => !reference.TryGetTarget(out var open) || open.SafeHandle.IsClosed);
                    _mostOpen = Math.Max(64, 2 * _open.Count);
                }

                _open.Add(new WeakReference<Socket>(socket));
                return true;
            }
        }

        socket.Dispose();
        return false;
    }

    /// <summary>Connects to the first of these addresses that answers.</summary>
    /// <exception cref="IOException">There is no route.</exception>
    /// <exception cref="SocketException">None answers.</exception>
    public async ValueTask<Socket> ConnectAsync(IReadOnlyList<IPAddress> addresses, int port, CancellationToken cancellationToken)
    {
        if (addresses.Count == 0)
            throw new SocketException((int)SocketError.NoData);
        var route = Route;
        IPAddress[] reachable = [.. addresses.Where(address => route.SourceOf(address.AddressFamily) is not null)];
        return reachable.Length == 0
            ? throw new IOException(Route.Trouble ?? "The interface that torrents are bound to has no address of that kind.")
            : await Dialler.Shared.ConnectAsync(reachable, port, ConnectAsync, cancellationToken);
    }

    public void Dispose()
    {
        _addresses.Changed -= Check;
        _timer.Dispose();
        List<WeakReference<Socket>> open;
        lock (_gate)
        {
            _closed = true;
            (open, _open) = (_open, []);
        }

        Close(open);
    }

    private async ValueTask<Socket> ConnectAsync(IPEndPoint address, CancellationToken cancellationToken)
    {
        var socket = Create(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp)
            ?? throw new IOException(Route.Trouble ?? "The network has changed.");
        try
        {
            socket.NoDelay = true;
            await socket.ConnectAsync(address, cancellationToken);
            return socket;
        }
        catch (ObjectDisposedException error)
        {
            throw new IOException(Route.Trouble ?? "The network has changed.", error);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    private Socket? Create(AddressFamily family, SocketType type, ProtocolType protocol, bool isListener)
    {
        var route = Route;
        if (route.SourceOf(family) is not { } source)
            return null;
        var socket = new Socket(family, type, protocol);
        try
        {
            if (route.IsBound)
            {
                BindToDevice(socket, route.Device!);
                if (!isListener)
                    BindToSource(socket, source);
            }
        }
        catch
        {
            socket.Dispose();
            throw;
        }

        return TryTrack(socket, route) ? socket : null;
    }

    private static void BindToDevice(Socket socket, string device)
    {
        // The source address alone does not bind packets to an interface: without a route there, they would leave by another one.
        if (!OperatingSystem.IsLinux())
            return;
        try
        {
            socket.SetRawSocketOption(SolSocket, SoBindToDevice, Encoding.UTF8.GetBytes(device + '\0'));
        }
        catch (SocketException)
        {
            // Older kernels allow this only to the superuser. The source address is then the only restriction, and everything is closed
            // when it disappears.
        }
    }

    private static void BindToSource(Socket socket, IPAddress source) => socket.Bind(new IPEndPoint(source, 0));

    private static void Close(List<WeakReference<Socket>> sockets)
    {
        foreach (var reference in sockets)
        {
            if (reference.TryGetTarget(out var socket))
                socket.Dispose();
        }
    }

    private NetworkRoute Find()
    {
        var settings = _settings();
        return NetworkRoute.Find(settings.Bind, string.IsNullOrEmpty(settings.Bind) ? [] : _addresses.List(), settings.Proxy);
    }

    /// <summary>Starts or stops the timer. Interfaces matter only if bound to one.</summary>
    private void Watch()
    {
        var period = Route.IsBound ? CheckEvery : Timeout.InfiniteTimeSpan;
        _timer.Change(period, period);
    }
}

/// <summary>Settings of the route.</summary>
/// <param name="Bind">An address of this machine or the name of an interface; null = the system's choice.</param>
/// <param name="Proxy">The proxy; null = none.</param>
internal readonly record struct NetworkSettings(string? Bind, ProxyAddress? Proxy);
