using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Storage;
using NzbDav.Torrents.Telemetry;

namespace NzbDav.Torrents.Tests.Storage;

/// <summary>
/// Kept torrents on several disks, of which one hangs: as their files' locks are held for as long as a write takes, the test holds these.
/// </summary>
public sealed class HungDiskTests : IDisposable
{
    private const int PieceLength = 64 << 10;
    private const int Count = 8;

    private readonly TemporaryFolder _folder = new();
    private readonly ManualTimeProvider _clock = new();
    private readonly BufferBudget _budget = new(8 << 20);
    private readonly BufferPool _pool;
    private readonly PieceStore _store;
    private readonly ManualResetEventSlim _goesOn = new();
    private readonly List<Thread> _hanging = [];
    private readonly List<TorrentPieces> _pieces = [];

    public HungDiskTests()
    {
        _pool = new BufferPool(_budget);
        _store = new PieceStore(
            _budget, _folder.At("cache"), 1 << 30, _clock, new TorrentMetrics(meters: null), _folder.At("keep"),
            diskOf: static folder => folder.EndsWith("cache", StringComparison.Ordinal) ? "cache" : Path.GetFileName(folder)[..3]);
    }

    public void Dispose()
    {
        _goesOn.Set();
        _hanging.ForEach(static thread => thread.Join());
        _store.Drain();
        _pieces.ForEach(static pieces => pieces.Dispose());
        _store.Dispose();
        _goesOn.Dispose();
        _folder.Dispose();
    }

    [Fact]
    public async Task A_disk_that_hangs_stops_no_torrent_on_another_and_its_own_go_on_when_it_does()
    {
        TorrentPieces[] hung = [Keep("bad 1"), Keep("bad 2"), Keep("bad 3")];
        var good = Keep("fit 1");
        foreach (var one in hung)
        {
            Hang(one);
            Add(one, 0);
        }

        for (var piece = 0; piece < Count; piece++)
            Add(good, piece);
        await Until.TrueAsync(() => good.WriteJobs == 0);
        Assert.Equal(Count, good.Count(StoredState.Disk));

        // Its checkpoints go on too: a crash would cost no more than usual.
        _clock.Advance(TimeSpan.FromSeconds(11));
        await Until.TrueAsync(() => good.Count(StoredState.Disk) == 0);
        Assert.All(hung, static one => Assert.Equal(1, one.WriteJobs));
        _goesOn.Set();
        await Until.TrueAsync(() => hung.All(static one => one.WriteJobs == 0));
        Assert.All(hung, static one => Assert.True(one.Entries[0] is { IsOnDisk: true, IsInKeep: true }));
    }

    [Fact]
    public void What_waits_for_a_disk_that_hangs_leaves_memory_to_others()
    {
        var (hung, good) = (Keep("bad 1", pieces: 128), Keep("fit 1"));
        Hang(hung);
        var waiting = 0;
        while (!hung.IsDiskBehind)
            Add(hung, waiting++);
        Assert.InRange(waiting * PieceLength, _budget.Limit / 2, _budget.Limit * 7 / 8);
        Assert.False(good.IsDiskBehind);
    }

    private TorrentPieces Keep(string name, int pieces = Count)
    {
        var content = new MockSwarm.Contents.MockTorrent(name, SwarmFixture.OneFile(pieces * PieceLength, PieceLength).Content);
        var kept = _store.Open(Metainfo.Read(content.TorrentFile()).Value!.Info, new Deaf());
        Assert.Null(kept.Keep(true));
        _pieces.Add(kept);
        return kept;
    }

    private void Hang(TorrentPieces pieces)
    {
        using var holds = new ManualResetEventSlim();
        var thread = new Thread(() =>
        {
            lock (pieces.FileGate)
            {
                holds.Set();
                _goesOn.Wait();
            }
        });
        _hanging.Add(thread);
        thread.Start();
        holds.Wait();
    }

    private void Add(TorrentPieces pieces, int piece)
    {
        _budget.Reserve(BufferPool.ClassOf(PieceLength));
        pieces.Add(piece, _pool.Rent(PieceLength), mustKeep: true);
    }
}
