using System.Net;
using System.Net.Sockets;
using System.Text;

namespace NzbDav.Torrents.Network;

/// <summary>
/// Makes every socket of the engine: for peers, trackers and datagrams. All leave by one <see cref="NetworkRoute"/>; when that changes, all of them are closed, and none is made while there is
/// none. Thread-safe.
/// </summary>
internal sealed class PeerSockets : IDisposable
{
    // <asm-generic/socket.h>; setting it needs no privilege since Linux 5.7.
    private const int SolSocket = 1;
    private const int SoBindToDevice = 25;

    /// <summary>Beside the system's own word of a change, which may be lost.</summary>
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

    /// <param name="settings">As they are at the time.</param>
    /// <param name="addresses">This machine's.</param>
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

    /// <summary>The route is another: all sockets are closed. Called under a lock of its own, one after the other.</summary>
    public event Action? Changed;

    /// <summary>As it is now.</summary>
    public NetworkRoute Route
    {
        get
        {
            lock (_gate)
                return _route;
        }
    }

    /// <summary>Finds the route anew: the options or the interfaces may have changed.</summary>
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

    /// <summary>A socket that leaves by the route, at any port. Null while it may not.</summary>
    /// <exception cref="SocketException">The system refuses it.</exception>
    public Socket? Create(AddressFamily family, SocketType type, ProtocolType protocol) => Create(family, type, protocol, isListener: type != SocketType.Stream);

    /// <summary>As <see cref="Create(AddressFamily, SocketType, ProtocolType)"/>, to be listened on: not bound to an address yet.</summary>
    /// <exception cref="SocketException">The system refuses it.</exception>
    public Socket? Listen(AddressFamily family) => Create(family, SocketType.Stream, ProtocolType.Tcp, isListener: true);

    /// <summary>A socket that came: it is closed with the others.</summary>
    /// <returns>False, and closed, if the route has changed.</returns>
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

    /// <summary>Connects to the first of these that answers.</summary>
    /// <exception cref="IOException">The route is not there.</exception>
    /// <exception cref="SocketException">None answers.</exception>
    public async ValueTask<Socket> ConnectAsync(IReadOnlyList<IPAddress> addresses, int port, CancellationToken cancellationToken)
    {
        SocketException? last = null;
        foreach (var address in addresses)
        {
            if (Create(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp) is not { } socket)
                continue;
            try
            {
                socket.NoDelay = true;
                await socket.ConnectAsync(new IPEndPoint(address, port), cancellationToken);
                return socket;
            }
            catch (SocketException error)
            {
                socket.Dispose();
                last = error;
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

        throw last ?? (Exception)new IOException(Route.Trouble ?? "The interface that torrents are bound to has no address of that kind.");
    }

    /// <inheritdoc/>
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
        // The source address alone does not hold packets to an interface: without a route there, they would leave by another one.
        if (!OperatingSystem.IsLinux())
            return;
        try
        {
            socket.SetRawSocketOption(SolSocket, SoBindToDevice, Encoding.UTF8.GetBytes(device + '\0'));
        }
        catch (SocketException)
        {
            // Older kernels keep it for the superuser. What is left is the source address, and that all is closed when it goes.
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

    /// <summary>Interfaces matter only to who is bound to one.</summary>
    private void Watch()
    {
        var period = Route.IsBound ? CheckEvery : Timeout.InfiniteTimeSpan;
        _timer.Change(period, period);
    }
}
