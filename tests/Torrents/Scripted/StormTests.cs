using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Pieces;
using NzbDav.Torrents.Scheduling;
using NzbDav.Torrents.Tests.Hostile;
using NzbDav.Torrents.Work;

namespace NzbDav.Torrents.Tests.Scripted;

/// <summary>Peers that send too much, and corrupt ones that are hard to find: their cost is limited, and no honest peer suffers.</summary>
public sealed class StormTests : IBudgetWaiter
{
    private const int Block = 16_384;

    [Theory]
    [InlineData(ScriptedPeer.Choke)]
    [InlineData(ScriptedPeer.Unchoke)]
    [InlineData(ScriptedPeer.Interested)]
    [InlineData(3)]
    [InlineData(4, 0)]
    [InlineData(8, 0, 0, Block)]
    [InlineData(ScriptedPeer.Suggest, 0)]
    [InlineData(ScriptedPeer.AllowedFast, 0)]
    [InlineData(ScriptedPeer.Reject, 0, 0, Block)]
    [InlineData(99)]
    public async Task A_flood_of_one_message_ends_its_connection(byte id, params int[] numbers)
    {
        await using var swarm = new ScriptedSwarm(1);
        var peer = await swarm.ConnectAsync(ScriptedPeer.HaveNone);
        var message = HostilePeer.Message(id, HostilePeer.Numbers(numbers));
        await peer.SayAsync([.. Enumerable.Repeat(message, 10_100).SelectMany(static bytes => bytes)]);
        await Until.TrueAsync(() => swarm.Torrent.GetStatus().LastDisconnectReason is not null);
        Assert.Equal("The peer floods us with messages that have no effect.", swarm.Torrent.GetStatus().LastDisconnectReason);
        await swarm.ConnectSeederAsync();
        await swarm.ReadAsync(0);
    }

    [Fact]
    public async Task The_same_number_of_messages_over_ten_seconds_is_no_flood()
    {
        await using var swarm = new ScriptedSwarm(1);
        var peer = await swarm.ConnectAsync(ScriptedPeer.HaveAll);
        for (var second = 0; second < 10; second++)
        {
            await peer.SayAsync(
                [.. Enumerable.Repeat(HostilePeer.Message(8, HostilePeer.Numbers(0, 0, Block)), 2_000).SelectMany(static bytes => bytes)]);
            swarm.Time.Advance(TimeSpan.FromSeconds(1));
        }

        Assert.Null(swarm.Torrent.GetStatus().LastDisconnectReason);
        peer.Serves = true;
        await peer.SayAsync(ScriptedPeer.Unchoke);
        await swarm.ReadAsync(0);
    }

    [Fact]
    public async Task Rejects_that_arrive_together_cause_one_scheduling_pass()
    {
        await using var swarm = new ScriptedSwarm(8);
        var peer = await swarm.ConnectAsync(ScriptedPeer.HaveAll);
        await swarm.ConnectLeecherAsync();
        await peer.SayAsync(ScriptedPeer.Unchoke);
        await using var reader = swarm.Open(0, 8);
        await peer.HearsAsync(ScriptedPeer.Request, 16);
        var asked = peer.Heard(ScriptedPeer.Request);
        var before = swarm.Torrent.Swarm.Picker!.Forecasts;
        await peer.SayAsync([.. asked.SelectMany(static request => HostilePeer.Message(ScriptedPeer.Reject, request))]);
        Assert.Equal(1, swarm.Torrent.Swarm.Picker.Forecasts - before);

        // What one peer does not serve is asked for again.
        await peer.HearsAsync(ScriptedPeer.Request, asked.Count + 4);
    }

    [Fact]
    public async Task A_peer_that_leaves_before_its_piece_is_found_bad_is_banned()
    {
        await using var swarm = new ScriptedSwarm(1);
        using var hash = new ManualResetEventSlim();
        swarm.Torrent.Swarm.Context.Workers.Add(new WaitingJob(hash));
        var peer = await swarm.ConnectAsync(ScriptedPeer.HaveAll);
        await peer.SayAsync(ScriptedPeer.Unchoke);
        await using var reader = swarm.Open(0);
        await peer.HearsAsync(ScriptedPeer.Request, 4);
        foreach (var request in peer.Heard(ScriptedPeer.Request))
            await peer.SayAsync(HostilePeer.Message(ScriptedPeer.Piece, [.. request[..8], .. new byte[Block]]));
        peer.Dispose();
        await Until.TrueAsync(() => swarm.Torrent.GetStatus().Peers == 0);
        hash.Set();
        await Until.TrueAsync(() =>
        {
            lock (swarm.Torrent.Swarm.Gate)
                return swarm.Torrent.Swarm.Book.IsBanned(peer.Remote);
        });
    }

    [Fact]
    public void Abandoned_pieces_do_not_fill_the_blame_ledger()
    {
        const int Bad = 1;
        const int Good = 2;
        const int Pieces = 70;
        var info = Metainfo.Read(SwarmFixture.OneFile(Pieces * SwarmFixture.PieceLength).TorrentFile()).Value!.Info;
        var table = new PieceTable(info, new BitField(info.PieceCount), new BufferPool(new BufferBudget(8 << 20)), this);
        var ledger = new BlameLedger();
        for (var piece = 0; piece < Pieces; piece++)
        {
            var slot = table.TryOpen(piece, isWaited: true)!;
            slot.Buffer.Array.AsSpan().Clear();
            for (var block = 0; block < slot.Blocks; block++)
                slot.MarkReceived(block, block == 0 ? Bad : Good, now: 1);
            Assert.Equal(0, ledger.Failed(slot));
            if (piece == Pieces - 1)
            {
                slot.Buffer.Array[0] ^= 1;
                Assert.Equal([Bad], ledger.Passed(slot));
            }

            table.Close(slot).Release();
        }
    }

    void IBudgetWaiter.BudgetFreed()
    {
    }

    private sealed class WaitingJob(ManualResetEventSlim until) : BackgroundJob
    {
        public override void Run() => until.Wait();
    }
}
