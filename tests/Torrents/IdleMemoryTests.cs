using System.Net;
using NzbDav.Fakes;
using NzbDav.MockSwarm;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Pieces;
using NzbDav.Torrents.Tests.Scripted;

namespace NzbDav.Torrents.Tests;

/// <summary>What a peer costs with which nothing is exchanged. Alone: it looks at the whole heap.</summary>
[Collection(nameof(IdleMemoryTests))]
public sealed class IdleMemoryTests
{
    private const int Peers = 400;

    [Fact]
    public async Task An_idle_peer_takes_at_most_8_KiB()
    {
        // 20,000 pieces: 20 GiB in pieces of 1 MiB, of which each peer has its own part.
        var content = new MockTorrent("film.mkv", SwarmContent.Make(7, 1_024, [new SwarmFile("film.mkv", 20_000 * 1_024)]));
        var dialer = new QuietDialer();
        dialer.Reachable.SetResult();
        var options = new TorrentOptions { Workers = 1, Listen = null, MostPeers = Peers, MostConnections = 2 * Peers };
        await using var engine = new TorrentEngine(options, new ManualTimeProvider(), metrics: null, pool: null, dialer, new HashCheck());
        var torrent = engine.Add(Metainfo.Read(content.TorrentFile()).Value!);
        torrent.AddPeers(new IPEndPoint(IPAddress.Loopback, 1));
        await Until.TrueAsync(() => torrent.GetStatus().Peers == 1);

        var before = GC.GetTotalMemory(forceFullCollection: true);
        torrent.AddPeers(Enumerable.Range(2, Peers - 1).Select(static port => new IPEndPoint(IPAddress.Loopback, port)));
        await Until.TrueAsync(() => torrent.GetStatus().Peers == Peers);
        await Until.TrueAsync(() => dialer.Waiting == Peers);
        lock (torrent.Swarm.Gate)
        {
            foreach (var peer in torrent.Swarm.Peers)
                peer.Pieces = new Torrents.Peers.BitField(20_000);
        }

        var each = (GC.GetTotalMemory(forceFullCollection: true) - before) / (Peers - 1);
        Assert.InRange(each, 1, 8 << 10);
    }
}

/// <summary>Tests that look at the whole heap.</summary>
[CollectionDefinition(nameof(IdleMemoryTests), DisableParallelization = true)]
public sealed class IdleMemoryCollection;
