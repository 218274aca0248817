using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using System.Text;
using NzbDav.Content.Proxies;
using NzbDav.Torrents.Datagrams;

namespace NzbDav.Torrents.Network;

/// <summary>
/// Datagrams through a SOCKS 5 proxy (RFC 1928, 7). The proxy relays datagrams as long as a connection to it remains open. When that
/// connection ends, another one is opened after a pause. Datagrams sent meanwhile are dropped: nothing bypasses the proxy.
/// </summary>
internal sealed class SocksChannel : IDatagramChannel
{
    /// <summary>The limit of <see cref="UdpPort"/> plus the header.</summary>
    private const int MostBytes = (16 << 10) + MostHeader;

    /// <summary>RSV, FRAG, ATYP, length and bytes of a name, port.</summary>
    private const int MostHeader = 4 + 1 + MostName + 2;
    private const int MostName = 255;

    // RFC 1928, 5.
    private const byte IPv4 = 1;
    private const byte Name = 3;
    private const byte IPv6 = 4;

    private static readonly TimeSpan Pause = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan ProxyTimeout = TimeSpan.FromSeconds(15);

    private readonly PeerSockets _sockets;
    private readonly ProxyAddress _proxy;
    private readonly TimeProvider _time;
    private readonly DatagramHandlers _handlers = new();
    private readonly CancellationTokenSource _stopping = new();
    private readonly Lock _sending = new();
    private readonly byte[] _datagram = new byte[MostBytes];
    private readonly TaskCompletionSource _known = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private Socket? _relay;
    private string? _trouble;

    /// <summary>Starts connecting to the proxy.</summary>
    /// <param name="sockets">Creates the sockets.</param>
    /// <param name="proxy">The SOCKS 5 proxy.</param>
    /// <param name="time">Drives pauses and time-outs.</param>
    public SocksChannel(PeerSockets sockets, ProxyAddress proxy, TimeProvider time)
    {
        _sockets = sockets;
        _proxy = proxy;
        _time = time;
        _ = RunAsync();
    }

    /// <summary>Always 0: the proxy's port cannot be announced.</summary>
    public int PortOf(AddressFamily family) => 0;

    public bool CanReach(AddressFamily family) => Volatile.Read(ref _relay) is not null;

    public bool CarriesNames => true;

    public string? Trouble => Volatile.Read(ref _relay) is null ? Volatile.Read(ref _trouble) : null;

    public Task WhenKnownAsync() => _known.Task;

    public void Send(DatagramAddress to, ReadOnlySpan<byte> datagram)
    {
        Span<byte> address = stackalloc byte[18];
        Send(to.Family == AddressFamily.InterNetwork ? IPv4 : IPv6, address[..to.Write(address)], datagram);
    }

    public void Send(string host, int port, ReadOnlySpan<byte> datagram)
    {
        if (host.Length is 0 or > MostName || !Ascii.IsValid(host))
            return;
        Span<byte> address = stackalloc byte[1 + MostName + 2];
        address[0] = (byte)Encoding.ASCII.GetBytes(host, address[1..]);
        BinaryPrimitives.WriteUInt16BigEndian(address[(1 + host.Length)..], (ushort)port);
        Send(Name, address[..(host.Length + 3)], datagram);
    }

    private void Send(byte kind, ReadOnlySpan<byte> address, ReadOnlySpan<byte> datagram)
    {
        if (Volatile.Read(ref _relay) is not { } relay || datagram.Length > MostBytes - MostHeader)
            return;
        try
        {
            lock (_sending)
            {
                // RSV 0000, FRAG 00, ATYP, DST.ADDR, DST.PORT, DATA.
                var bytes = _datagram.AsSpan();
                bytes[..3].Clear();
                bytes[3] = kind;
                address.CopyTo(bytes[4..]);
                var header = 4 + address.Length;
                datagram.CopyTo(bytes[header..]);
                relay.Send(bytes[..(header + datagram.Length)]);
            }
        }
        catch (Exception error) when (error is SocketException or ObjectDisposedException)
        {
            // Dropped, as is allowed for datagrams.
        }
    }

    public IDisposable Register(DatagramHandler handler) => _handlers.Register(handler);

    public void Dispose()
    {
        _stopping.Cancel();
        _known.TrySetResult();
        Volatile.Read(ref _relay)?.Dispose();
    }

    private async Task RunAsync()
    {
        await Task.Yield();
        try
        {
            while (true)
            {
                try
                {
                    await RelayAsync(_stopping.Token);
                }
                catch (Exception error) when (error is IOException or SocketException or ObjectDisposedException
                    || (error is OperationCanceledException && !_stopping.IsCancellationRequested))
                {
                    Volatile.Write(ref _trouble, "The proxy relays no datagrams: " + error.Message);
                }

                _known.TrySetResult();
                await Task.Delay(Pause, _time, _stopping.Token);
            }
        }
        catch (OperationCanceledException)
        {
            // Closed.
        }
    }

    private async Task RelayAsync(CancellationToken cancellationToken)
    {
        using var patience = new CancellationTokenSource(ProxyTimeout, _time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(patience.Token, cancellationToken);
        using var control = await ProxyConnector.ReachAsync(_sockets, _proxy, either.Token);
        var own = new IPEndPoint(control.AddressFamily == AddressFamily.InterNetwork ? IPAddress.Any : IPAddress.IPv6Any, 0);
        var relayAddress = await ProxyClient.AssociateAsync(control, _proxy, own, either.Token);

        // Many proxies return no address. The relay then has the address of the proxy.
        if (relayAddress.Address.Equals(IPAddress.Any) || relayAddress.Address.Equals(IPAddress.IPv6Any))
            relayAddress = new IPEndPoint(((IPEndPoint)control.RemoteEndPoint!).Address, relayAddress.Port);
        using var relay = _sockets.Create(relayAddress.AddressFamily, SocketType.Dgram, ProtocolType.Udp);
        if (relay is null)
            return;
        await relay.ConnectAsync(relayAddress, either.Token);
        Volatile.Write(ref _relay, relay);
        _known.TrySetResult();
        try
        {
            var receiving = ReceiveAsync(relay, cancellationToken);

            // The association lasts as long as the control connection.
            while (await control.ReceiveAsync(new byte[1], cancellationToken) > 0)
            {
            }

            relay.Dispose();
            await receiving;
        }
        finally
        {
            Volatile.Write(ref _relay, null);
        }
    }

    private async Task ReceiveAsync(Socket relay, CancellationToken cancellationToken)
    {
        var buffer = new byte[MostBytes];
        while (true)
        {
            try
            {
                HandleDatagram(buffer.AsSpan(0, await relay.ReceiveAsync(buffer, cancellationToken)));
            }
            catch (SocketException error) when (error.SocketErrorCode == SocketError.ConnectionRefused)
            {
                // An earlier datagram was refused.
            }
            catch (Exception error) when (error is SocketException or ObjectDisposedException or OperationCanceledException)
            {
                return;
            }
        }
    }

    private void HandleDatagram(ReadOnlySpan<byte> bytes)
    {
        // FRAG is 0 for a whole datagram. Fragments are not supported; RFC 1928 allows that.
        if (bytes.Length < 4 || bytes[2] != 0)
            return;
        var address = bytes[3] switch { IPv4 => 6, IPv6 => 18, Name when bytes.Length > 4 => bytes[4] + 3, _ => 0 };
        if (address == 0 || bytes.Length < 4 + address)
            return;

        // Some proxies send the sender's name instead of its address. Its address is then unknown.
        _handlers.Offer(bytes[3] == Name ? default : DatagramAddress.Read(bytes.Slice(4, address)), bytes[(4 + address)..]);
    }
}
