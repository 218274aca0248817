using System.Net;
using NzbDav.Fakes;
using NzbDav.MockSwarm.Contents;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Pieces;
using NzbDav.Torrents.Settings;
using NzbDav.Torrents.Tests.Scripted;

namespace NzbDav.Torrents.Tests;

/// <summary>Memory per idle peer. Runs alone, because it measures the whole heap.</summary>
[Collection(nameof(Alone))]
public sealed class IdleMemoryTests
{
    private const int Groups = 9;
    private const int Group = 50;
    private const int Pieces = 20_000;

    [Fact]
    public async Task An_idle_peer_takes_at_most_8_KiB()
    {
        // 20,000 pieces: 20 GiB in pieces of 1 MiB, of which each peer has its own part.
        var content = new MockTorrent("film.mkv", SwarmContent.Make(7, 1_024, [new SwarmFile("film.mkv", Pieces * 1_024)]));
        var dialer = new QuietDialer();
        dialer.Reachable.SetResult();
        var options = new TorrentOptions { Workers = 1, Listen = null, MostPeers = 1_000, MostConnections = 1_000 };
        await using var engine = new TorrentEngine(options, new ManualTimeProvider(), metrics: null, pool: null, dialer, new HashCheck());
        var torrent = engine.Add(Metainfo.Read(content.TorrentFile()).Value!);
        var each = new List<long>();
        for (var group = 0; group < Groups; group++)
        {
            var before = GC.GetTotalMemory(forceFullCollection: true);
            torrent.AddPeers(Enumerable.Range(1 + (group * Group), Group).Select(static port => new IPEndPoint(IPAddress.Loopback, port)));
            await Until.TrueAsync(() => dialer.Waiting == (group + 1) * Group);
            lock (torrent.Swarm.Gate)
            {
                foreach (var peer in torrent.Swarm.Peers)
                    peer.OnHaveNone();
            }

            each.Add((GC.GetTotalMemory(forceFullCollection: true) - before) / Group);
        }

        // The median, not the mean: memory that earlier tests left in pools may be freed meanwhile.
        each.Sort();
        Assert.InRange(each[Groups / 2], 3_000, 8 << 10);
    }
}
