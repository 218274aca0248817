using System.Net;
using System.Net.Sockets;
using System.Text;
using NzbDav.Fakes;
using NzbDav.Torrents.Mapping;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Tests.Mapping;

/// <summary>A router that lets peers in by IPv6 through UPnP, where PCP is not to be had.</summary>
public sealed class PinholeTests
{
    private const int Port = 50_123;

    [Fact]
    public async Task Pinholes_are_made_for_our_address_renewed_made_anew_after_a_restart_and_closed()
    {
        Assert.SkipUnless(Socket.OSSupportsIPv6, "This machine has no IPv6.");
        using var gateway = new MockGateway(six: true);
        var time = new ManualTimeProvider();
        var told = new List<PortMappingStatus>();
        var mapper = MapperOf(gateway, time);
        await using (var mapping = new PortMapping(Port, () => [mapper], told.Add, time, isSix: true))
        {
            await Until.TrueAsync(() => time.NextDue == TimeSpan.FromHours(1));
            Assert.Equal((MappingMethod.Upnp, IPAddress.IPv6Loopback, Port, Port),
                Assert.Single(told) is var one ? (one.Method, one.ExternalAddress, one.TcpPort, one.UdpPort) : default);
            Assert.Equal([("6", "::1", Port, 7_200), ("17", "::1", Port, 7_200)],
                gateway.Pinholes.OrderBy(static pair => pair.Key).Select(static pair => pair.Value));

            time.Advance(TimeSpan.FromHours(1));
            await Until.TrueAsync(() => gateway.Called.Count == 4 && time.NextDue == TimeSpan.FromHours(1));
            gateway.Pinholes.Clear();
            time.Advance(TimeSpan.FromHours(1));
            await Until.TrueAsync(() => gateway.Called.Count == 8 && time.NextDue == TimeSpan.FromHours(1));
            Assert.Equal(2, gateway.Pinholes.Count);
        }

        Assert.Equal(
            ["AddPinhole", "AddPinhole", "UpdatePinhole", "UpdatePinhole", "UpdatePinhole", "AddPinhole", "UpdatePinhole", "AddPinhole",
                "DeletePinhole", "DeletePinhole"],
            gateway.Called.Select(static call => call.Action));
        Assert.Empty(gateway.Pinholes);
    }

    [Fact]
    public async Task A_router_that_refuses_is_named_with_its_reason()
    {
        Assert.SkipUnless(Socket.OSSupportsIPv6, "This machine has no IPv6.");
        using var gateway = new MockGateway(six: true) { Refuses = 606 };
        Assert.Equal(
            MappingOutcome.Refused("UPnP: error 606 Mock 606"),
            await MapperOf(gateway, TimeProvider.System).MapAsync(MappingProtocol.Tcp, Port, TimeSpan.FromHours(2), default));
    }

    [Theory]
    [InlineData("fe80::1", "fe80::1", true)]
    [InlineData("2001:db8::1", "2001:db8::1", true)]
    [InlineData("fe80::1", "2001:db8::1", true)]
    [InlineData("2001:db8:0:1::1", "2001:db8:0:1::1", false)]
    [InlineData("fe80::1", "2001:db8:0:1::1", false)]
    [InlineData("fe80::1", "10.0.0.1", false)]
    public void Only_hosts_of_the_link_are_called(string from, string host, bool isTaken)
    {
        var gateway = new Gateway(IPAddress.Parse("fe80::1"), IPAddress.Parse("2001:db8::7"));
        var search = new GatewaySearch(gateway, GatewaySearch.GroupOfSix(gateway), static _ => null, TimeProvider.System);
        var location = $"http://{new IPEndPoint(IPAddress.Parse(host), 5_000)}/rootDesc.xml";
        var answer = Encoding.ASCII.GetBytes(
            $"HTTP/1.1 200 OK\r\nST: urn:schemas-upnp-org:service:WANIPv6FirewallControl:1\r\nLOCATION: {location}\r\n\r\n");
        Assert.Equal(isTaken ? new Uri(location) : null, search.Read(answer, IPAddress.Parse(from)));
    }

    private static PinholeMapper MapperOf(MockGateway gateway, TimeProvider time) =>
        new(new Gateway(IPAddress.IPv6Loopback, IPAddress.IPv6Loopback), gateway.Group, static type =>
            new Socket(AddressFamily.InterNetworkV6, type, type == SocketType.Stream ? ProtocolType.Tcp : ProtocolType.Udp), time);
}
