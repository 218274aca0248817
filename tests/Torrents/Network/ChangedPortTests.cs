using System.Net;
using System.Net.Sockets;
using NzbDav.Fakes;
using NzbDav.MockSwarm.Swarms;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Network;
using NzbDav.Torrents.Settings;
using NzbDav.Torrents.Wire.Encryption;

namespace NzbDav.Torrents.Tests.Network;

/// <summary>
/// The port at which peers can reach us: kept over restarts, and changed while the engine runs, as a VPN that forwards another port at each
/// connect needs.
/// </summary>
public sealed class ChangedPortTests : IDisposable
{
    private const long Size = 8 * SwarmFixture.PieceLength;
    private static readonly TorrentOptions Options = new()
    {
        Workers = 1,
        Encryption = EncryptionPolicy.Off,
        Listen = new IPEndPoint(IPAddress.Loopback, 0),
    };

    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task Another_port_takes_effect_at_once_is_announced_and_costs_no_peer()
    {
        await using var swarm = new Swarm(SwarmFixture.OneFile(Size), SwarmFixture.Seeders(2));
        await using var fixture = new SwarmFixture(swarm, Options);
        var read = Metainfo.Read(swarm.Torrent.TorrentFile(swarm.Tracker.Url)).Value!;
        var torrent = fixture.Engine.Add(read);
        await fixture.ReadAsync(torrent, 0, Size);
        var (before, after) = (fixture.Engine.Port, FreePort());
        await Until.TrueAsync(() => IsAnnounced(before));
        var connections = swarm.Seeders.Sum(static seeder => seeder.Counters.Connections);

        fixture.Engine.Apply(Options with { Listen = new IPEndPoint(IPAddress.Loopback, after) });
        Assert.Equal((after, after), (fixture.Engine.Port, fixture.Engine.GetNetwork().Port));
        using (var client = new TcpClient())
            await client.ConnectAsync(IPAddress.Loopback, after);
        Assert.False(await CanConnectAsync(before));
        Assert.True(IsUdpTaken(after));
        Assert.False(IsUdpTaken(before));
        await Until.TrueAsync(() => IsAnnounced(after));
        Assert.Equal(connections, swarm.Seeders.Sum(static seeder => seeder.Counters.Connections));
        Assert.True(torrent.GetStatus().Peers >= swarm.Seeders.Count);

        bool IsAnnounced(int port) => swarm.Tracker.Announces.Any(announce => announce.Contains($"port={port}&", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_port_that_another_program_has_is_refused_and_the_former_one_stays()
    {
        using var other = new TcpListener(IPAddress.Loopback, 0);
        other.Start();
        var taken = ((IPEndPoint)other.LocalEndpoint).Port;
        var notices = new List<string>();
        await using var engine = new TorrentEngine(Options, TimeProvider.System, notice: notices.Add);
        var before = engine.Port;
        engine.Apply(Options with { Listen = new IPEndPoint(IPAddress.Loopback, taken) });
        engine.Apply(Options with { Listen = new IPEndPoint(IPAddress.Loopback, taken), MostPeers = 7 });
        Assert.Equal(before, engine.Port);
        Assert.True(await CanConnectAsync(before));
        var said = $"Peers are still expected at port {before}: port {taken} cannot be listened on: ";
        Assert.StartsWith(said, Assert.Single(notices), StringComparison.Ordinal);
        other.Stop();
        engine.Apply(Options with { Listen = new IPEndPoint(IPAddress.Loopback, taken) });
        Assert.Equal(taken, engine.Port);
    }

    [Fact]
    public async Task A_port_that_was_chosen_freely_is_kept_until_another_program_has_it()
    {
        var options = Options with { PortFile = _folder.At("sub", "torrent-port") };
        int first;
        await using (var engine = new TorrentEngine(options, TimeProvider.System))
            first = engine.Port;
        await using (var engine = new TorrentEngine(options, TimeProvider.System))
            Assert.Equal(first, engine.Port);

        // A named port is used, and does not replace it.
        var named = FreePort();
        var other = options with { Listen = new IPEndPoint(IPAddress.Loopback, named) };
        await using (var engine = new TorrentEngine(other, TimeProvider.System))
            Assert.Equal(named, engine.Port);
        using var program = new TcpListener(IPAddress.Loopback, first);
        program.Start();
        int second;
        await using (var engine = new TorrentEngine(options, TimeProvider.System))
            second = engine.Port;
        Assert.NotEqual(first, second);
        program.Stop();
        await using (var engine = new TorrentEngine(options, TimeProvider.System))
            Assert.Equal(second, engine.Port);
    }

    [Fact]
    public void Connections_from_outside_are_counted_by_family_and_those_from_private_networks_are_not()
    {
        var time = new ManualTimeProvider();
        var inbound = new Inbound(time);
        foreach (var address in (string[])["127.0.0.1", "192.168.1.7", "100.64.0.1", "::1", "fe80::1", "fd00::1", "::ffff:10.0.0.1"])
            inbound.Note(new IPEndPoint(IPAddress.Parse(address), 4_000));
        Assert.False(inbound.Four.IsProved || inbound.Six.IsProved);
        inbound.Note(new IPEndPoint(IPAddress.Parse("203.0.113.5"), 4_000));
        inbound.Note(new IPEndPoint(IPAddress.Parse("::ffff:203.0.113.6"), 4_000));
        Assert.Equal((2, time.GetUtcNow()), (inbound.Four.Count, inbound.Four.Last));
        Assert.False(inbound.Six.IsProved);
        inbound.Note(new IPEndPoint(IPAddress.Parse("2001:db8::5"), 4_000));
        Assert.Equal(1, inbound.Six.Count);
        inbound.Reset();
        Assert.False(inbound.Four.IsProved || inbound.Six.IsProved);
    }

    private static int FreePort()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }

    private static async Task<bool> CanConnectAsync(int port)
    {
        using var client = new TcpClient();
        try
        {
            await client.ConnectAsync(IPAddress.Loopback, port);
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }

    private static bool IsUdpTaken(int port)
    {
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        try
        {
            socket.Bind(new IPEndPoint(IPAddress.Loopback, port));
            return false;
        }
        catch (SocketException)
        {
            return true;
        }
    }
}
