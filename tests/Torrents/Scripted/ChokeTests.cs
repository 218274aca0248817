using NzbDav.Fakes;
using NzbDav.Torrents.Scheduling;
using NzbDav.Torrents.Settings;

namespace NzbDav.Torrents.Tests.Scripted;

/// <summary>Which peers are unchoked, round by round.</summary>
public sealed class ChokeTests
{
    private const int Block = 16_384;

    [Fact]
    public async Task Interested_peers_are_unchoked_at_once_while_slots_are_free()
    {
        await using var swarm = new ScriptedSwarm(2, new TorrentOptions { UploadSlots = 2 });
        var first = await swarm.ConnectLeecherAsync();
        var quiet = await swarm.ConnectAsync(ScriptedPeer.HaveNone);
        var second = await swarm.ConnectLeecherAsync();
        var third = await swarm.ConnectLeecherAsync();

        Assert.Equal([true, false, true, false], Served(first, quiet, second, third));
    }

    [Fact]
    public async Task A_peer_that_loses_interest_is_choked_and_a_waiting_one_unchoked()
    {
        await using var swarm = new ScriptedSwarm(2, new TorrentOptions { UploadSlots = 1 });
        var first = await swarm.ConnectLeecherAsync();
        var second = await swarm.ConnectLeecherAsync();
        Assert.Equal([true, false], Served(first, second));

        await first.SayAsync(ScriptedPeer.NotInterested);
        Assert.Equal([false, true], Served(first, second));
        await second.SayAsync(ScriptedPeer.NotInterested);
        Assert.Equal([false, false], Served(first, second));
        await first.SayAsync(ScriptedPeer.Interested);
        Assert.Equal([true, false], Served(first, second));
    }

    [Fact]
    public async Task A_round_unchokes_peers_that_gave_and_one_that_did_not()
    {
        await using var swarm = new ScriptedSwarm(2, new TorrentOptions { UploadSlots = 3 });
        ScriptedPeer[] takers = [await swarm.ConnectLeecherAsync(), await swarm.ConnectLeecherAsync(), await swarm.ConnectLeecherAsync()];
        ScriptedPeer[] givers = [await swarm.ConnectSeederAsync(), await swarm.ConnectSeederAsync()];
        foreach (var giver in givers)
            await giver.SayAsync(ScriptedPeer.Interested);
        await swarm.ReadAsync(0, 2);
        Assert.All(givers, static giver => Assert.NotEmpty(giver.Heard(ScriptedPeer.Request)));
        Assert.Equal([true, true, true, false, false], Served([.. takers, .. givers]));

        // A worker may still be sending what it has to say of the pieces; then it takes the round's words along.
        swarm.Time.Advance(Choker.Round);
        await Until.TrueAsync(() => Served([.. takers, .. givers]).SequenceEqual([true, false, false, true, true]));
    }

    [Fact]
    public async Task The_optimistic_unchoke_rotates_every_third_round()
    {
        await using var swarm = new ScriptedSwarm(1, new TorrentOptions { UploadSlots = 1 });
        ScriptedPeer[] peers = [await swarm.ConnectLeecherAsync(), await swarm.ConnectLeecherAsync(), await swarm.ConnectLeecherAsync()];
        var turns = new List<int>();
        for (var round = 0; round < 10; round++)
        {
            swarm.Time.Advance(Choker.Round);
            turns.Add(Array.FindIndex(peers, static peer => peer.IsServed));
            Assert.Single(peers, static peer => peer.IsServed);
        }

        Assert.Equal([0, 0, 0, 1, 1, 1, 2, 2, 2, 0], turns);
    }

    [Fact]
    public async Task While_nothing_is_fetched_the_peer_that_takes_most_is_unchoked()
    {
        await using var swarm = new ScriptedSwarm(2, new TorrentOptions { UploadSlots = 2 });
        await swarm.ConnectSeederAsync();
        await swarm.ReadAsync(0, 2);
        var idle = await swarm.ConnectLeecherAsync();
        var busy = await swarm.ConnectLeecherAsync();
        var late = await swarm.ConnectLeecherAsync();
        for (var round = 1; round <= 7; round++)
        {
            await busy.SayAsync(ScriptedPeer.Request, 0, 0, Block);
            await busy.HearsAsync(ScriptedPeer.Piece, round);
            swarm.Time.Advance(Choker.Round);
            Assert.True(busy.IsServed);

            // The other slot rotates among the others.
            Assert.Equal(round is <= 3 or 7, idle.IsServed);
            Assert.NotEqual(idle.IsServed, late.IsServed);
        }
    }

    [Fact]
    public async Task A_peer_that_does_not_answer_is_snubbed_and_another_is_asked()
    {
        await using var swarm = new ScriptedSwarm(8, new TorrentOptions { UploadSlots = 1 });
        var silent = await swarm.ConnectAsync(ScriptedPeer.HaveAll);
        await silent.SayAsync(ScriptedPeer.Unchoke);
        await using var reader = swarm.Open(0);
        var reading = swarm.FinishAsync(reader);
        await silent.HearsAsync(ScriptedPeer.Request, 4);
        swarm.Time.Advance(TimeSpan.FromSeconds(11));

        // No time passes here: without the snub nothing would be left to ask.
        var other = await swarm.ConnectSeederAsync();
        await reading;
        Assert.Equal(4, other.Heard(ScriptedPeer.Request).Count);

        // Another chance after as long again, and it begins with the smallest queue.
        swarm.Time.Advance(TimeSpan.FromSeconds(10));
        await other.SayAsync(ScriptedPeer.Choke);
        await using var next = swarm.Open(1, 7);
        Assert.Equal(4, silent.Heard(ScriptedPeer.Request).Count);
        swarm.Time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(8, silent.Heard(ScriptedPeer.Request).Count);
    }

    [Fact]
    public async Task A_peer_that_snubs_us_ranks_behind_those_that_only_take()
    {
        await using var swarm = new ScriptedSwarm(2, new TorrentOptions { UploadSlots = 2 });
        var silent = await swarm.ConnectLeecherOfAllAsync();
        var taker = await swarm.ConnectLeecherAsync();
        var newcomer = await swarm.ConnectLeecherAsync();
        await silent.SayAsync(ScriptedPeer.Unchoke);
        await using (swarm.Open(0))
        {
            await silent.HearsAsync(ScriptedPeer.Request);
            swarm.Time.Advance(TimeSpan.FromSeconds(20));
        }

        // It ranked first; the second round corrects that.
        Assert.Equal([false, true, true], Served(silent, taker, newcomer));
    }

    [Fact]
    public async Task Requests_of_a_choked_peer_are_rejected()
    {
        await using var swarm = new ScriptedSwarm(20, new TorrentOptions { UploadSlots = 1 });
        await swarm.ConnectSeederAsync();
        await swarm.ReadAsync(0, 20);
        var served = await swarm.ConnectLeecherAsync();
        var choked = await swarm.ConnectLeecherAsync();
        var allowed = choked.Heard(ScriptedPeer.AllowedFast).Select(static payload => payload[3]);
        await served.SayAsync(ScriptedPeer.Request, 0, Block, Block);
        await choked.SayAsync(ScriptedPeer.Request, Enumerable.Range(0, 20).First(piece => !allowed.Contains((byte)piece)), Block, Block);
        await served.HearsAsync(ScriptedPeer.Piece);
        await choked.HearsAsync(ScriptedPeer.Reject);

        Assert.Equal(served.Block([0, 0, 0, 0, 0, 0, 0x40, 0, 0, 0, 0x40, 0])[5..], Assert.Single(served.Heard(ScriptedPeer.Piece)));
        Assert.Empty(choked.Heard(ScriptedPeer.Piece));
    }

    private static bool[] Served(params ScriptedPeer[] peers) => [.. peers.Select(static peer => peer.IsServed)];
}
