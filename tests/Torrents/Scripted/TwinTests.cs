using System.Net;
using NzbDav.Fakes;
using NzbDav.Torrents.Tests.Hostile;

namespace NzbDav.Torrents.Tests.Scripted;

/// <summary>Two connections to one peer: both sides must close the same one.</summary>
public sealed class TwinTests
{
    private const string Twice = "The peer is connected already.";

    [Theory]
    [InlineData(0xFF, true, true)]
    [InlineData(0xFF, false, true)]
    [InlineData(0x01, true, false)]
    [InlineData(0x01, false, false)]
    public async Task Of_two_crossing_connections_the_one_dialled_by_the_greater_id_stays(byte id, bool comesFirst, bool comingStays)
    {
        await using var swarm = new ScriptedSwarm(4);
        var dialled = await swarm.DialAsync();
        var coming = swarm.Expect();
        dialled.Reachable.SetResult();
        await dialled.IsGreetedAsync();
        swarm.Torrent.Swarm.Accept(coming, default);
        await coming.IsGreetedAsync();
        foreach (var peer in comesFirst ? [coming, dialled] : new[] { dialled, coming })
            await SayAsync(peer, swarm, id);

        var (stays, goes) = comingStays ? (coming, dialled) : (dialled, coming);
        await Until.TrueAsync(() => swarm.Torrent.GetStatus().Peers == 1);
        Assert.True(goes.IsClosed);
        Assert.False(stays.IsClosed);
        Assert.Equal(Twice, swarm.Torrent.GetStatus().LastDisconnectReason);

        // Where it listens is known of the connection that stays, and is not dialled again.
        Assert.Equal(dialled.Remote, swarm.Torrent.Swarm.Peers[0].Listening);
        swarm.Time.Advance(TimeSpan.FromMinutes(1));
        Assert.Equal(0, swarm.Torrent.Swarm.Book.CountReady(swarm.Torrent.Swarm.Now, out _));
    }

    [Fact]
    public async Task The_closed_one_of_two_addresses_of_a_peer_is_not_redialled_soon()
    {
        await using var swarm = new ScriptedSwarm(4);
        var four = await swarm.DialAsync();
        var six = await swarm.DialAsync(IPAddress.Parse("2001:db8::7"));
        foreach (var peer in new[] { four, six })
        {
            peer.Reachable.SetResult();
            await peer.IsGreetedAsync();
            await SayAsync(peer, swarm, 0xFF);
        }

        await Until.TrueAsync(() => swarm.Torrent.GetStatus().Peers == 1);
        Assert.True(six.IsClosed);
        Assert.False(four.IsClosed);
        swarm.Time.Advance(TimeSpan.FromMinutes(1));
        Assert.Equal((2, 0), (swarm.Torrent.Swarm.Book.Known, swarm.Torrent.Swarm.Book.CountReady(swarm.Torrent.Swarm.Now, out _)));
    }

    [Theory]
    [InlineData("192.0.2.7", "192.0.2.8")]
    [InlineData("2001:db8::7", "2001:db8::8")]
    [InlineData("192.0.2.7", "192.0.2.7")]
    public async Task Peers_that_share_one_constant_id_all_stay(string one, string other)
    {
        await using var swarm = new ScriptedSwarm(4);
        ScriptedPeer[] peers = [await swarm.DialAsync(IPAddress.Parse(one)), await swarm.DialAsync(IPAddress.Parse(other))];
        foreach (var peer in peers)
        {
            peer.Reachable.SetResult();
            await peer.IsGreetedAsync();
            await SayAsync(peer, swarm, 0xFF);
        }

        Assert.All(peers, static peer => Assert.False(peer.IsClosed));
        Assert.Equal(2, swarm.Torrent.GetStatus().Peers);
    }

    private static Task SayAsync(ScriptedPeer peer, ScriptedSwarm swarm, byte id)
    {
        var greeting = HostilePeer.Handshake(swarm.Content.Hash.Span);
        greeting.AsSpan(48, 20).Fill(id);
        return peer.SayAsync(greeting);
    }
}
