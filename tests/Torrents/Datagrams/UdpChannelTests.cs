using System.Net;
using System.Net.Sockets;
using NzbDav.Fakes;
using NzbDav.Torrents.Datagrams;
using NzbDav.Torrents.Settings;

namespace NzbDav.Torrents.Tests.Datagrams;

/// <summary>Datagrams over real sockets on loopback.</summary>
public sealed class UdpChannelTests
{
    [Theory]
    [InlineData("127.0.0.1")]
    [InlineData("::1")]
    public async Task A_datagram_arrives_with_its_senders_address(string host)
    {
        var address = IPAddress.Parse(host);
        using var left = new UdpChannel(new IPEndPoint(address, 0), TimeProvider.System);
        using var right = new UdpChannel(new IPEndPoint(address, 0), TimeProvider.System);
        var came = new TaskCompletionSource<(DatagramAddress From, byte[] Payload)>();
        right.Register((from, datagram) => came.TrySetResult((from, datagram.ToArray())));

        // The first may arrive before the loop listens: the kernel keeps it, and loopback loses nothing.
        left.Send(AddressOf(right, address), "hello"u8);
        var (from, payload) = await came.Task.WaitAsync(TimeSpan.FromSeconds(60));
        Assert.Equal(AddressOf(left, address), from);
        Assert.Equal("hello"u8.ToArray(), payload);
        Assert.Equal(new IPEndPoint(address, left.PortOf(address.AddressFamily)), from.ToEndPoint());
    }

    [Fact]
    public void Both_families_use_the_requested_port_and_a_taken_port_is_replaced()
    {
        using var first = new UdpChannel(listen: null, TimeProvider.System);
        var port = first.PortOf(AddressFamily.InterNetwork);
        Assert.NotEqual(0, port);
        Assert.True(first.CanReach(AddressFamily.InterNetwork));
        using var second = new UdpChannel(new IPEndPoint(IPAddress.Any, port), TimeProvider.System);
        Assert.NotEqual(0, second.PortOf(AddressFamily.InterNetwork));
        Assert.NotEqual(port, second.PortOf(AddressFamily.InterNetwork));
    }

    [Fact]
    public void A_channel_with_one_address_reaches_only_its_family()
    {
        using var channel = new UdpChannel(new IPEndPoint(IPAddress.Loopback, 0), TimeProvider.System);
        Assert.True(channel.CanReach(AddressFamily.InterNetwork));
        Assert.False(channel.CanReach(AddressFamily.InterNetworkV6));
        channel.Send(new DatagramAddress(IPEndPoint.Parse("[2001:db8::1]:6881")), "x"u8);
        channel.Dispose();
        channel.Send(new DatagramAddress(IPEndPoint.Parse("127.0.0.1:6881")), "x"u8);
        Assert.False(channel.CanReach(AddressFamily.InterNetwork));
    }

    [Fact]
    public async Task An_engine_uses_the_same_port_for_UDP_and_TCP()
    {
        await using var engine = new TorrentEngine(
            new TorrentOptions { Workers = 1, Listen = new IPEndPoint(IPAddress.Loopback, 0) }, TimeProvider.System);
        Assert.Throws<SocketException>(() => new UdpClient(new IPEndPoint(IPAddress.Loopback, engine.Port)));
    }

    [Fact]
    public void A_handler_that_takes_a_datagram_hides_it_from_later_handlers_until_removed()
    {
        var time = new ManualTimeProvider();
        var network = new VirtualNetwork(time);
        var left = network.Join("192.0.2.1:1");
        var right = network.Join("192.0.2.2:2", "[2001:db8::2]:2");
        var log = new List<string>();
        using var none = right.Register((_, _) => Note("none", taken: false));
        var first = right.Register((_, _) => Note("first", taken: true));
        using var second = right.Register((_, _) => Note("second", taken: true));
        left.Send(right.Addresses[0], "x"u8);
        time.Advance(TimeSpan.FromMilliseconds(24));
        Assert.Empty(log);
        time.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(["none", "first"], log);
        first.Dispose();
        left.Send(right.Addresses[0], "x"u8);

        // It has no IPv6.
        left.Send(right.Addresses[1], "x"u8);
        time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(["none", "first", "none", "second"], log);

        bool Note(string name, bool taken)
        {
            log.Add(name);
            return taken;
        }
    }

    [Theory]
    [InlineData("192.0.2.7:6881", 6)]
    [InlineData("[2001:db8::7]:6881", 18)]
    public void Addresses_round_trip_in_the_compact_form(string text, int length)
    {
        var address = new DatagramAddress(IPEndPoint.Parse(text));
        var bytes = new byte[18];
        Assert.Equal(length, address.Write(bytes));
        Assert.Equal(address, DatagramAddress.Read(bytes.AsSpan(0, length)));
        Assert.Equal(text, address.ToString());
        Assert.Equal(new DatagramAddress(IPEndPoint.Parse("192.0.2.7:1")),
            new DatagramAddress(new IPEndPoint(IPAddress.Parse("::ffff:192.0.2.7"), 1)));
    }

    private static DatagramAddress AddressOf(UdpChannel channel, IPAddress address) =>
        new(new IPEndPoint(address, channel.PortOf(address.AddressFamily)));
}
