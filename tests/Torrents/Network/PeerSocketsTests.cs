using System.Net;
using System.Net.Sockets;
using NzbDav.Fakes;
using NzbDav.Torrents.Network;

namespace NzbDav.Torrents.Tests.Network;

public sealed class PeerSocketsTests
{
    private readonly FixedAddresses _addresses = new();

    [Fact]
    public async Task When_the_interface_disappears_all_sockets_close_and_none_opens_until_it_returns()
    {
        _addresses.Set(("lo", "127.0.0.1", true));
        using var sockets = new PeerSockets(static () => new NetworkSettings("lo", null), _addresses, new ManualTimeProvider());
        using var listener = new Socket(SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen();
        var port = ((IPEndPoint)listener.LocalEndPoint!).Port;
        var connected = await sockets.ConnectAsync([IPAddress.Loopback], port, default);
        var datagrams = sockets.Create(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp)!;
        var changes = 0;
        sockets.Changed += () => changes++;

        _addresses.Set(("lo", "127.0.0.1", false));
        Assert.Equal(1, changes);
        await Assert.ThrowsAsync<ObjectDisposedException>(() => connected.SendAsync(new byte[1]).WaitAsync(TimeSpan.FromSeconds(5)));
        Assert.Throws<ObjectDisposedException>(() => datagrams.SendTo(new byte[1], listener.LocalEndPoint));
        Assert.Null(sockets.Create(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp));
        var refused = await Assert.ThrowsAsync<IOException>(() => sockets.ConnectAsync([IPAddress.Loopback], port, default).AsTask());
        Assert.Equal("Torrents wait: the interface lo, which they are bound to, is down", refused.Message);

        _addresses.Set(("lo", "127.0.0.1", true));
        Assert.Equal(2, changes);
        (await sockets.ConnectAsync([IPAddress.Loopback], port, default)).Dispose();
    }

    [Fact]
    public void A_change_without_a_system_notification_is_noticed_within_two_seconds()
    {
        var time = new ManualTimeProvider();
        _addresses.Addresses.Add(new LocalAddress("lo", IPAddress.Loopback, true));
        using var sockets = new PeerSockets(static () => new NetworkSettings("127.0.0.1", null), _addresses, time);
        Assert.Null(sockets.Route.Trouble);
        _addresses.Addresses.Clear();
        time.Advance(TimeSpan.FromSeconds(2));
        Assert.NotNull(sockets.Route.Trouble);
    }

    [Fact]
    public void Binding_to_one_address_opens_no_socket_of_the_other_family()
    {
        _addresses.Set(("lo", "127.0.0.1", true));
        using var sockets = new PeerSockets(static () => new NetworkSettings("127.0.0.1", null), _addresses, new ManualTimeProvider());
        Assert.Null(sockets.Create(AddressFamily.InterNetworkV6, SocketType.Stream, ProtocolType.Tcp));
        using var socket = sockets.Create(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        Assert.Equal(IPAddress.Loopback, ((IPEndPoint)socket!.LocalEndPoint!).Address);
    }
}
