using System.Net;
using System.Net.Sockets;
using NzbDav.Fakes;
using NzbDav.Torrents.Settings;
using NzbDav.Torrents.Wire.Encryption;

namespace NzbDav.Torrents.Tests.Network;

/// <summary>An engine that is bound to the loopback interface, or to one that is not there.</summary>
public sealed class BoundSwarmTests
{
    private const long Size = 8 * SwarmFixture.PieceLength;
    private static readonly TorrentOptions Options = new()
    { Workers = 1, Encryption = EncryptionPolicy.Off, Listen = new IPEndPoint(IPAddress.Any, 0) };

    [Theory]
    [InlineData("127.0.0.1")]
    [InlineData("lo")]
    public async Task Bound_to_the_interface_of_its_peers_an_engine_gets_every_byte_and_listens_there(string bind)
    {
        await using var fixture = new SwarmFixture(SwarmFixture.OneFile(Size), SwarmFixture.Seeders(2), Options with { Bind = bind });
        await fixture.ReadAsync(fixture.Add(), 0, Size);
        using var client = new TcpClient();
        await client.ConnectAsync(IPAddress.Loopback, fixture.Engine.Port);
    }

    [Fact]
    public async Task Without_its_interface_nothing_is_sent_and_the_reason_is_shown_until_another_is_chosen()
    {
        await using var fixture = new SwarmFixture(SwarmFixture.OneFile(Size), SwarmFixture.Seeders(2), Options with { Bind = "gone0" });
        var torrent = fixture.Add();
        Assert.Equal("Torrents wait: the interface gone0, which they are bound to, is not there", torrent.LastStatus.Reason);
        Assert.Equal(0, fixture.Engine.Port);

        fixture.Engine.Apply(Options);
        await fixture.ReadAsync(torrent, 0, Size);
        Assert.NotEqual(0, fixture.Engine.Port);
        var connections = fixture.Swarm.Seeders.Sum(static seeder => seeder.Counters.Connections);

        fixture.Engine.Apply(Options with { Bind = "gone0" });
        await Until.TrueAsync(() => torrent.GetStatus().Peers == 0);
        Assert.NotNull(torrent.LastStatus.Reason);
        torrent.AddPeers(fixture.Swarm.Endpoints);
        Assert.Equal(connections, fixture.Swarm.Seeders.Sum(static seeder => seeder.Counters.Connections));
        using var client = new TcpClient();
        await Assert.ThrowsAsync<SocketException>(() => client.ConnectAsync(IPAddress.Loopback, fixture.Engine.Port));
    }
}
