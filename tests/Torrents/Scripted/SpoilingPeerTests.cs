using System.Buffers.Binary;
using NzbDav.Fakes;
using NzbDav.Torrents.Tests.Hostile;

namespace NzbDav.Torrents.Tests.Scripted;

/// <summary>Peers that send what they should not, or too slowly, beside honest ones.</summary>
public sealed class SpoilingPeerTests
{
    private const byte Cancel = 8;
    private const int Block = 16_384;

    [Fact]
    public async Task Blocks_that_were_not_requested_from_their_sender_are_dropped_and_cancel_nothing()
    {
        await using var swarm = new ScriptedSwarm(1);
        var honest = await swarm.ConnectAsync(ScriptedPeer.HaveAll);
        await honest.SayAsync(ScriptedPeer.Unchoke);
        await using var reader = swarm.Open(0);
        var reading = swarm.FinishAsync(reader);
        await honest.HearsAsync(ScriptedPeer.Request, 4);
        var stranger = await swarm.ConnectAsync(ScriptedPeer.HaveAll);
        for (var block = 0; block < 4; block++)
            await stranger.SayAsync(Garbage(0, block));

        Assert.Empty(honest.Heard(Cancel));
        foreach (var request in honest.Heard(ScriptedPeer.Request))
            await honest.SayAsync(honest.Block(request));
        await reading;
        var bytes = swarm.Torrent.GetStatus().Bytes;
        Assert.Equal((0L, 4L * Block), (bytes.Failed, bytes.Discarded));
    }

    [Fact]
    public async Task A_block_that_arrives_after_its_request_was_withdrawn_is_still_accepted()
    {
        await using var swarm = new ScriptedSwarm(1);
        var slow = await swarm.ConnectAsync(ScriptedPeer.HaveAll);
        await slow.SayAsync(ScriptedPeer.Unchoke);
        await using var reader = swarm.Open(0);
        var reading = swarm.FinishAsync(reader);
        await slow.HearsAsync(ScriptedPeer.Request, 4);

        // It keeps us waiting for too long: all requests are withdrawn.
        swarm.Time.Advance(TimeSpan.FromSeconds(11));
        Assert.True(Assert.Single(swarm.Torrent.Swarm.Peers).IsSnubbed);
        foreach (var request in slow.Heard(ScriptedPeer.Request).Take(4).ToArray())
            await slow.SayAsync(slow.Block(request));
        await reading;
    }

    [Fact]
    public async Task A_block_that_was_not_requested_does_not_count_as_an_answer()
    {
        await using var swarm = new ScriptedSwarm(2);
        var silent = await swarm.ConnectAsync(ScriptedPeer.HaveAll);
        await silent.SayAsync(ScriptedPeer.Unchoke);
        await using var reader = swarm.Open(0);
        await silent.HearsAsync(ScriptedPeer.Request, 4);
        for (var i = 0; i < 3; i++)
        {
            swarm.Time.Advance(TimeSpan.FromSeconds(4));
            await silent.SayAsync(Garbage(1, i));
        }

        Assert.True(Assert.Single(swarm.Torrent.Swarm.Peers).IsSnubbed);
    }

    [Fact]
    public async Task A_block_without_bytes_is_a_reject()
    {
        await using var swarm = new ScriptedSwarm(1);
        var comet = await swarm.ConnectAsync(ScriptedPeer.HaveAll);
        await comet.SayAsync(ScriptedPeer.Unchoke);
        await using var reader = swarm.Open(0);
        await comet.HearsAsync(ScriptedPeer.Request, 4);
        var other = await swarm.ConnectSeederAsync();
        foreach (var request in comet.Heard(ScriptedPeer.Request).Take(4).ToArray())
            await comet.SayAsync(HostilePeer.Message(ScriptedPeer.Piece, request.AsSpan(0, 8)));
        Assert.False(comet.IsClosed);

        // Each block was asked for again, from either of them.
        Assert.Equal(8, comet.Heard(ScriptedPeer.Request).Count + other.Heard(ScriptedPeer.Request).Count);
        comet.Dispose();
        await swarm.FinishAsync(reader);
    }

    [Fact]
    public async Task A_reader_of_a_bad_piece_does_not_wait_for_the_peer_chosen_to_send_it_again_if_that_trickles()
    {
        var (swarm, peers, reading) = await SpoilAsync();
        await using (swarm)
        {
            // All took part: one of the two quick ones is to send the piece again, and sends a block every nine seconds.
            await Until.TrueAsync(() => peers.Any(static peer => peer.Heard(ScriptedPeer.Request).Count > peer.Answered));
            var chosen = peers.Single(static peer => peer.Heard(ScriptedPeer.Request).Count > peer.Answered);
            Assert.NotSame(peers[2], chosen);
            var other = peers.First(peer => peer != chosen);
            other.Serves = true;
            for (var tenths = 0; tenths < 50 && !reading.IsCompleted; tenths++)
            {
                swarm.Time.Advance(TimeSpan.FromMilliseconds(100));
                await other.SayAsync();
            }

            await reading;
            await Until.TrueAsync(() => peers[2].IsClosed);
            Assert.False(chosen.IsClosed || other.IsClosed);
        }
    }

    [Fact]
    public async Task A_bad_piece_is_sent_again_by_peers_that_took_no_part()
    {
        var (swarm, peers, reading) = await SpoilAsync(withOthers: true);
        await using (swarm)
        {
            await reading;
            Assert.All(peers, static peer => Assert.Equal(peer.Answered, peer.Heard(ScriptedPeer.Request).Count));
            await Until.TrueAsync(() => peers[2].IsClosed);
        }
    }

    /// <summary>
    /// A reader of a piece of sixteen blocks, and three peers that have sent it. The last one was the slowest, and its blocks are bad.
    /// </summary>
    private static async Task<(ScriptedSwarm Swarm, ScriptedPeer[] Peers, Task Reading)> SpoilAsync(bool withOthers = false)
    {
        var swarm = new ScriptedSwarm(SwarmFixture.OneFile(16 * Block, 16 * Block), isDescribed: true);
        var peers = new ScriptedPeer[3];
        for (var i = 0; i < peers.Length; i++)
        {
            peers[i] = await swarm.ConnectAsync(ScriptedPeer.HaveAll);
            await peers[i].SayAsync(ScriptedPeer.Unchoke);
        }

        var reader = swarm.Open(0, 4);
        var reading = FinishAsync();
        foreach (var peer in peers)
        {
            await peer.HearsAsync(ScriptedPeer.Request);
            peer.Answered = peer.Heard(ScriptedPeer.Request).Count;
        }

        if (withOthers)
        {
            await swarm.ConnectSeederAsync();
            await swarm.ConnectSeederAsync();
        }

        foreach (var peer in peers)
        {
            swarm.Time.Advance(TimeSpan.FromMilliseconds(40));
            foreach (var request in peer.Heard(ScriptedPeer.Request))
            {
                var block = BinaryPrimitives.ReadInt32BigEndian(request.AsSpan(4)) / Block;
                await peer.SayAsync(peer == peers[2] ? Garbage(0, block) : peer.Block(request));
            }
        }

        await Until.TrueAsync(() => swarm.Torrent.GetStatus().Bytes.Failed > 0);
        return (swarm, peers, reading);

        async Task FinishAsync()
        {
            await using (reader)
                await swarm.FinishAsync(reader);
        }
    }

    private static byte[] Garbage(int piece, int block) =>
        HostilePeer.Message(ScriptedPeer.Piece, [.. HostilePeer.Numbers(piece, block * Block), .. new byte[Block]]);
}
