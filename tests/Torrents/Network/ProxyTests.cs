using System.Net;
using System.Net.Sockets;
using NzbDav.Fakes;
using NzbDav.MockSwarm;
using NzbDav.Torrents.Datagrams;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Network;
using NzbDav.Torrents.Wire.Encryption;

namespace NzbDav.Torrents.Tests.Network;

public sealed class ProxyTests
{
    private const long Size = 8 * SwarmFixture.PieceLength;

    [Theory]
    [InlineData("socks5", null)]
    [InlineData("socks5", "user:p%40ss word")]
    [InlineData("http", null)]
    [InlineData("http", "user:p%40ss word")]
    public async Task Peers_and_trackers_are_reached_through_the_proxy_alone_and_names_are_left_to_it(string scheme, string? credentials)
    {
        await using var proxy = new MockProxy { Credentials = credentials is null ? null : Uri.UnescapeDataString(credentials) };
        var user = credentials is null ? "" : credentials.Replace(" ", "%20", StringComparison.Ordinal) + "@";
        Assert.True(ProxyAddress.TryParse($"{scheme}://{user}127.0.0.1:{proxy.Port}", out var address));
        await using var fixture = new SwarmFixture(
            SwarmFixture.OneFile(Size),
            SwarmFixture.Seeders(2),
            new TorrentOptions { Workers = 1, Proxy = address, Encryption = EncryptionPolicy.Off, Listen = new IPEndPoint(IPAddress.Loopback, 0) });

        var port = new Uri(fixture.Swarm.Tracker.Url).Port;

        // A name that nobody but the proxy knows.
        proxy.Names["tracker.invalid"] = new IPEndPoint(IPAddress.Loopback, port);
        var torrent = fixture.Engine.Add(Metainfo.Read(fixture.Swarm.Torrent.TorrentFile([$"http://tracker.invalid:{port}/announce"])).Value!);
        await fixture.ReadAsync(torrent, 0, Size);

        Assert.Equal(0, fixture.Engine.Port);
        var peers = proxy.Asked.Count(static asked => asked.StartsWith("127.0.0.1:", StringComparison.Ordinal));
        Assert.Equal(peers, fixture.Swarm.Seeders.Sum(static seeder => seeder.Counters.Connections));
        Assert.Contains($"tracker.invalid:{port}", proxy.Asked);
        Assert.All(torrent.GetDetails().Peers, peer => Assert.Contains(peer.Address, fixture.Swarm.Endpoints));
    }

    [Fact]
    public async Task When_the_proxy_refuses_nothing_goes_around_it()
    {
        await using var proxy = new MockProxy { Credentials = "user:right" };
        foreach (var scheme in new[] { "socks5", "http" })
        {
            Assert.True(ProxyAddress.TryParse($"{scheme}://user:wrong@127.0.0.1:{proxy.Port}", out var address));
            await using var fixture = new SwarmFixture(SwarmFixture.OneFile(Size), SwarmFixture.Seeders(1), new TorrentOptions { Workers = 1, Proxy = address });
            var torrent = fixture.Engine.Add(Metainfo.Read(fixture.Swarm.Torrent.TorrentFile([fixture.Swarm.Tracker.Url])).Value!);
            torrent.AddPeers(fixture.Swarm.Endpoints);
            await Until.TrueAsync(() => torrent.GetDetails().Trackers is [{ Message: not null }]);
            Assert.Empty(proxy.Asked);
            Assert.Equal(0, fixture.Swarm.Seeders.Sum(static seeder => seeder.Counters.Connections));
        }
    }

    [Fact]
    public async Task Datagrams_go_through_a_SOCKS_proxy_and_come_back_with_their_sender()
    {
        await using var proxy = new MockProxy();
        using var sockets = new PeerSockets(static () => default, new FixedAddresses(), TimeProvider.System);
        using var channel = new SocksChannel(sockets, new ProxyAddress(ProxyKind.Socks5, "127.0.0.1", proxy.Port, "", ""), TimeProvider.System);
        using var there = new UdpClient(new IPEndPoint(IPAddress.Loopback, 0));
        var endpoint = (IPEndPoint)there.Client.LocalEndPoint!;
        var heard = new TaskCompletionSource<(DatagramAddress, byte[])>(TaskCreationOptions.RunContinuationsAsynchronously);
        channel.Register((from, datagram) => heard.TrySetResult((from, datagram.ToArray())));
        await Until.TrueAsync(() => channel.CanReach(AddressFamily.InterNetwork));

        channel.Send(new DatagramAddress(endpoint), "question"u8);
        var question = await there.ReceiveAsync().WaitAsync(TimeSpan.FromSeconds(30));
        Assert.Equal("question"u8.ToArray(), question.Buffer);
        await there.SendAsync("answer"u8.ToArray(), question.RemoteEndPoint);
        var (sender, answer) = await heard.Task.WaitAsync(TimeSpan.FromSeconds(30));
        Assert.Equal(new DatagramAddress(endpoint), sender);
        Assert.Equal("answer"u8.ToArray(), answer);
        Assert.Equal(endpoint, Assert.Single(proxy.Datagrams));
    }

    [Theory]
    [InlineData("socks5://host:1080", ProxyKind.Socks5, "host", 1_080, "", "")]
    [InlineData("socks5://host", ProxyKind.Socks5, "host", 1_080, "", "")]
    [InlineData("http://us%3Aer:p%40s:s@[2001:db8::1]:8080", ProxyKind.Http, "2001:db8::1", 8_080, "us:er", "p@s:s")]
    [InlineData("http://host", ProxyKind.Http, "host", 80, "", "")]
    public void An_address_is_read(string text, ProxyKind kind, string host, int port, string user, string password)
    {
        Assert.True(ProxyAddress.TryParse(text, out var proxy));
        Assert.Equal(new ProxyAddress(kind, host, port, user, password), proxy);
        Assert.DoesNotContain("p@s", proxy.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("socks4://host:1080")]
    [InlineData("host:1080")]
    [InlineData("http://host:1080/path")]
    [InlineData("socks5://")]
    public void What_is_no_proxy_is_refused(string text) => Assert.False(ProxyAddress.TryParse(text, out _));
}
