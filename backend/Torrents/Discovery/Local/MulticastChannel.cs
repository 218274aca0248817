using System.Net;
using System.Net.NetworkInformation;
using System.Net.Sockets;
using System.Threading.Channels;

namespace NzbDav.Torrents.Discovery.Local;

/// <summary>The two multicast groups of BEP 14, on every network of this machine or on one.</summary>
internal sealed class MulticastChannel : ILocalChannel
{
    private const int Port = 6_771;

    private static readonly IPAddress Group4 = IPAddress.Parse("239.192.152.143");
    private static readonly IPAddress Group6 = IPAddress.Parse("ff15::efc0:988f");

    /// <summary>Datagrams waiting to be handled: at most 64. Further ones are dropped, as in any network.</summary>
    private readonly Channel<(IPEndPoint Sender, byte[] Datagram)> _arrived =
        Channel.CreateBounded<(IPEndPoint, byte[])>(
            new BoundedChannelOptions(64) { FullMode = BoundedChannelFullMode.DropWrite, SingleReader = true });

    private readonly IPAddress? _only;
    private readonly Socket? _socket4;
    private readonly Socket? _socket6;
    private readonly HashSet<(AddressFamily Family, int Index)> _joined = [];

    /// <summary>Starts listening.</summary>
    /// <param name="only">An address of this machine, to use only its network. Null = all networks.</param>
    /// <exception cref="SocketException">Neither group can be listened to.</exception>
    public MulticastChannel(IPAddress? only)
    {
        _only = only;
        _socket4 = TryOpen(AddressFamily.InterNetwork, IPAddress.Any, out var fault4);
        _socket6 = TryOpen(AddressFamily.InterNetworkV6, IPAddress.IPv6Any, out _);
        if (_socket4 is null && _socket6 is null)
            throw fault4!;
        Join();
        _ = ReceiveAllAsync(_socket4, Group4);
        _ = ReceiveAllAsync(_socket6, Group6);
    }

    public void Send(LocalAnnouncement announcement)
    {
        // The interfaces may have changed since the last announcement.
        Join();
        var bytes4 = announcement.Write($"{Group4}:{Port}");
        var bytes6 = announcement.Write($"[{Group6}]:{Port}");
        foreach (var (family, index) in _joined)
        {
            try
            {
                if (family == AddressFamily.InterNetwork)
                {
                    _socket4!.SetSocketOption(
                        SocketOptionLevel.IP, SocketOptionName.MulticastInterface, IPAddress.HostToNetworkOrder(index));
                    _socket4.SendTo(bytes4, new IPEndPoint(Group4, Port));
                }
                else
                {
                    _socket6!.SetSocketOption(SocketOptionLevel.IPv6, SocketOptionName.MulticastInterface, index);
                    _socket6.SendTo(bytes6, new IPEndPoint(Group6, Port));
                }
            }
            catch (SocketException)
            {
                // The network is down, or blocks multicast.
            }
        }
    }

    public async ValueTask<(IPEndPoint Sender, int Length)> ReceiveAsync(Memory<byte> buffer, CancellationToken cancellationToken)
    {
        try
        {
            var (sender, datagram) = await _arrived.Reader.ReadAsync(cancellationToken);
            datagram.CopyTo(buffer);
            return (sender, datagram.Length);
        }
        catch (ChannelClosedException error)
        {
            throw new ObjectDisposedException("The network was left.", error);
        }
    }

    public void Dispose()
    {
        _socket4?.Dispose();
        _socket6?.Dispose();
        _arrived.Writer.TryComplete();
    }

    private static Socket? TryOpen(AddressFamily family, IPAddress any, out SocketException? fault)
    {
        fault = null;
        Socket? socket = null;
        try
        {
            socket = new Socket(family, SocketType.Dgram, ProtocolType.Udp);
            if (family == AddressFamily.InterNetworkV6)
                socket.DualMode = false;

            // Other programs on this machine use the same port for the same purpose.
            socket.SetSocketOption(SocketOptionLevel.Socket, SocketOptionName.ReuseAddress, optionValue: true);
            socket.Bind(new IPEndPoint(any, Port));
            return socket;
        }
        catch (SocketException error)
        {
            fault = error;
            socket?.Dispose();
            return null;
        }
    }

    private void Join()
    {
        var present = new HashSet<(AddressFamily, int)>();
        foreach (var network in NetworkInterface.GetAllNetworkInterfaces())
        {
            if (network.OperationalStatus is not (OperationalStatus.Up or OperationalStatus.Unknown) || !network.SupportsMulticast
                || network.NetworkInterfaceType == NetworkInterfaceType.Loopback)
                continue;
            var properties = network.GetIPProperties();
            var addresses = properties.UnicastAddresses.Select(static unicast => unicast.Address).ToArray();
            if (_only is not null && !addresses.Contains(_only))
                continue;
            if (_socket4 is not null && network.Supports(NetworkInterfaceComponent.IPv4)
                && Array.Exists(addresses, static address => address.AddressFamily == AddressFamily.InterNetwork))
                present.Add((AddressFamily.InterNetwork, properties.GetIPv4Properties().Index));
            if (_socket6 is not null && network.Supports(NetworkInterfaceComponent.IPv6)
                && Array.Exists(addresses, static address => address.AddressFamily == AddressFamily.InterNetworkV6))
                present.Add((AddressFamily.InterNetworkV6, properties.GetIPv6Properties().Index));
        }

        // The membership of a network that disappeared has ended too.
        _joined.IntersectWith(present);
        foreach (var (family, index) in present.Where(network => !_joined.Contains(network)))
        {
            try
            {
                if (family == AddressFamily.InterNetwork)
                    _socket4!.SetSocketOption(SocketOptionLevel.IP, SocketOptionName.AddMembership, new MulticastOption(Group4, index));
                else
                    _socket6!.SetSocketOption(
                        SocketOptionLevel.IPv6, SocketOptionName.AddMembership, new IPv6MulticastOption(Group6, index));
                _joined.Add((family, index));
            }
            catch (SocketException)
            {
                // The network does not support multicast after all.
            }
        }
    }

    private async Task ReceiveAllAsync(Socket? socket, IPAddress group)
    {
        if (socket is null)
            return;
        var buffer = new byte[LocalAnnouncement.MostBytes];
        var any = new IPEndPoint(socket.AddressFamily == AddressFamily.InterNetwork ? IPAddress.Any : IPAddress.IPv6Any, 0);
        while (true)
        {
            try
            {
                var received = await socket.ReceiveMessageFromAsync(buffer, SocketFlags.None, any);

                // A datagram sent to our own address may come from anywhere. Only multicast stays in the local network.
                if (received.PacketInformation.Address.Equals(group)
                    && (_only is null || _joined.Contains((socket.AddressFamily, received.PacketInformation.Interface))))
                    _arrived.Writer.TryWrite(((IPEndPoint)received.RemoteEndPoint, buffer[..received.ReceivedBytes]));
            }
            catch (SocketException error)
                when (error.SocketErrorCode is not (SocketError.OperationAborted or SocketError.NotSocket or SocketError.Interrupted))
            {
                // One datagram was too long, or one of ours was not delivered.
            }
            catch (Exception error) when (error is SocketException or ObjectDisposedException)
            {
                return;
            }
        }
    }
}
