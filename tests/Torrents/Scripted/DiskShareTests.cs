using NzbDav.Fakes;
using NzbDav.Torrents.Settings;
using NzbDav.Torrents.Storage;

namespace NzbDav.Torrents.Tests.Scripted;

/// <summary>What is written to a disk that is slower or smaller than what is read.</summary>
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
    public async Task A_reader_goes_on_within_the_memory_budget_while_a_write_hangs()
    {
        await using var swarm = new ScriptedSwarm(Pieces, Options());
        await swarm.ConnectSeederAsync();
        using var disk = new HungDisk(swarm.Torrent.Swarm.Pieces!);
        await swarm.ReadAsync(0, Pieces).WaitAsync(TimeSpan.FromMinutes(1));
        Assert.Equal(0, swarm.Engine.CachedBytes);
        Assert.InRange(swarm.Pool.Budget.Reserved, 1, Memory);
    }

    [Fact]
    public async Task What_came_while_the_disk_kept_up_is_on_it()
    {
        const int Few = 16;
        await using var swarm = new ScriptedSwarm(Pieces, Options());
        await swarm.ConnectSeederAsync();
        using (new HungDisk(swarm.Torrent.Swarm.Pieces!))
            await swarm.ReadAsync(0, Few).WaitAsync(TimeSpan.FromMinutes(1));
        await Until.TrueAsync(() => swarm.Engine.CachedBytes == Few * SwarmFixture.PieceLength);
    }

    [Fact]
    public async Task What_would_leave_the_disk_at_once_is_not_written()
    {
        const int Fits = 16;
        await using var swarm = new ScriptedSwarm(Pieces, Options() with { CacheBytes = Fits * SwarmFixture.PieceLength, Memory = 8 * Memory }, metrics: _meter.Metrics);
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
    public async Task A_reader_that_leaves_the_disk_time_has_all_of_it_written()
    {
        const int Fits = 16;

        // Memory enough that no write is too many, however long the real disk takes.
        await using var swarm = new ScriptedSwarm(Pieces, Options() with { CacheBytes = Fits * SwarmFixture.PieceLength, Memory = 8 * Memory }, metrics: _meter.Metrics);
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
    public async Task What_was_being_written_when_the_cache_was_switched_off_does_not_stay()
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

    /// <summary>Whoever writes to a torrent's file waits until this is disposed.</summary>
    private sealed class HungDisk : IDisposable
    {
        private readonly ManualResetEventSlim _free = new();
        private readonly Thread _holder;

        public HungDisk(TorrentPieces pieces)
        {
            using var held = new ManualResetEventSlim();
            _holder = new Thread(() =>
            {
                lock (pieces.Held.FileGate)
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
