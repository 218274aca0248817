using NzbDav.Fakes;
using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Settings;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Tests.Scripted;

/// <summary>A seed that shows a piece or two, and others only when those have been taken (BEP 16).</summary>
public sealed class SuperSeedTests
{
    private const byte Have = 4;

    /// <summary>The pieces of <see cref="FetchOrder.EdgesOnly"/>, of 200.</summary>
    private static IEnumerable<int> Edges => Enumerable.Range(0, EdgePieces).Concat(Enumerable.Range(200 - EdgePieces, EdgePieces));

    private const int EdgePieces = FetchOrder.EdgeBytes / SwarmFixture.PieceLength;

    [Fact]
    public async Task Pieces_that_a_super_seed_shows_are_fetched_until_it_shows_the_one_that_a_reader_waits_for()
    {
        await using var swarm = new ScriptedSwarm(200);
        var seed = await ConnectAsync(swarm, 150, 60);
        var reading = swarm.ReadAsync(0);
        await WaitAsync(swarm);
        swarm.Time.Advance(TimeSpan.FromMilliseconds(100));
        var taken = 2;
        foreach (var next in new[] { 33, 99, 0 })
        {
            await Until.TrueAsync(() => swarm.Torrent.GetStatus().Have == taken);
            taken++;

            // Twice is longer than a reader waits for a piece that nobody has.
            swarm.Time.Advance(TimeSpan.FromSeconds(20));
            await seed.SayAsync(Have, next);
        }

        await reading;
        Assert.Equal(5, swarm.Torrent.GetStatus().Have);
    }

    [Fact]
    public async Task A_super_seed_is_followed_to_the_edges_of_a_file_too()
    {
        await using var swarm = new ScriptedSwarm(200);
        FetchEdges(swarm);
        var seed = await ConnectAsync(swarm, 150, 60);
        await Until.TrueAsync(() => swarm.Torrent.GetStatus().Have == 2);
        await seed.SayAsync(Have, 0);
        await Until.TrueAsync(() => swarm.Torrent.GetStatus().Have == 3);
    }

    [Fact]
    public async Task A_lone_super_seed_has_everything_once_it_has_shown_a_piece_for_each_that_was_taken()
    {
        await using var swarm = new ScriptedSwarm(200);
        FetchEdges(swarm);

        // All that is wanted is held before there is a proof.
        var seed = await ConnectAsync(swarm, [.. Edges]);
        await Until.TrueAsync(() => swarm.Torrent.GetStatus().Have == Edges.Count());
        swarm.Time.Advance(TimeSpan.FromSeconds(2));
        await seed.SayAsync(Have, 100);
        for (var shown = 1; shown <= ShownRounds.Proof; shown++)
        {
            Assert.False(Look(swarm).SawWhole);
            await Until.TrueAsync(() => swarm.Torrent.GetStatus().Have == Edges.Count() + shown);
            await seed.SayAsync(Have, 100 + shown);
        }

        Assert.True(Look(swarm).SawWhole);
        await Until.TrueAsync(() => swarm.Torrent.GetStatus().Have >= Edges.Count() + ShownRounds.Proof);
        swarm.Time.Advance(TimeSpan.FromSeconds(1));
        var asked = seed.Heard(ScriptedPeer.Request).Count;
        await seed.SayAsync(Have, 150);
        swarm.Time.Advance(TimeSpan.FromSeconds(2));
        Assert.Equal(asked, seed.Heard(ScriptedPeer.Request).Count);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_peer_that_announces_pieces_at_its_own_pace_or_wants_ours_is_no_super_seed(bool isInterested)
    {
        await using var swarm = new ScriptedSwarm(200);
        FetchEdges(swarm);
        var peer = await ConnectAsync(swarm);
        if (isInterested)
            await peer.SayAsync(ScriptedPeer.Interested);
        var taken = 0;
        foreach (var piece in Edges)
        {
            await peer.SayAsync(Have, piece);
            taken++;
            await Until.TrueAsync(() => swarm.Torrent.GetStatus().Have == taken);
            if (!isInterested)
                swarm.Time.Advance(TimeSpan.FromSeconds(1.5));
        }

        Assert.False(Look(swarm).SawWhole);
    }

    [Fact]
    public async Task Nothing_is_fetched_from_a_peer_that_has_many_pieces_but_not_the_one_that_a_reader_waits_for()
    {
        await using var swarm = new ScriptedSwarm(200);
        var peer = await ConnectAsync(swarm, [.. Enumerable.Range(100, 20)]);
        var reading = swarm.ReadAsync(0);
        await WaitAsync(swarm);
        swarm.Time.Advance(TimeSpan.FromSeconds(5));
        Assert.Empty(peer.Heard(ScriptedPeer.Request));
        await peer.SayAsync(Have, 0);
        await reading;
    }

    [Fact]
    public async Task Without_a_reader_that_waits_in_vain_nothing_is_fetched_from_a_super_seed()
    {
        await using var swarm = new ScriptedSwarm(200);
        var seed = await ConnectAsync(swarm, 150, 60);
        await swarm.ConnectSeederAsync();
        await swarm.ReadAsync(0);
        swarm.Time.Advance(TimeSpan.FromSeconds(5));
        Assert.Empty(seed.Heard(ScriptedPeer.Request));
    }

    private static void FetchEdges(ScriptedSwarm swarm)
    {
        swarm.Torrent.Swarm.Select(new FetchOrder { EdgesOnly = true });
        swarm.Torrent.FetchAll(true);
    }

    /// <summary>The torrent's state as of now, without letting time pass.</summary>
    private static TorrentStatus Look(ScriptedSwarm swarm)
    {
        var torrent = swarm.Torrent.Swarm;
        lock (torrent.Gate)
            torrent.Status.Sample(torrent.Now);
        return swarm.Torrent.LastStatus;
    }

    private static async Task<ScriptedPeer> ConnectAsync(ScriptedSwarm swarm, params int[] shown)
    {
        var seed = await swarm.ConnectAsync(ScriptedPeer.HaveNone);
        seed.Serves = true;
        foreach (var piece in shown)
            await seed.SayAsync(Have, piece);
        await seed.SayAsync(ScriptedPeer.Unchoke);
        return seed;
    }

    private static Task WaitAsync(ScriptedSwarm swarm) => Until.TrueAsync(() => swarm.Torrent.Swarm.Readers.Windows is [{ Waiting: 0 }]);
}
