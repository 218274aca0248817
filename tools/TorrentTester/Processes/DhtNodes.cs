using System.Globalization;
using System.Net;
using System.Net.Sockets;
using NzbDav.Torrents;
using NzbDav.Torrents.Datagrams;
using NzbDav.Torrents.Discovery.Dht;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Settings;

namespace NzbDav.TorrentTester.Processes;

/// <summary>Nodes of the DHT on 127.0.0.1, at a simulated distance, to which the seeders of a swarm are announced. The product's own
/// implementation, in this process.</summary>
internal sealed class DhtNodes : IDisposable
{
    private const int Attempts = 5;

    private readonly List<(DhtNetwork Node, DistantChannel Channel)> _nodes = [];

    private DhtNodes()
    {
    }

    /// <summary>Address and port of the first node.</summary>
    public string Router => $"127.0.0.1:{_nodes[0].Channel.PortOf(AddressFamily.InterNetwork)}";

    /// <summary>Starts nodes that know each other, and announces the seeders.</summary>
    /// <param name="count">Number of nodes: at least one, and at least as many as seeders.</param>
    /// <param name="swarm">The swarm whose seeders are announced.</param>
    /// <param name="trip">Round trip, in effect after this method returns.</param>
    /// <param name="cancellationToken">Ends it.</param>
    /// <exception cref="InvalidOperationException">A node does not find the others.</exception>
    public static async Task<DhtNodes> StartAsync(int count, SwarmProcess swarm, TimeSpan trip, CancellationToken cancellationToken)
    {
        var network = new DhtNodes();
        try
        {
            for (var i = 0; i < count; i++)
            {
                // The last nodes announce a seeder each, because they can find the closest of all nodes.
                var seeder = i - (count - swarm.Peers.Count);
                await network.AddAsync(seeder >= 0 ? swarm.Peers[seeder] : null, swarm.Metainfo.Info.Hash, cancellationToken);
            }

            network._nodes.ForEach(node => node.Channel.OneWay = trip / 2);
            return network;
        }
        catch
        {
            network.Dispose();
            throw;
        }
    }

    /// <summary>Silences this many nodes, spread over all, but never the first one. The others still know them.</summary>
    public void Silence(int count)
    {
        for (var i = 0; i < count; i++)
            _nodes[1 + (i * (_nodes.Count - 1) / count)].Channel.IsSilent = true;
    }

    public void Dispose() => _nodes.ForEach(static node =>
    {
        node.Node.Dispose();
        node.Channel.Dispose();
    });

    private async Task AddAsync(IPEndPoint? seeder, InfoHash torrent, CancellationToken cancellationToken)
    {
        var channel = new DistantChannel(new UdpChannel(new IPEndPoint(IPAddress.Loopback, 0), TimeProvider.System));
        string[] bootstrap = [_nodes.Count == 0 ? $"127.0.0.1:{channel.PortOf(AddressFamily.InterNetwork)}" : Router];
        var settings = new DhtSettings(IsEnabled: true, bootstrap, Folder: null);
        var node = new DhtNetwork(channel, TimeProvider.System, () => settings, seeder?.Port ?? 1,
            static (_, _) => throw new IOException("Nodes are given by their addresses, so no name is looked up."));
        _nodes.Add((node, channel));

        // The nodes search, so that they learn of each other; only those with a seeder announce. A node limits its bytes per second, and
        // all nodes begin at the first one.
        var target = seeder is null ? NodeId.Random() : NodeId.Of(torrent);
        for (var attempt = 1; await node.SearchAsync(target, static _ => { }, cancellationToken) == 0; attempt++)
        {
            if (attempt == Attempts)
                throw new InvalidOperationException("No node of the DHT answers.");
            await Task.Delay(TimeSpan.FromSeconds(1), cancellationToken);
        }
    }
}

/// <summary>A DHT node in this process through which the measured engines enter the DHT: they work as in a real swarm, and nothing leaves
/// the loopback interface.</summary>
internal static class LocalDht
{
    private static readonly Lazy<TorrentEngine> Node = new(static () => new TorrentEngine(
        new TorrentOptions { Listen = new IPEndPoint(IPAddress.Loopback, 0), Dht = true, DhtBootstrap = ["127.0.0.1:9"] },
        TimeProvider.System));

    /// <summary>Its address, as <c>host:port</c>. The node starts on first use and lives as long as the process.</summary>
    public static string Address => string.Create(CultureInfo.InvariantCulture, $"127.0.0.1:{Node.Value.Port}");
}
