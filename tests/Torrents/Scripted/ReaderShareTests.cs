using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Scheduling;

namespace NzbDav.Torrents.Tests.Scripted;

/// <summary>How readers share memory and line: large pieces, readers that nobody reads from, readers that let others go first.</summary>
public sealed class ReaderShareTests
{
    private const byte Cancel = 8;
    private const int Elsewhere = 30;

    [Theory]
    [InlineData(1)]
    [InlineData(6)]
    [InlineData(40)]
    public void The_piece_after_the_one_being_read_is_in_the_window_however_many_readers_are_open(int readers)
    {
        const int PieceLength = 2 << 20;
        var info = Metainfo.Read(SwarmFixture.OneFile(20L * PieceLength, PieceLength).TorrentFile()).Value!.Info;
        var budget = new BufferBudget(8 << 20);
        for (var i = 0; i < readers; i++)
            budget.AddReader();
        var window = new ReaderWindow(info, 0, info.Length, ReadIntent.Playback, budget, now: 0);
        for (var piece = 0; piece < 18; piece++)
        {
            // What is read first may be all that is wanted.
            window.MoveTo(((long)piece * PieceLength) + (1 << 20));
            Assert.InRange(window.Target(TimeSpan.TicksPerSecond), piece + 1, piece + 1 + (3 / readers));
        }
    }

    [Fact]
    public async Task A_reader_from_which_nothing_is_taken_rests_and_reads_on_where_it_was()
    {
        await using var swarm = new ScriptedSwarm(40);
        var (peer, reader) = await ReadAsync(swarm);
        await using (reader)
        {
            Assert.Equal((1, 0), (swarm.Pool.Budget.Readers, swarm.Pool.Budget.IdleReaders));
            Assert.Contains(swarm.Torrent.Swarm.Pieces!.Pins, static pins => pins > 0);
            swarm.Time.Advance(ContentReader.IdleTime);
            await peer.SayAsync();

            // What it had asked for is cancelled, and nothing is kept for it.
            Assert.Equal((1, 1), (swarm.Pool.Budget.Readers, swarm.Pool.Budget.IdleReaders));
            Assert.All(swarm.Torrent.Swarm.Pieces!.Pins, static pins => Assert.Equal(0, pins));
            Assert.Equal(0, swarm.Torrent.Swarm.Peers[0].Outstanding);
            Assert.Equal(1, swarm.Torrent.Swarm.Readers.Open);
            swarm.Time.Advance(TimeSpan.FromSeconds(20));

            peer.Serves = true;
            foreach (var cancelled in peer.Heard(Cancel))
                await peer.SayAsync(HostileReject(cancelled));
            await swarm.FinishAsync(reader);
            Assert.Equal(0, swarm.Pool.Budget.IdleReaders);
        }

        Assert.Equal(0, swarm.Pool.Budget.Readers);
        Assert.All(swarm.Torrent.Swarm.Pieces!.Pins, static pins => Assert.Equal(0, pins));
    }

    [Fact]
    public async Task A_resting_reader_that_is_closed_gives_back_its_place()
    {
        await using var swarm = new ScriptedSwarm(40);
        var (_, reader) = await ReadAsync(swarm);
        swarm.Time.Advance(ContentReader.IdleTime);
        Assert.Equal(1, swarm.Pool.Budget.IdleReaders);
        await reader.DisposeAsync();
        Assert.Equal((0, 0), (swarm.Pool.Budget.Readers, swarm.Pool.Budget.IdleReaders));
    }

    [Fact]
    public async Task A_reader_that_waits_for_a_piece_does_not_rest()
    {
        await using var swarm = new ScriptedSwarm(40);
        var (peer, reader) = await ReadAsync(swarm);
        await using (reader)
        {
            var reading = swarm.FinishAsync(reader);
            swarm.Time.Advance(ContentReader.IdleTime);
            swarm.Time.Advance(ContentReader.IdleTime);
            Assert.Equal(0, swarm.Pool.Budget.IdleReaders);
            peer.Serves = true;
            foreach (var request in peer.Heard(ScriptedPeer.Request).Skip(1).ToArray())
                await peer.SayAsync(peer.Block(request));
            await reading;
        }
    }

    [Fact]
    public async Task A_scan_cancels_nothing_of_another_readers_until_it_has_waited_for_as_long_as_it_can()
    {
        await using var swarm = new ScriptedSwarm(40);
        var (peer, reader) = await ReadAsync(swarm);
        await using (reader)
        {
            await using var scan = Scan(swarm);
            var next = scan.NextAsync(CancellationToken.None).AsTask();
            await Until.TrueAsync(() => swarm.Torrent.Swarm.Readers.Windows[1].Waiting >= 0);
            swarm.Time.Advance(YieldMode.Scan.MaxWait - TimeSpan.FromMilliseconds(50));
            Assert.Empty(peer.Heard(Cancel));
            swarm.Time.Advance(TimeSpan.FromMilliseconds(100));
            await peer.HearsAsync(Cancel);
            await FinishAsync(peer, next);
        }
    }

    [Fact]
    public async Task A_reader_that_no_longer_gives_way_is_served_at_once()
    {
        await using var swarm = new ScriptedSwarm(40);
        var (peer, reader) = await ReadAsync(swarm);
        await using (reader)
        {
            await using var scan = Scan(swarm);
            var next = scan.NextAsync(CancellationToken.None).AsTask();
            await Until.TrueAsync(() => swarm.Torrent.Swarm.Readers.Windows[1].Waiting >= 0);
            Assert.Empty(peer.Heard(Cancel));
            scan.SetYieldMode(null);
            await peer.HearsAsync(Cancel);
            await FinishAsync(peer, next);
        }
    }

    [Fact]
    public async Task A_reader_that_begins_to_give_way_reads_ahead_no_further_than_its_piece()
    {
        await using var swarm = new ScriptedSwarm(40);
        var (_, reader) = await ReadAsync(swarm);
        await using (reader)
        {
            var window = Assert.Single(swarm.Torrent.Swarm.Readers.Windows);
            Assert.InRange(window.Last, 2, 40);
            reader.SetYieldMode(new YieldMode(TimeSpan.FromSeconds(1), ReadsOn: false));
            Assert.Equal(0, window.Last);
            Assert.Single(swarm.Torrent.Swarm.Pieces!.Pins, static pins => pins > 0);
            reader.SetYieldMode(new YieldMode(TimeSpan.FromSeconds(1), ReadsOn: true));
            Assert.InRange(window.Last, 2, 40);
            Assert.True(window.IsYielding);
        }
    }

    private static ContentReader Scan(ScriptedSwarm swarm) => swarm.Torrent.Open(swarm.Torrent.Swarm.Table!.Info.Files[0])
        .OpenReader(Elsewhere * SwarmFixture.PieceLength, (Elsewhere + 1) * SwarmFixture.PieceLength, ReadIntent.Scan);

    private static byte[] HostileReject(byte[] cancelled) => Hostile.HostilePeer.Message(ScriptedPeer.Reject, cancelled);

    private static async Task FinishAsync(ScriptedPeer peer, Task<ContentLease> next)
    {
        while (!next.IsCompleted)
        {
            await Until.TrueAsync(() => next.IsCompleted || peer.Heard(ScriptedPeer.Request).Count > peer.Answered);
            foreach (var request in peer.Heard(ScriptedPeer.Request).Skip(peer.Answered).ToArray())
            {
                peer.Answered++;
                await peer.SayAsync(peer.Block(request));
            }
        }

        (await next).Dispose();
    }

    /// <summary>A reader at the start, whose peer has sent one block after 40 ms.</summary>
    private static async Task<(ScriptedPeer Peer, ContentReader Reader)> ReadAsync(ScriptedSwarm swarm)
    {
        var peer = await swarm.ConnectAsync(ScriptedPeer.HaveAll);
        await peer.SayAsync(ScriptedPeer.Unchoke);
        var reader = swarm.Open(0, pieces: 20);
        await peer.HearsAsync(ScriptedPeer.Request, 8);
        swarm.Time.Advance(TimeSpan.FromMilliseconds(40));
        await peer.SayAsync(peer.Block(peer.Heard(ScriptedPeer.Request)[0]));
        peer.Answered = 1;
        return (peer, reader);
    }
}
