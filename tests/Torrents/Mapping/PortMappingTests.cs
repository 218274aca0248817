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
    public async Task A_port_is_mapped_renewed_at_half_its_lease_and_released(bool isOld, string kind)
    {
        using var router = new MockRouter { IsOld = isOld };
        var time = new ManualTimeProvider();
        var told = new List<PortMappingStatus>();
        await using (var mapping = new PortMapping(Port, () => [new RouterMapper(router.Endpoint, NewSocket, time)], told.Add, time))
        {
            await Until.TrueAsync(() => router.Asked.Count == 2 && time.NextDue == TimeSpan.FromMinutes(30));
            Assert.Equal([(kind, 6, Port, 7_200u), (kind, 17, Port, 7_200u)], router.Asked);
            var method = isOld ? MappingMethod.NatPmp : MappingMethod.Pcp;
            Assert.Equal(
                new PortMappingStatus(method, MockRouter.ExternalAddress, Port + 1_000, Port + 1_000, Trouble: null), Assert.Single(told));
            time.Advance(TimeSpan.FromMinutes(30));
            await Until.TrueAsync(() => router.Asked.Count == 4);
        }

        Assert.Equal([(kind, 6, Port, 0u), (kind, 17, Port, 0u)], router.Asked.Skip(4));
    }

    /// <summary>
    /// A public address that is new gets a pinhole at the next renewal, and keeps it: only the nonce that made one renews it.
    /// </summary>
    [Fact]
    public async Task Pinholes_of_IPv6_are_made_renewed_and_closed_for_each_of_our_addresses()
    {
        Assert.SkipUnless(Socket.OSSupportsIPv6, "This machine has no IPv6.");
        using var first = new MockRouter(six: true);
        using var second = new MockRouter(six: true);
        var time = new ManualTimeProvider();
        var told = new List<PortMappingStatus>();
        MockRouter[] routers = [first, second];
        IPortMapper[] mappers =
            [.. routers.Select(router => new RouterMapper(router.Endpoint, NewSocketOfSix, time, IPAddress.IPv6Loopback))];
        var found = 1;
        await using (var mapping = new PortMapping(Port, () => mappers[..found], told.Add, time, isSix: true))
        {
            await Until.TrueAsync(() => first.Asked.Count == 2 && time.NextDue == TimeSpan.FromMinutes(30));
            Assert.Equal(new PortMappingStatus(MappingMethod.Pcp, MockRouter.Six, Port, Port, Trouble: null), Assert.Single(told));
            Assert.Empty(second.Asked);
            found = 2;
            time.Advance(TimeSpan.FromMinutes(30));
            await Until.TrueAsync(() => first.Asked.Count == 4 && second.Asked.Count == 2 && time.NextDue == TimeSpan.FromMinutes(30));
        }

        foreach (var router in routers)
            Assert.Equal([("PCP", 6, Port, 0u), ("PCP", 17, Port, 0u)], router.Asked.TakeLast(2));
    }

    [Fact]
    public async Task A_router_that_knows_no_PCP_by_IPv6_is_silent_and_one_that_refuses_is_named()
    {
        Assert.SkipUnless(Socket.OSSupportsIPv6, "This machine has no IPv6.");
        using var old = new MockRouter(six: true) { IsOld = true };
        var asked = new RouterMapper(old.Endpoint, NewSocketOfSix, TimeProvider.System);
        Assert.Equal(MappingOutcome.Silence, await asked.MapAsync(MappingProtocol.Tcp, Port, TimeSpan.FromHours(2), default));
        using var refusing = new MockRouter(six: true) { Refuses = true };
        var time = new ManualTimeProvider();
        PortMappingStatus? told = null;
        var mapper = new RouterMapper(refusing.Endpoint, NewSocketOfSix, time);
        await using var mapping = new PortMapping(Port, () => [mapper], status => told = status, time, isSix: true);
        await Until.TrueAsync(() => told is not null);
        Assert.Equal(
            "The router lets nobody in by IPv6 (PCP: not authorized (2)). If it blocks what comes in, "
            + $"allow port {Port} (TCP and UDP) to this machine there.",
            told!.Trouble);
    }

    [Theory]
    [InlineData("2001:db8::1", true)]
    [InlineData("3fff::1", true)]
    [InlineData("fd00::1", false)]
    [InlineData("fe80::1", false)]
    [InlineData("::1", false)]
    [InlineData("10.0.0.1", false)]
    public void Pinholes_are_made_for_public_addresses_alone(string address, bool isPublic) =>
        Assert.Equal(isPublic, Gateway.IsPublicSix(IPAddress.Parse(address)));

    [Fact]
    public async Task The_granted_mapping_is_reported_and_a_refusal_counts_as_none()
    {
        foreach (var isOld in new[] { false, true })
        {
            using var router = new MockRouter { IsOld = isOld };
            var lease = new PortLease(
                Port + 1_000, TimeSpan.FromHours(1), isOld ? MappingMethod.NatPmp : MappingMethod.Pcp, MockRouter.ExternalAddress);
            Assert.Equal(MappingOutcome.Granted(lease), await new RouterMapper(router.Endpoint, NewSocket, TimeProvider.System)
                .MapAsync(MappingProtocol.Tcp, Port, TimeSpan.FromHours(2), default));
            using var refusing = new MockRouter { IsOld = isOld, Refuses = true };
            Assert.Equal(MappingOutcome.Refused(isOld ? "NAT-PMP: not authorized (2)" : "PCP: not authorized (2)"), await new RouterMapper(
                refusing.Endpoint, NewSocket, TimeProvider.System).MapAsync(MappingProtocol.Tcp, Port, TimeSpan.FromHours(2), default));
        }
    }

    [Fact]
    public async Task Without_an_answer_it_retries_after_30_seconds_doubling_up_to_15_minutes()
    {
        var time = new ManualTimeProvider();
        var asked = 0;
        PortMappingStatus? told = null;
        await using var mapping = new PortMapping(Port, () => { asked++; return []; }, status => told = status, time);
        var pauses = new List<double>();
        for (var round = 1; round <= 7; round++)
        {
            await Until.TrueAsync(() => asked == round && time.NextDue is not null);
            pauses.Add(time.NextDue!.Value.TotalSeconds);
            time.Advance(time.NextDue!.Value);
        }

        Assert.Equal([30, 60, 120, 240, 480, 900, 900], pauses);

        // There is no mapping, and the user does not have to do anything about it.
        Assert.Equal(PortMappingStatus.None with { HasRouter = false }, told);
    }

    [Fact]
    public async Task A_router_that_takes_a_second_for_each_removal_is_waited_for()
    {
        var time = new ManualTimeProvider();
        var router = new SlowRouter(time);
        var mapping = new PortMapping(Port, () => [router], static _ => { }, time);
        await Until.TrueAsync(() => time.NextDue == SlowRouter.Lifetime / 2);
        var ended = mapping.DisposeAsync().AsTask();
        for (var removed = 0; removed < 2; removed++)
        {
            await Until.TrueAsync(() => router.Removing == removed + 1);
            time.Advance(SlowRouter.Removal);
            await Until.TrueAsync(() => router.Removed.Count == removed + 1);
        }

        await ended;
        Assert.Equal([MappingProtocol.Tcp, MappingProtocol.Udp], router.Removed);
    }

    [Fact]
    public async Task A_router_that_starts_after_us_is_asked()
    {
        using var router = new MockRouter();
        var time = new ManualTimeProvider();
        var isUp = false;
        var told = new List<PortMappingStatus>();
        await using var mapping = new PortMapping(
            Port, () => isUp ? [new RouterMapper(router.Endpoint, NewSocket, time)] : [], told.Add, time);
        await Until.TrueAsync(() => time.NextDue == TimeSpan.FromSeconds(30));
        isUp = true;
        time.Advance(TimeSpan.FromSeconds(30));
        await Until.TrueAsync(() => router.Asked.Count == 2 && time.NextDue == TimeSpan.FromMinutes(30));
        Assert.Equal([null, MappingMethod.Pcp], told.Select(static status => status.Method));
    }

    [Theory]
    [InlineData("10.1.2.3", true)]
    [InlineData("172.31.0.1", true)]
    [InlineData("172.32.0.1", false)]
    [InlineData("192.168.0.1", true)]
    [InlineData("192.0.2.1", false)]
    [InlineData("2001:db8::1", false)]
    public void Only_a_router_in_a_private_network_is_asked(string address, bool isPrivate) =>
        Assert.Equal(isPrivate, Gateway.IsPrivate(IPAddress.Parse(address)));

    private static Socket NewSocket(SocketType type) => new(AddressFamily.InterNetwork, type, ProtocolType.Udp);

    private static Socket NewSocketOfSix(SocketType type) => new(AddressFamily.InterNetworkV6, type, ProtocolType.Udp);

    private sealed class SlowRouter(TimeProvider time) : IPortMapper
    {
        public static readonly TimeSpan Lifetime = TimeSpan.FromHours(2);
        public static readonly TimeSpan Removal = TimeSpan.FromSeconds(1.1);

        public int Removing { get; private set; }

        public List<MappingProtocol> Removed { get; } = [];

        public async Task<MappingOutcome> MapAsync(
            MappingProtocol protocol, int port, TimeSpan lifetime, CancellationToken cancellationToken)
        {
            if (lifetime > TimeSpan.Zero)
                return MappingOutcome.Granted(new PortLease(port, Lifetime, MappingMethod.Upnp, IPAddress.Loopback));
            var delay = Task.Delay(Removal, time, cancellationToken);
            Removing++;
            await delay;
            Removed.Add(protocol);
            return MappingOutcome.Silence;
        }
    }
}
