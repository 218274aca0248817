using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Scheduling;

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

    [Theory]
    [InlineData(ReadIntent.Playback)]
    [InlineData(ReadIntent.Scan)]
    public async Task While_a_player_waits_in_one_torrent_hardly_anything_is_requested_for_the_fetch_of_another(ReadIntent intent)
    {
        await using var swarm = new ScriptedSwarm(8);
        var other = SwarmFixture.OneFile(64L * SwarmFixture.PieceLength, seed: 8);
        var fetched = swarm.Engine.Add(Metainfo.Read(other.TorrentFile()).Value!);
        fetched.FetchAll(true);
        var peer = await swarm.ConnectAsync(ScriptedPeer.HaveAll);
        await peer.SayAsync(ScriptedPeer.Unchoke);
        await using var reader = swarm.Torrent.Open(swarm.Torrent.Swarm.Table!.Info.Files[0])
            .OpenReader(0, SwarmFixture.PieceLength, intent);
        var reading = swarm.FinishAsync(reader);
        await peer.HearsAsync(ScriptedPeer.Request, 4);
        await Until.TrueAsync(() => swarm.Torrent.Swarm.Readers.Windows is [{ Waiting: 0 }]);

        var seeder = await swarm.ConnectAsync(fetched, other);
        await seeder.SayAsync(ScriptedPeer.Unchoke);
        if (intent == ReadIntent.Scan)
            await seeder.HearsAsync(ScriptedPeer.Request, 16);
        swarm.Time.Advance(TimeSpan.FromMilliseconds(100));
        if (intent == ReadIntent.Playback)
        {
            await seeder.HearsAsync(ScriptedPeer.Request);
            Assert.InRange(seeder.Heard(ScriptedPeer.Request).Count, 1, 2);
        }

        foreach (var request in peer.Heard(ScriptedPeer.Request))
            await peer.SayAsync(peer.Block(request));
        await reading;

        // The wait is over: the fetch goes on as fast as it is answered.
        swarm.Time.Advance(2 * TimeSpan.FromTicks(LineYield.Linger));
        for (var answered = 0; answered < 40;)
        {
            await seeder.HearsAsync(ScriptedPeer.Request, answered + 1);
            foreach (var request in seeder.Heard(ScriptedPeer.Request).Skip(answered))
            {
                await seeder.SayAsync(seeder.Block(request));
                answered++;
            }
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
