using NzbDav.Fakes;
using NzbDav.Torrents.Settings;
using NzbDav.Torrents.Storage;

namespace NzbDav.Torrents.Tests.Scripted;

/// <summary>What is written when the disk is slower or smaller than what is read.</summary>
public sealed class DiskShareTests : IDisposable
{
    private const int Memory = 8 << 20;
    private const int Pieces = 4 * Memory / SwarmFixture.PieceLength;

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("nzbdav-torrents-");
    private readonly MeterRecorder _meter = new();

    public void Dispose()
    {
        _meter.Dispose();
        _folder.Delete(recursive: true);
    }

    [Fact]
    public async Task A_reader_continues_within_the_memory_budget_while_a_write_hangs()
    {
        await using var swarm = new ScriptedSwarm(Pieces, Options());
        await swarm.ConnectSeederAsync();
        using var disk = new HungDisk(swarm.Torrent.Swarm.Pieces!);
        await swarm.ReadAsync(0, Pieces).WaitAsync(TimeSpan.FromMinutes(1));
        Assert.Equal(0, swarm.Engine.CachedBytes);
        Assert.InRange(swarm.Pool.Budget.Reserved, 1, Memory);
    }

    [Fact]
    public async Task Pieces_received_while_the_disk_keeps_up_are_written()
    {
        const int Few = 16;
        await using var swarm = new ScriptedSwarm(Pieces, Options());
        await swarm.ConnectSeederAsync();
        using (new HungDisk(swarm.Torrent.Swarm.Pieces!))
            await swarm.ReadAsync(0, Few).WaitAsync(TimeSpan.FromMinutes(1));
        await Until.TrueAsync(() => swarm.Engine.CachedBytes == Few * SwarmFixture.PieceLength);
    }

    [Fact]
    public async Task Pieces_that_would_be_evicted_at_once_are_not_written()
    {
        const int Fits = 16;
        await using var swarm = new ScriptedSwarm(
            Pieces, Options() with { CacheBytes = Fits * SwarmFixture.PieceLength, Memory = 8 * Memory }, metrics: _meter.Metrics);
        await swarm.ConnectSeederAsync();
        await swarm.ReadAsync(0, 4 * Fits);
        await Until.TrueAsync(() => _meter["write"].Length == Fits);
        Assert.Equal(3 * Fits, _meter["passed"].Sum());
        Assert.Empty(_meter["evicted"]);

        // Time for the disk to take in as much again.
        swarm.Time.Advance(WriteAdmission.LeastStay);
        await swarm.ReadAsync(4 * Fits, 4 * Fits);
        await Until.TrueAsync(() => _meter["write"].Length == 2 * Fits);
        Assert.Equal(6 * Fits, _meter["passed"].Sum());
        Assert.InRange(_meter["evicted"].Sum(), 1, Fits);
    }

    [Fact]
    public async Task All_pieces_of_a_slow_reader_are_written()
    {
        const int Fits = 16;

        // Memory enough that no write is too many, however long the real disk takes.
        await using var swarm = new ScriptedSwarm(
            Pieces, Options() with { CacheBytes = Fits * SwarmFixture.PieceLength, Memory = 8 * Memory }, metrics: _meter.Metrics);
        await swarm.ConnectSeederAsync();
        for (var piece = 0; piece < 4 * Fits; piece++)
        {
            await swarm.ReadAsync(piece);
            swarm.Time.Advance(WriteAdmission.LeastStay / Fits);
        }

        await Until.TrueAsync(() => _meter["write"].Length == 4 * Fits);
        Assert.Empty(_meter["passed"]);
    }

    [Fact]
    public async Task A_write_under_way_when_the_cache_is_switched_off_does_not_stay()
    {
        await using var swarm = new ScriptedSwarm(Pieces, Options(), metrics: _meter.Metrics);
        await swarm.ConnectSeederAsync();
        using (new HungDisk(swarm.Torrent.Swarm.Pieces!))
        {
            await swarm.ReadAsync(0, 1);
            await Until.TrueAsync(() => swarm.Engine.ReservedBytes == SwarmFixture.PieceLength);
            swarm.Engine.Apply(Options() with { CacheBytes = 0 });
        }

        await Until.TrueAsync(() => _meter["evicted"].Sum() == 1);
        Assert.Equal(0, swarm.Engine.CachedBytes);
    }

    private TorrentOptions Options() => new() { Memory = Memory, CacheFolder = _folder.FullName };

    /// <summary>Blocks writes to a torrent's file until disposed.</summary>
    private sealed class HungDisk : IDisposable
    {
        private readonly ManualResetEventSlim _free = new();
        private readonly Thread _holder;

        public HungDisk(TorrentPieces pieces)
        {
            using var held = new ManualResetEventSlim();
            _holder = new Thread(() =>
            {
                lock (pieces.FileGate)
                {
                    held.Set();
                    _free.Wait();
                }
            });
            _holder.Start();
            held.Wait();
        }

        public void Dispose()
        {
            _free.Set();
            _holder.Join();
            _free.Dispose();
        }
    }
}
