using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Pieces;
using NzbDav.Torrents.Tests.Hostile;

namespace NzbDav.Torrents.Tests.Scripted;

/// <summary>What is remembered of a peer has a bound, whatever it says.</summary>
public sealed class BoundTests
{
    private const byte Have = 4;

    [Fact]
    public async Task Pieces_told_before_the_metadata_take_a_bit_each()
    {
        await using var swarm = new ScriptedSwarm(SwarmFixture.OneFile(SwarmFixture.PieceLength), isDescribed: false);
        var peer = await swarm.ConnectAsync(ScriptedPeer.HaveNone);
        await peer.SayAsync([.. Enumerable.Range(1, 2_000).Select(i => HostilePeer.Message(Have, HostilePeer.Numbers((i * (InfoReader.MostPieces / 2_000)) - 1)))]);

        Assert.False(peer.IsClosed);
        Assert.Equal(InfoReader.MostPieces / 8, Assert.Single(swarm.Torrent.Swarm.Peers).EarlyHaves.Length);
    }

    [Theory]
    [InlineData(InfoReader.MostPieces)]
    [InlineData(-1)]
    public async Task A_peer_that_tells_of_a_piece_that_no_torrent_has_is_let_go(int piece)
    {
        await using var swarm = new ScriptedSwarm(SwarmFixture.OneFile(SwarmFixture.PieceLength), isDescribed: false);
        var peer = await swarm.ConnectAsync(ScriptedPeer.HaveNone);
        await peer.SayAsync(Have, piece);
        Assert.True(peer.IsClosed);
    }

    [Fact]
    public async Task A_peer_that_tells_of_one_piece_without_end_before_the_metadata_is_let_go()
    {
        await using var swarm = new ScriptedSwarm(SwarmFixture.OneFile(SwarmFixture.PieceLength), isDescribed: false);
        var peer = await swarm.ConnectAsync(ScriptedPeer.HaveNone);
        var same = HostilePeer.Message(Have, HostilePeer.Numbers(7));
        await peer.SayAsync([.. Enumerable.Repeat(same, 100_000)]);
        Assert.True(peer.IsClosed);
    }

    [Fact]
    public async Task What_may_come_unasked_after_many_chokes_is_bounded()
    {
        await using var swarm = new ScriptedSwarm(pieces: 2);
        await swarm.ConnectAsync(ScriptedPeer.HaveAll);
        var peer = Assert.Single(swarm.Torrent.Swarm.Peers);

        // As if each choke had given up some megabytes of requests.
        for (var i = 0; i < 1_000; i++)
            peer.Forgive(4 << 20);
        Assert.Equal(-(long)RequestPipeline.Cap * PieceSlot.BlockSize, peer.Unasked);
    }
}
