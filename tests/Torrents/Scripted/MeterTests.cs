using NzbDav.Fakes;
using NzbDav.Torrents.Settings;
using NzbDav.Torrents.Storage;
using NzbDav.Torrents.Tests.Hostile;

namespace NzbDav.Torrents.Tests.Scripted;

/// <summary>Each instrument of the meter shows what happened in an exchange whose every moment is known.</summary>
public sealed class MeterTests : IDisposable
{
    private const int Block = 16_384;
    private const int PieceSize = SwarmFixture.PieceLength;

    private readonly MeterRecorder _meter = new();
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("nzbdav-meter-");

    public void Dispose()
    {
        _meter.Dispose();
        _folder.Delete(recursive: true);
    }

    [Fact]
    public async Task Records_the_time_from_dialling_to_the_first_unchoke()
    {
        await using var swarm = new ScriptedSwarm(1, metrics: _meter.Metrics);
        var peer = await swarm.DialAsync();
        Pass(swarm, 20);
        peer.Reachable.SetResult();
        await peer.IsGreetedAsync();
        Pass(swarm, 30);
        await peer.GreetAsync(ScriptedPeer.HaveAll);
        Pass(swarm, 5);
        await peer.SayAsync(ScriptedPeer.Unchoke);
        await peer.SayAsync(ScriptedPeer.Choke);
        Pass(swarm, 5);
        await peer.SayAsync(ScriptedPeer.Unchoke);

        Equal([0.020], _meter["dial"]);
        Equal([0.030], _meter["handshake"]);
        Equal([0.035], _meter["first_unchoke"]);
        Assert.Equal(1, _meter.Look("peers"));
        Assert.Equal(1, _meter.Look("open"));
    }

    [Fact]
    public async Task Records_blocks_their_first_bytes_their_queue_and_the_use_of_the_pipeline()
    {
        await using var swarm = new ScriptedSwarm(1, metrics: _meter.Metrics);
        var peer = await swarm.ConnectAsync(ScriptedPeer.HaveAll);
        await peer.SayAsync(ScriptedPeer.Unchoke);
        await using var reader = swarm.Open(0);
        await peer.HearsAsync(ScriptedPeer.Request, 4);
        var asked = peer.Heard(ScriptedPeer.Request);
        Assert.Equal(PieceSize, _meter.Look("buffered"));

        // The first: its header and half of it after 40 ms, the rest after 50.
        var block = peer.Block(asked[0]);
        Pass(swarm, 40);
        await peer.SayAsync(block[..(Block / 2)]);
        Pass(swarm, 10);
        await peer.SayAsync(block[(Block / 2)..]);

        // The second after 80 ms, which is 30 more than the shortest; the others with it.
        Pass(swarm, 30);
        foreach (var request in asked.Skip(1))
            await peer.SayAsync(peer.Block(request));

        Equal([0.040, 0.080, 0.080, 0.080], _meter["block.first_byte"]);
        Equal([0.050, 0.080, 0.080, 0.080], _meter["block"]);
        Equal([0, 0.030, 0.030, 0.030], _meter["block.queue"]);

        // Four of the sixteen of a start were outstanding, then three of seventeen: each block that comes makes room for one more. Nothing
        // is outstanding at the end.
        Equal([4 / 16.0, 3 / 17.0, 2 / 18.0, 1 / 19.0], _meter["pipeline.use"]);
        Assert.Equal(PieceSize, _meter.Look("payload"));
        Assert.Equal(PieceSize, _meter.Look("copied"));
        Assert.Equal(0, _meter.Look("duplicate"));
    }

    [Fact]
    public async Task Records_a_readers_wait_and_its_first_bytes()
    {
        await using var swarm = new ScriptedSwarm(2, metrics: _meter.Metrics);
        var peer = await swarm.ConnectAsync(ScriptedPeer.HaveAll);
        await peer.SayAsync(ScriptedPeer.Unchoke);
        await using var reader = swarm.Open(0, 2);
        await peer.HearsAsync(ScriptedPeer.Request, 8);
        Pass(swarm, 15);
        var reading = swarm.FinishAsync(reader);
        Pass(swarm, 25);
        await SayPieceAsync(peer, 0);
        await Until.TrueAsync(() => _meter["reader.wait"].Length == 1 && reader.Position == PieceSize);
        Equal([0.025], _meter["reader.wait"]);
        Equal([0.040], _meter["reader.first_byte"]);
        await SayPieceAsync(peer, 1);
        await reading;
        Equal([0.040], _meter["reader.first_byte"]);
    }

    [Fact]
    public async Task Records_the_wait_for_the_hash_the_hash_and_the_write()
    {
        var hand = new ManualTimeProvider();
        var options = new TorrentOptions { CacheFolder = _folder.FullName };
        await using (var swarm = new ScriptedSwarm(1, options, new WorkerClock(hand), _meter.Metrics) { Time = hand })
        {
            await swarm.ConnectSeederAsync();
            await swarm.ReadAsync(0);
            await Until.TrueAsync(() => _meter["write"].Length > 0);
            Assert.Equal(PieceSize, _meter.Look("cached"));
        }

        // A worker's look at the clock is a step: one when it begins, one when it is done.
        var step = WorkerClock.Step.TotalSeconds;
        Equal([step], _meter["hash.wait"]);
        Equal([step], _meter["hash"]);
        Equal([step], _meter["write"]);
        Assert.Empty(_meter["write_failures"]);
    }

    [Fact]
    public async Task A_piece_that_cannot_be_written_is_counted_and_still_read()
    {
        // A file where the folder should be.
        var path = Path.Combine(_folder.FullName, "taken");
        await using var swarm = new ScriptedSwarm(1, new TorrentOptions { CacheFolder = path }, metrics: _meter.Metrics);
        await File.WriteAllTextAsync(path, "");
        await swarm.ConnectSeederAsync();
        await swarm.ReadAsync(0);
        await Until.TrueAsync(() => _meter["write_failures"].Length > 0);
        Equal([1], _meter["write_failures"]);
        Assert.Empty(_meter["write"]);
    }

    [Fact]
    public async Task Records_evictions_and_bytes_sent_to_peers()
    {
        var options = new TorrentOptions { CacheFolder = _folder.FullName, CacheBytes = 2 * PieceSize, Memory = 8 << 20 };
        await using var swarm = new ScriptedSwarm(4, options, metrics: _meter.Metrics);
        await swarm.ConnectSeederAsync();
        for (var piece = 0; piece < 4; piece++)
        {
            await swarm.ReadAsync(piece);
            swarm.Time.Advance(WriteAdmission.LeastStay / 2);
        }

        await Until.TrueAsync(() => _meter["evicted"].Sum() == 2);
        var leecher = await swarm.ConnectLeecherAsync();
        await leecher.SayAsync(ScriptedPeer.Request, 3, 0, Block);
        await leecher.HearsAsync(ScriptedPeer.Piece);
        await Until.TrueAsync(() => _meter.Look("uploaded") == Block);
        Assert.InRange(_meter.Look("cached"), 1, 2 * PieceSize);
    }

    [Fact]
    public async Task Records_bad_pieces_and_duplicate_blocks()
    {
        await using var swarm = new ScriptedSwarm(1, metrics: _meter.Metrics);
        var peer = await swarm.ConnectAsync(ScriptedPeer.HaveAll);
        await peer.SayAsync(ScriptedPeer.Unchoke);
        await using var reader = swarm.Open(0);
        await peer.HearsAsync(ScriptedPeer.Request, 4);
        var asked = peer.Heard(ScriptedPeer.Request);
        await peer.SayAsync(peer.Block(asked[0]));
        await peer.SayAsync(peer.Block(asked[0]));
        Assert.Equal(Block, _meter.Look("duplicate"));
        await peer.SayAsync(
            HostilePeer.Message(ScriptedPeer.Piece, [.. asked[1][..8], .. new byte[Block]]), peer.Block(asked[2]), peer.Block(asked[3]));
        await Until.TrueAsync(() => _meter.Look("failed") == PieceSize);
        Assert.Equal(PieceSize, _meter.Look("payload"));
    }

    private static void Pass(ScriptedSwarm swarm, int milliseconds) => swarm.Time.Advance(TimeSpan.FromMilliseconds(milliseconds));

    private static Task SayPieceAsync(ScriptedPeer peer, int piece) =>
        peer.SayAsync([.. peer.Heard(ScriptedPeer.Request).Where(request => request[3] == piece).Select(request => peer.Block(request))]);

    private static void Equal(double[] expected, double[] actual)
    {
        Assert.Equal(expected.Length, actual.Length);
        for (var i = 0; i < expected.Length; i++)
            Assert.Equal(expected[i], actual[i], 6);
    }
}
