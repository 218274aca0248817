using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;

namespace NzbDav.Torrents.Datagrams;

/// <summary>One UDP socket with its receive loop. The loop allocates nothing per datagram.</summary>
internal sealed class UdpPort : IDisposable
{
    /// <summary>
    /// Longest datagram in bytes; longer ones are truncated. A tracker's answer with 2,000 peers has 12 KB; no other message has half as
    /// much.
    /// </summary>
    private const int MostBytes = 16 << 10;

    /// <summary>Size of the kernel buffer for each direction, in bytes: the data that a few uTP connections have under way.</summary>
    private const int Buffered = 1 << 20;

    // sockaddr_in and sockaddr_in6 have the same layout on all systems from the port on: ip(7), ipv6(7).
    private const int PortAt = 2;
    private const int AddressAt4 = 4;
    private const int AddressAt6 = 8;

    /// <summary>How long the family is not used after there was no route for a datagram.</summary>
    private static readonly TimeSpan Pause = TimeSpan.FromMinutes(1);

    private readonly Socket _socket;
    private readonly DatagramHandlers _handlers;
    private readonly TimeProvider _time;
    private readonly Lock _sending = new();
    private readonly SocketAddress _to;
    private long _unreachableUntil;
    private volatile bool _closed;

    private UdpPort(Socket socket, DatagramHandlers handlers, TimeProvider time)
    {
        _socket = socket;
        _handlers = handlers;
        _time = time;
        _to = new SocketAddress(Family);
        Port = ((IPEndPoint)socket.LocalEndPoint!).Port;
        _ = Task.Run(ReceiveAsync);
    }

    /// <summary>IPv4 or IPv6.</summary>
    public AddressFamily Family => _socket.AddressFamily;

    /// <summary>The port it is bound to.</summary>
    public int Port { get; }

    /// <summary>False for a minute after there was no route for a datagram.</summary>
    public bool CanReach => !_closed && _time.GetTimestamp() >= Interlocked.Read(ref _unreachableUntil);

    /// <summary>Binds to the port, or to any free port if that one is in use. Null if the family cannot be used.</summary>
    public static UdpPort? TryOpen(
        IPAddress address, int port, DatagramHandlers handlers, TimeProvider time, Func<AddressFamily, Socket?> create)
    {
        Socket? socket = null;
        try
        {
            // An IPv6 socket takes only IPv6: .NET sets IPV6_V6ONLY by default, so both families may have the same port.
            socket = create(address.AddressFamily);
            if (socket is null)
                return null;
            socket.Blocking = false;
            Widen(socket);
            Bind(socket, address, port);
            return new UdpPort(socket, handlers, time);
        }
        catch (SocketException)
        {
            socket?.Dispose();
            return null;
        }
    }

    /// <summary>See <see cref="IDatagramChannel.Send(DatagramAddress, ReadOnlySpan{byte})"/>.</summary>
    public void Send(DatagramAddress to, ReadOnlySpan<byte> datagram)
    {
        if (!CanReach || to.Port == 0)
            return;
        try
        {
            lock (_sending)
            {
                BinaryPrimitives.WriteUInt16BigEndian(_to.Buffer.Span[PortAt..], (ushort)to.Port);
                to.WriteAddress(_to.Buffer.Span[(Family == AddressFamily.InterNetwork ? AddressAt4 : AddressAt6)..]);
                _socket.SendTo(datagram, SocketFlags.None, _to);
            }
        }
        catch (SocketException error)
        {
            if (error.SocketErrorCode is SocketError.NetworkUnreachable or SocketError.NetworkDown)
                Interlocked.Exchange(ref _unreachableUntil, _time.GetTimestamp() + (long)(Pause.TotalSeconds * _time.TimestampFrequency));
        }
        catch (ObjectDisposedException)
        {
            // The socket was closed meanwhile.
        }
    }

    public void Dispose()
    {
        _closed = true;
        _socket.Dispose();
    }

    private static void Widen(Socket socket)
    {
        try
        {
            // The system grants at most its limit (net.core.rmem_max), by default a fifth of this.
            socket.ReceiveBufferSize = socket.SendBufferSize = Buffered;

            // Lets routers fragment a datagram that is too long for a tunnel (RFC 791). Otherwise it would be lost where they cannot report
            // that.
            if (socket.AddressFamily == AddressFamily.InterNetwork)
                socket.DontFragment = false;
        }
        catch (SocketException)
        {
            // Smaller buffers work too.
        }
    }

    private static void Bind(Socket socket, IPAddress address, int port)
    {
        try
        {
            socket.Bind(new IPEndPoint(address, port));
        }
        catch (SocketException) when (port != 0)
        {
            // Another program uses the port, or we may not use it. Any port suffices to find peers.
            socket.Bind(new IPEndPoint(address, 0));
        }
    }

    private async Task ReceiveAsync()
    {
        var buffer = GC.AllocateUninitializedArray<byte>(MostBytes, pinned: true);
        var from = new SocketAddress(Family);
        while (!_closed)
        {
            try
            {
                var received = await _socket.ReceiveFromAsync(buffer, SocketFlags.None, from);
                Interlocked.Exchange(ref _unreachableUntil, 0);
                _handlers.Offer(Read(from), buffer.AsSpan(0, received));
            }
            catch (SocketException error)
            {
                // On Windows these errors report that an earlier datagram was refused (WSAECONNRESET), or that this one is too long. Any
                // other error may persist.
                if (error.SocketErrorCode is not (SocketError.ConnectionReset or SocketError.MessageSize) && !_closed)
                    await Task.Delay(TimeSpan.FromSeconds(1), _time);
            }
            catch (ObjectDisposedException)
            {
                return;
            }
        }
    }

    private DatagramAddress Read(SocketAddress from)
    {
        var bytes = from.Buffer.Span;
        var address = Family == AddressFamily.InterNetwork ? bytes.Slice(AddressAt4, 4) : bytes.Slice(AddressAt6, 16);
        return DatagramAddress.Of(address, BinaryPrimitives.ReadUInt16BigEndian(bytes[PortAt..]));
    }
}
