using System.Net;
using System.Net.Sockets;
using System.Text;
using NzbDav.Fakes;
using NzbDav.Torrents.Mapping;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Tests.Mapping;

/// <summary>UPnP against a gateway on loopback.</summary>
public sealed class UpnpTests
{
    private const int Port = 6_881;
    private static readonly TimeSpan Hours = TimeSpan.FromHours(2);
    private static readonly Gateway Loopback = new(IPAddress.Loopback, IPAddress.Loopback);

    [Theory]
    [InlineData(1, null, "AddPortMapping")]
    [InlineData(2, null, "AddAnyPortMapping")]
    [InlineData(1, "WANPPPConnection", "AddPortMapping")]
    public async Task A_port_is_mapped_for_TCP_and_UDP_renewed_before_its_lease_ends_and_released(
        int version, string? service, string action)
    {
        using var gateway = new MockGateway { Version = version, Service = service };
        var time = new ManualTimeProvider();
        var told = new List<PortMappingStatus>();
        await using (var mapping = new PortMapping(Port, () => [NewMapper(gateway, time)], told.Add, time))
        {
            await Until.TrueAsync(() => told.Count == 1 && time.NextDue == Hours / 2);
            Assert.Equal(new PortMappingStatus(MappingMethod.Upnp, IPAddress.Parse("203.0.113.7"), Port, Port, Trouble: null), told[0]);
            Assert.Equal([(action, Port, "TCP", Port, 7_200), (action, Port, "UDP", Port, 7_200)], gateway.Called);
            Assert.Equal(["127.0.0.1:6881", "127.0.0.1:6881"], gateway.Mappings.Values);
            var searched = gateway.Searched.Count;
            time.Advance(Hours / 2);
            await Until.TrueAsync(() => told.Count == 2);
            Assert.Equal(4, gateway.Called.Count);
            Assert.Equal(searched, gateway.Searched.Count);
        }

        Assert.Equal([("DeletePortMapping", Port, "TCP", 0, 0), ("DeletePortMapping", Port, "UDP", 0, 0)], gateway.Called.Skip(4));
        Assert.Empty(gateway.Mappings);
    }

    [Fact]
    public async Task A_router_with_only_permanent_mappings_gets_one_that_is_removed_at_the_end()
    {
        using var gateway = new MockGateway { OnlyPermanent = true };
        var mapper = NewMapper(gateway, TimeProvider.System);
        Assert.Equal(Hours, (await mapper.MapAsync(MappingProtocol.Tcp, Port, Hours, default)).Lease?.Lifetime);
        Assert.Equal(Hours, (await mapper.MapAsync(MappingProtocol.Udp, Port, Hours, default)).Lease?.Lifetime);
        Assert.Equal([7_200, 0, 0], gateway.Called.Select(static call => call.Seconds));
        await mapper.MapAsync(MappingProtocol.Tcp, Port, TimeSpan.Zero, default);
        await mapper.MapAsync(MappingProtocol.Udp, Port, TimeSpan.Zero, default);
        Assert.Empty(gateway.Mappings);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public async Task Another_external_port_is_used_when_the_port_belongs_to_another_machine(int version)
    {
        using var gateway = new MockGateway { Version = version, Taken = { Port } };
        var mapper = NewMapper(gateway, TimeProvider.System);
        var lease = (await mapper.MapAsync(MappingProtocol.Tcp, Port, Hours, default)).Lease;
        Assert.NotEqual(Port, lease!.Value.ExternalPort);
        Assert.Equal("127.0.0.1:6881", gateway.Mappings[(lease.Value.ExternalPort, "TCP")]);

        // UDP gets the same port, and a renewal keeps it.
        Assert.Equal(lease, (await mapper.MapAsync(MappingProtocol.Udp, Port, Hours, default)).Lease);
        Assert.Equal(lease, (await mapper.MapAsync(MappingProtocol.Tcp, Port, Hours, default)).Lease);
        Assert.Equal(2, gateway.Mappings.Count);
    }

    [Fact]
    public async Task A_refusal_is_reported_with_advice_and_no_port_counts_as_open()
    {
        using var gateway = new MockGateway { Refuses = 606 };
        var time = new ManualTimeProvider();
        var told = new List<PortMappingStatus>();
        await using var mapping = new PortMapping(Port, () => [NewMapper(gateway, time)], told.Add, time);
        await Until.TrueAsync(() => time.NextDue == TimeSpan.FromSeconds(30));
        Assert.Equal(
            PortMappingStatus.None
                with
            {
                Trouble =
                "The router does not open port 6881 (UPnP: error 606 Mock 606). Allow this machine to map ports there, or forward the " +
                "port (TCP and UDP) by hand."
            },
            Assert.Single(told));
    }

    [Fact]
    public async Task A_router_behind_another_router_is_reported()
    {
        using var gateway = new MockGateway { ExternalAddress = "100.64.3.4" };
        var time = new ManualTimeProvider();
        var told = new List<PortMappingStatus>();
        await using var mapping = new PortMapping(Port, () => [NewMapper(gateway, time)], told.Add, time);
        await Until.TrueAsync(() => told.Count == 1);
        Assert.StartsWith(
            "The router opened port 6881, but has the private address 100.64.3.4 itself", told[0].Trouble, StringComparison.Ordinal);
        Assert.Equal(Port, told[0].TcpPort);
    }

    [Fact]
    public async Task PCP_is_tried_first_and_UPnP_when_it_refuses()
    {
        using var gateway = new MockGateway();
        using var router = new MockRouter();
        using var refusing = new MockRouter { Refuses = true };
        var first = new MapperChain(
            new RouterMapper(router.Endpoint, NewSocket, TimeProvider.System), NewMapper(gateway, TimeProvider.System));
        Assert.Equal(MappingMethod.Pcp, (await first.MapAsync(MappingProtocol.Tcp, Port, Hours, default)).Lease?.Method);
        Assert.Empty(gateway.Searched);

        var second = new MapperChain(
            new RouterMapper(refusing.Endpoint, NewSocket, TimeProvider.System), NewMapper(gateway, TimeProvider.System));
        Assert.Equal(MappingMethod.Upnp, (await second.MapAsync(MappingProtocol.Tcp, Port, Hours, default)).Lease?.Method);
        var asked = refusing.Asked.Count;
        await second.MapAsync(MappingProtocol.Tcp, Port, Hours, default);
        await second.MapAsync(MappingProtocol.Tcp, Port, TimeSpan.Zero, default);
        Assert.Equal(asked, refusing.Asked.Count);
        Assert.Empty(gateway.Mappings);
    }

    [Fact]
    public async Task A_gateway_that_returns_on_another_port_is_searched_for_again()
    {
        var time = new ManualTimeProvider();
        var group = new IPEndPoint(IPAddress.Loopback, 0);
        using var second = new MockGateway();
        UpnpMapper mapper;
        using (var first = new MockGateway { Location = null })
        {
            group.Port = first.Group.Port;
            mapper = new UpnpMapper(Loopback, group, NewSocket, time);
            Assert.NotNull((await mapper.MapAsync(MappingProtocol.Tcp, Port, Hours, default)).Lease);
        }

        group.Port = second.Group.Port;
        Assert.NotNull((await mapper.MapAsync(MappingProtocol.Tcp, Port, Hours, default)).Lease);
        Assert.Single(second.Mappings);
    }

    [Theory]
    [InlineData("http://127.0.0.2:{0}/rootDesc.xml", "/ctl/IPConn")]
    [InlineData("http://localhost:{0}/rootDesc.xml", "/ctl/IPConn")]
    [InlineData("https://127.0.0.1:{0}/rootDesc.xml", "/ctl/IPConn")]
    [InlineData("file:///etc/passwd", "/ctl/IPConn")]
    [InlineData(null, "http://127.0.0.2:{0}/ctl/IPConn")]
    [InlineData(null, "https://127.0.0.1:{0}/ctl/IPConn")]
    public async Task Only_the_host_that_answered_is_called(string? location, string control)
    {
        using var elsewhere = new TcpListener(IPAddress.Parse("127.0.0.2"), 0);
        elsewhere.Start();
        var port = ((IPEndPoint)elsewhere.LocalEndpoint).Port.ToString(System.Globalization.CultureInfo.InvariantCulture);
        using var gateway = new MockGateway
        {
            Location = location?.Replace("{0}", port, StringComparison.Ordinal),
            Control = control.Replace("{0}", port, StringComparison.Ordinal),
        };
        var time = new ManualTimeProvider();
        var asking = NewMapper(gateway, time).MapAsync(MappingProtocol.Tcp, Port, Hours, default);

        // Other devices are given their time; the gateway's own answer ends the search.
        while (location is not null && !asking.IsCompleted)
        {
            time.Advance(TimeSpan.FromSeconds(0.1));
            await Task.Yield();
        }

        Assert.Equal(MappingOutcome.Silence, await asking);
        Assert.False(elsewhere.Pending());
        Assert.Equal(location is null ? 1 : 0, gateway.Connections);
        Assert.Empty(gateway.Called);
    }

    [Theory]
    [InlineData("http://127.0.0.1:{0}/", "ctl/IPConn")]
    [InlineData("http://127.0.0.1:{0}", "/ctl/IPConn")]
    [InlineData(null, "ctl/IPConn")]
    [InlineData(null, "http://127.0.0.1:{0}/ctl/IPConn")]
    public void A_relative_control_address_is_resolved_against_the_base_or_the_description(string? root, string control)
    {
        var location = new Uri("http://127.0.0.1:5000/rootDesc.xml");
        var xml = $"<root>{(root is null ? "" : $"<URLBase>{root}</URLBase>")}<service><serviceType>urn:schemas-upnp-org:service:WANIPConnection:1</serviceType><controlURL>{control}</controlURL></service></root>";
        var service = Assert.Single(GatewayDescription.Read(
            Encoding.UTF8.GetBytes(xml.Replace("{0}", "5000", StringComparison.Ordinal)), location, GatewayService.Types));
        Assert.Equal(new Uri("http://127.0.0.1:5000/ctl/IPConn"), service.Control);
    }

    [Fact]
    public void The_best_service_is_chosen()
    {
        string[] types = ["WANPPPConnection:1", "WANIPConnection:1", "Layer3Forwarding:1", "WANIPConnection:2"];
        var xml = "<root>" + string.Concat(types.Select(static type =>
            $"<service><serviceType>urn:schemas-upnp-org:service:{type}</serviceType><controlURL>/c</controlURL></service>")) + "</root>";
        Assert.Equal(GatewayService.Types, GatewayDescription.Read(
            Encoding.UTF8.GetBytes(xml), new Uri("http://10.0.0.1/d"), GatewayService.Types).Select(static service => service.Type));
    }

    [Theory]
    [InlineData("<?xml version=\"1.0\"?><!DOCTYPE root [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>")]
    [InlineData("<?xml version=\"1.0\"?><!DOCTYPE root SYSTEM \"http://127.0.0.1/x.dtd\">")]
    [InlineData("no XML at all ")]
    public async Task A_description_with_a_document_type_is_refused(string prolog)
    {
        using var gateway = new MockGateway { Prolog = prolog };
        using var caller = new GatewayCaller(NewSocket, TimeProvider.System);
        Assert.Empty(await caller.DescribeAsync(new Uri($"http://127.0.0.1:{gateway.Port}/rootDesc.xml"), GatewayService.Types, default));
    }

    [Fact]
    public async Task An_endless_description_is_refused()
    {
        using var gateway = new MockGateway { Prolog = "<?xml version=\"1.0\"?>" + new string(' ', GatewayDescription.MostBytes) };
        using var caller = new GatewayCaller(NewSocket, TimeProvider.System);
        Assert.Empty(await caller.DescribeAsync(new Uri($"http://127.0.0.1:{gateway.Port}/rootDesc.xml"), GatewayService.Types, default));
    }

    private static UpnpMapper NewMapper(MockGateway gateway, TimeProvider time) => new(Loopback, gateway.Group, NewSocket, time);

    private static Socket NewSocket(SocketType type) =>
        new(AddressFamily.InterNetwork, type, type == SocketType.Dgram ? ProtocolType.Udp : ProtocolType.Tcp);
}
