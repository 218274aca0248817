using System.Net;
using System.Text.Json;
using NzbDav.Api.Native.Torrents;
using NzbDav.Torrents;
using NzbDav.Torrents.Status;

namespace NzbDav.Api.Tests.Native;

public sealed class TorrentNetworkTests
{
    [Theory]
    [InlineData(MappingState.Failed, null, "No router answers to PCP, NAT-PMP or UPnP.")]
    [InlineData(MappingState.Mapped, MappingMethod.Upnp, "The router has the private address 10.0.0.2 itself.")]
    [InlineData(MappingState.Mapped, MappingMethod.Pcp, null)]
    public void Reports_why_the_router_blocks_incoming_peers(MappingState state, MappingMethod? method, string? trouble)
    {
        var mapping = new PortMappingStatus(
            method, method is null ? null : IPAddress.Parse("10.0.0.2"), TcpPort: 6_881, UdpPort: 6_881, trouble);
        var body = TorrentNetworkBody.Of(new NetworkStatus { MappingState = state, Mapping = mapping });
        var json = JsonSerializer.SerializeToElement(body, TorrentJson.Default.TorrentNetworkBody);
        Assert.Equal(trouble, json.GetProperty("mappingTrouble").GetString());
        Assert.Null(body.Trouble);
    }

    [Fact]
    public void Tells_by_family_whether_anybody_has_connected_from_outside()
    {
        var last = DateTimeOffset.UnixEpoch.AddDays(20_000);
        var body = TorrentNetworkBody.Of(new NetworkStatus { Inbound4 = new InboundStatus(3, last) });
        var json = JsonSerializer.SerializeToElement(body, TorrentJson.Default.TorrentNetworkBody);
        Assert.Equal((3, 0), (json.GetProperty("inbound4").GetInt32(), json.GetProperty("inbound6").GetInt32()));
        Assert.Equal(last, json.GetProperty("lastInbound4").GetDateTimeOffset());
        Assert.Equal(JsonValueKind.Null, json.GetProperty("lastInbound6").ValueKind);
    }
}
