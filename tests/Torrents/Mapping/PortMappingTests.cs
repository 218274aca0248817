using System.Net;
using System.Net.Sockets;
using NzbDav.Fakes;
using NzbDav.Torrents.Mapping;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Tests.Mapping;

public sealed class PortMappingTests
{
    private const int Port = 6_881;

    [Theory]
    [InlineData(false, "PCP")]
    [InlineData(true, "PMP")]
    public async Task A_port_is_mapped_renewed_at_half_of_its_lease_and_given_back(bool isOld, string kind)
    {
        using var router = new MockRouter { IsOld = isOld };
        var time = new ManualTimeProvider();
        await using (var mapping = new PortMapping(Port, () => new RouterMapper(router.Endpoint, NewSocket, time), time))
        {
            await Until.TrueAsync(() => router.Asked.Count == 2 && time.NextDue == TimeSpan.FromMinutes(30));
            Assert.Equal((MappingState.Mapped, isOld ? "NAT-PMP" : "PCP", Port + 1_000), (mapping.Status.State, mapping.Status.Protocol, mapping.Status.ExternalPort));
            Assert.Equal([(kind, 6, Port, 7_200u), (kind, 17, Port, 7_200u)], router.Asked);
            time.Advance(TimeSpan.FromMinutes(30));
            await Until.TrueAsync(() => router.Asked.Count == 4);
        }

        Assert.Equal([(kind, 6, Port, 0u), (kind, 17, Port, 0u)], router.Asked.Skip(4));
    }

    [Fact]
    public async Task What_the_router_grants_is_told_and_a_refusal_is_none()
    {
        foreach (var isOld in new[] { false, true })
        {
            using var router = new MockRouter { IsOld = isOld };
            Assert.Equal(new PortLease(Port + 1_000, TimeSpan.FromHours(1)) { Protocol = isOld ? "NAT-PMP" : "PCP" }, await new RouterMapper(router.Endpoint, NewSocket, TimeProvider.System).MapAsync(MappingProtocol.Tcp, Port, TimeSpan.FromHours(2), default));
            using var refusing = new MockRouter { IsOld = isOld, Refuses = true };
            Assert.Null(await new RouterMapper(refusing.Endpoint, NewSocket, TimeProvider.System).MapAsync(MappingProtocol.Tcp, Port, TimeSpan.FromHours(2), default));
        }
    }

    [Fact]
    public async Task Where_no_router_answers_it_asks_again_after_a_quarter_of_an_hour()
    {
        var time = new ManualTimeProvider();
        var asked = 0;
        await using var mapping = new PortMapping(Port, () => { asked++; return null; }, time);
        await Until.TrueAsync(() => time.NextDue == TimeSpan.FromMinutes(15));
        Assert.Equal(1, asked);
        Assert.Equal(new MappingStatus(MappingState.Failed), mapping.Status);
        time.Advance(TimeSpan.FromMinutes(15));
        await Until.TrueAsync(() => asked == 2);
    }

    [Theory]
    [InlineData("10.1.2.3", true)]
    [InlineData("172.31.0.1", true)]
    [InlineData("172.32.0.1", false)]
    [InlineData("192.168.0.1", true)]
    [InlineData("192.0.2.1", false)]
    [InlineData("2001:db8::1", false)]
    public void Only_a_router_in_a_private_network_is_asked(string address, bool isPrivate) => Assert.Equal(isPrivate, PortMapping.IsPrivate(IPAddress.Parse(address)));

    private static Socket NewSocket() => new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
}
