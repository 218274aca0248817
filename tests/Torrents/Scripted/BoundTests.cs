using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Pieces;
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
        await peer.SayAsync([.. Enumerable.Range(1, 2_000).Select(i => HostilePeer.Message(Have, HostilePeer.Numbers((i * (InfoReader.MostPieces / 2_000)) - 1)))]);

        Assert.False(peer.IsClosed);
        Assert.Equal(InfoReader.MostPieces / 8, Assert.Single(swarm.Torrent.Swarm.Peers).EarlyHaves.Length);
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
    public async Task The_tolerance_for_late_blocks_after_many_chokes_is_limited()
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
