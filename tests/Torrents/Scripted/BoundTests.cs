using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Tests.Hostile;

namespace NzbDav.Torrents.Tests.Scripted;

/// <summary>The state kept per peer is limited, whatever it sends.</summary>
public sealed class BoundTests
{
    private const byte Have = 4;

    [Fact]
    public async Task Pieces_announced_before_the_metadata_take_one_bit_each()
    {
        await using var swarm = new ScriptedSwarm(SwarmFixture.OneFile(SwarmFixture.PieceLength), isDescribed: false);
        var peer = await swarm.ConnectAsync(ScriptedPeer.HaveNone);
        await peer.SayAsync([.. Enumerable.Range(1, 2_000)
            .Select(i => HostilePeer.Message(Have, HostilePeer.Numbers((i * (InfoReader.MostPieces / 2_000)) - 1)))]);

        Assert.False(peer.IsClosed);
        Assert.Equal(InfoReader.MostPieces / 8, Assert.Single(swarm.Torrent.Swarm.Peers).EarlyBytes);
    }

    [Theory]
    [InlineData(InfoReader.MostPieces)]
    [InlineData(-1)]
    public async Task A_peer_that_announces_an_impossible_piece_is_disconnected(int piece)
    {
        await using var swarm = new ScriptedSwarm(SwarmFixture.OneFile(SwarmFixture.PieceLength), isDescribed: false);
        var peer = await swarm.ConnectAsync(ScriptedPeer.HaveNone);
        await peer.SayAsync(Have, piece);
        Assert.True(peer.IsClosed);
    }

    [Fact]
    public async Task A_peer_that_repeats_one_piece_endlessly_before_the_metadata_is_disconnected()
    {
        await using var swarm = new ScriptedSwarm(SwarmFixture.OneFile(SwarmFixture.PieceLength), isDescribed: false);
        var peer = await swarm.ConnectAsync(ScriptedPeer.HaveNone);
        var same = HostilePeer.Message(Have, HostilePeer.Numbers(7));
        await peer.SayAsync([.. Enumerable.Repeat(same, 100_000)]);
        Assert.True(peer.IsClosed);
    }

    [Fact]
    public void Only_the_latest_withdrawn_requests_are_remembered_and_for_a_minute()
    {
        const int Extra = 100;
        var withdrawn = new WithdrawnRequests();
        for (var block = 0; block < WithdrawnRequests.Most + Extra; block++)
            withdrawn.Add(piece: 3, block, now: 0);
        Assert.Equal(WithdrawnRequests.Most, withdrawn.Count);
        Assert.False(withdrawn.Remove(3, Extra - 1));
        Assert.False(withdrawn.Remove(2, Extra));
        Assert.True(withdrawn.Remove(3, Extra));
        Assert.False(withdrawn.Remove(3, Extra));
        withdrawn.Trim(TimeSpan.TicksPerMinute - 1);
        Assert.True(withdrawn.Remove(3, WithdrawnRequests.Most + Extra - 1));
        withdrawn.Trim(TimeSpan.TicksPerMinute);
        Assert.Equal((0, false), (withdrawn.Count, withdrawn.Remove(3, Extra + 1)));
        withdrawn.Add(1, 1, TimeSpan.TicksPerMinute);
        Assert.True(withdrawn.Remove(1, 1));
    }

    [Theory]
    [InlineData(20)]
    [InlineData(WithdrawnRequests.Most)]
    public void Blocks_that_arrive_out_of_order_push_out_no_withdrawn_request(int requests)
    {
        var withdrawn = new WithdrawnRequests();
        for (var block = 0; block < requests; block++)
            withdrawn.Add(piece: 3, block, now: 0);
        for (var block = 1; block < requests; block += 2)
            Assert.True(withdrawn.Remove(3, block));
        for (var block = 1; block < requests; block += 2)
            withdrawn.Add(piece: 4, block, now: 0);

        Assert.Equal(requests, withdrawn.Count);
        for (var block = 0; block < requests; block++)
            Assert.True(withdrawn.Remove(block % 2 == 0 ? 3 : 4, block));
        Assert.Equal(0, withdrawn.Count);
    }
}
