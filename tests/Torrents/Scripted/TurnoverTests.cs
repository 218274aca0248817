using System.Net;
using NzbDav.Fakes;
using NzbDav.Torrents.Connections;
using NzbDav.Torrents.Settings;
using NzbDav.Torrents.Tests.Hostile;

namespace NzbDav.Torrents.Tests.Scripted;

/// <summary>Which peers of a full torrent are replaced by others.</summary>
public sealed class TurnoverTests
{
    private const byte Extended = 20;

    private static readonly IPAddress Own = IPAddress.Parse("198.51.100.77");

    [Fact]
    public async Task A_peer_that_serves_a_reader_stays_and_one_that_gave_nothing_is_closed()
    {
        await using var swarm = new ScriptedSwarm(400, new TorrentOptions { MostPeers = 2 });
        var serving = await swarm.ConnectSeederAsync();
        var idle = await swarm.ConnectAsync(ScriptedPeer.HaveAll);
        await using var reader = swarm.Open(0, 400);
        using (await reader.NextAsync(default))
        {
        }

        for (var round = 0; round < 3; round++)
        {
            var newcomer = swarm.DialAsync();
            for (var second = 0; second < 31 && !newcomer.IsCompleted; second++)
            {
                // Who is asked has answered before time goes on, or it would let us wait.
                await Until.TrueAsync(() => !IsAsked(swarm));
                swarm.Time.Advance(TimeSpan.FromSeconds(1));
                using (await reader.NextAsync(default))
                {
                }
            }

            Assert.False(serving.IsClosed, swarm.Torrent.GetStatus().LastDisconnectReason);
            if (round == 0)
                Assert.True(idle.IsClosed);
            idle = await newcomer;
            idle.Reachable.SetResult();
            await idle.IsGreetedAsync();
            await idle.GreetAsync(ScriptedPeer.HaveAll);
        }
    }

    [Fact]
    public async Task While_seeding_a_newcomer_replaces_a_peer_with_a_lower_priority()
    {
        await using var swarm = new ScriptedSwarm(2, new TorrentOptions { MostPeers = 2 });
        await swarm.ConnectSeederAsync();
        await swarm.ReadAsync(0, 2);
        var peers = Enumerable.Range(1, 5).Select(static i => new IPEndPoint(new IPAddress([(byte)(20 + (i * 9)), (byte)(i * 7), 3, 4]), 1))
            .ToArray();
        var own = new IPEndPoint(Own, swarm.Engine.Port);
        var ranked = peers.OrderBy(peer => CanonicalPriority.Of(own, peer)).Select(static peer => peer.Address).ToArray();

        // The seeder parts at once: we are one, too. Then there are the second and the fourth.
        var second = await ComeAsync(swarm, ranked[1]);
        await second.SayAsync(HostilePeer.Message(Extended, [0, .. "d6:yourip4:"u8, .. Own.GetAddressBytes(), .. "e"u8]));
        var fourth = await ComeAsync(swarm, ranked[3]);
        await Until.TrueAsync(() => swarm.Torrent.GetStatus().Peers == 2);
        for (var i = 0; i < 60; i++)
            swarm.Time.Advance(TimeSpan.FromSeconds(1));

        var first = swarm.Expect(ranked[0]);
        swarm.Torrent.Swarm.Accept(first, default);
        Assert.True(first.IsClosed);
        Assert.False(second.IsClosed || fourth.IsClosed);
        var third = await ComeAsync(swarm, ranked[2]);
        await Until.TrueAsync(() => second.IsClosed);
        Assert.False(third.IsClosed || fourth.IsClosed);

        // One each half minute.
        var last = swarm.Expect(ranked[4]);
        swarm.Torrent.Swarm.Accept(last, default);
        Assert.True(last.IsClosed);
        Assert.False(third.IsClosed || fourth.IsClosed);
    }

    private static bool IsAsked(ScriptedSwarm swarm)
    {
        lock (swarm.Torrent.Swarm.Gate)
            return swarm.Torrent.Swarm.Peers.Exists(static peer => peer.RequestCount > 0);
    }

    private static async Task<ScriptedPeer> ComeAsync(ScriptedSwarm swarm, IPAddress address)
    {
        var peer = swarm.Expect(address);
        swarm.Torrent.Swarm.Accept(peer, default);
        await peer.IsGreetedAsync();
        await peer.GreetAsync(ScriptedPeer.HaveNone);
        await peer.SayAsync(ScriptedPeer.Interested);
        return peer;
    }
}
