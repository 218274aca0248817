using NzbDav.Content;

namespace NzbDav.Torrents.Tests.Scripted;

/// <summary>Which requests stay with a peer when a reader starts elsewhere.</summary>
public sealed class GiveWayTests
{
    private const byte Cancel = 8;
    private const int Elsewhere = 30;

    [Fact]
    public async Task Requests_of_a_reader_that_left_are_cancelled_from_the_first_block()
    {
        await using var swarm = new ScriptedSwarm(40);
        var (peer, reader, outstanding) = await ReadAsync(swarm);
        await reader.DisposeAsync();

        await using var next = await SeekAsync(swarm, peer);
        Assert.Equal(outstanding, peer.Heard(Cancel).Select(Convert.ToHexString));
    }

    [Fact]
    public async Task Blocks_already_on_their_way_that_another_reader_wants_are_not_cancelled()
    {
        await using var swarm = new ScriptedSwarm(40);
        var (peer, reader, outstanding) = await ReadAsync(swarm);

        await using (reader)
        await using (await SeekAsync(swarm, peer))
        {
            // 400 KB/s, and 40 + 10 ms until a cancel can count: two blocks.
            Assert.Equal(outstanding.Skip(2), peer.Heard(Cancel).Select(Convert.ToHexString));
        }
    }

    /// <summary>A reader at the start, whose peer has sent one block after 40 ms; and what is asked for and has not come.</summary>
    private static async Task<(ScriptedPeer Peer, ContentReader Reader, string[] Outstanding)> ReadAsync(ScriptedSwarm swarm)
    {
        var peer = await swarm.ConnectAsync(ScriptedPeer.HaveAll);
        await peer.SayAsync(ScriptedPeer.Unchoke);
        var reader = swarm.Open(0, pieces: 20);
        await peer.HearsAsync(ScriptedPeer.Request, 8);
        swarm.Time.Advance(TimeSpan.FromMilliseconds(40));
        await peer.SayAsync(peer.Block(peer.Heard(ScriptedPeer.Request)[0]));
        return (peer, reader, [.. peer.Heard(ScriptedPeer.Request).Skip(1).Select(Convert.ToHexString)]);
    }

    /// <summary>A reader far from the first; completes when the peer was asked for what it needs.</summary>
    private static async Task<ContentReader> SeekAsync(ScriptedSwarm swarm, ScriptedPeer peer)
    {
        var before = peer.Heard(ScriptedPeer.Request).Count;
        var reader = swarm.Open(Elsewhere);
        await peer.HearsAsync(ScriptedPeer.Request, before + 1);
        return reader;
    }
}
