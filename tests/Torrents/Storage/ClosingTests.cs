using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Pieces;
using NzbDav.Torrents.Storage;
using NzbDav.Torrents.Telemetry;

namespace NzbDav.Torrents.Tests.Storage;

/// <summary>A torrent is closed while something else is about to write its claims.</summary>
public sealed class ClosingTests : IDisposable
{
    private const int PieceLength = 64 << 10;
    private const int Count = 8;

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("nzbdav-closing-");
    private readonly ManualTimeProvider _clock = new();
    private readonly BufferPool _pool = new(new BufferBudget(8 << 20));
    private readonly TorrentInfo _info = Metainfo.Read(SwarmFixture.OneFile(Count * PieceLength, PieceLength).TorrentFile()).Value!.Info;
    private readonly PieceStore _store;

    public ClosingTests() =>
        _store = new PieceStore(new BufferBudget(8 << 20), _folder.FullName, 1 << 30, _clock, new TorrentMetrics(meters: null));

    public void Dispose()
    {
        _store.Drain();
        _store.Dispose();
        _folder.Delete(recursive: true);
    }

    [Fact]
    public async Task Pieces_that_a_checkpoint_was_syncing_are_still_claimed()
    {
        var pieces = await FillAsync();
        var closing = new Thread(pieces.Dispose);

        // The checkpoint has synced, and waits for this lock to save the claims.
        lock (pieces.FileGate)
        {
            _clock.Advance(TimeSpan.FromSeconds(11));
            SpinWait.SpinUntil(() => pieces.Count(StoredState.Disk) == 0);
            closing.Start();
            SpinWait.SpinUntil(() => !closing.IsAlive || (closing.ThreadState & ThreadState.WaitSleepJoin) != 0);
        }

        closing.Join();
        Assert.Equal(Count, ReadClaims());
    }

    [Fact]
    public async Task What_was_written_before_a_failed_sync_is_not_claimed_by_the_next()
    {
        using var pieces = await FillAsync();
        var disk = (SparseCache)pieces.Cache!;
        var claims = _store.Resume;

        // The file cannot be opened: a folder is in its place.
        disk.Dispose();
        var aside = disk.DataPath + ".aside";
        File.Move(disk.DataPath, aside);
        Directory.CreateDirectory(disk.DataPath);
        Assert.ThrowsAny<UnauthorizedAccessException>(() => claims.Sync(pieces, cache: true, kept: false, lost: 0));
        Directory.Delete(disk.DataPath);
        File.Move(aside, disk.DataPath);

        // One that began before that failure must not claim either.
        Assert.ThrowsAny<IOException>(() => claims.Sync(pieces, cache: true, kept: false, lost: 0));
        claims.Sync(pieces, cache: true, kept: false, lost: 1);
        _store.Checkpoint();
        Assert.False(claims.Checkpoint(pieces));
        Assert.Null(ReadClaims());
    }

    [Fact]
    public async Task Claims_that_cannot_be_saved_are_saved_by_a_later_checkpoint()
    {
        using var pieces = await FillAsync();
        var inTheWay = Directory.CreateDirectory(Path.Combine(_folder.FullName, _info.Hash + ".resume.new"));
        _store.Checkpoint();
        Assert.Null(ReadClaims());
        inTheWay.Delete();
        _store.Checkpoint();
        Assert.Equal(Count, ReadClaims());
    }

    [Fact]
    public async Task A_recheck_under_way_while_closing_withdraws_no_claim()
    {
        var pieces = await FillAsync();
        using var check = new SlowCheck();
        var checking = Task.Run(() => pieces.RecheckAsync(check, static _ => { }, CancellationToken.None));
        check.Begun.Wait();
        pieces.Dispose();
        check.MayEnd.Set();
        await checking;
        Assert.Equal(Count, ReadClaims());
    }

    [Fact]
    public async Task A_recheck_that_is_stopped_withdraws_the_claims_of_damaged_pieces_that_it_found()
    {
        using var pieces = await FillAsync();
        _clock.Advance(TimeSpan.FromSeconds(11));
        await Until.TrueAsync(() => ReadClaims() == Count);
        using var stopping = new CancellationTokenSource();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => pieces.RecheckAsync(new NoneIsGood(), looked => Stop(looked), stopping.Token));
        Assert.Equal(Count - 2, ReadClaims());

        void Stop(int looked)
        {
            if (looked == 2)
                stopping.Cancel();
        }
    }

    /// <summary>A torrent of which all pieces are on disk and none is claimed yet.</summary>
    private async Task<TorrentPieces> FillAsync()
    {
        var pieces = _store.Open(_info, new Deaf());
        for (var piece = 0; piece < Count; piece++)
        {
            _pool.Budget.Reserve(BufferPool.ClassOf(PieceLength));
            pieces.Add(piece, _pool.Rent(PieceLength), mustKeep: true);
        }

        await _store.WrittenAsync(pieces);
        Assert.Equal(Count, pieces.Count(StoredState.Disk));
        return pieces;
    }

    private int? ReadClaims() => ResumeFile.Read(Path.Combine(_folder.FullName, _info.Hash + ".resume"), _info.Hash)?.Pieces.Count;

    private sealed class NoneIsGood : IPieceCheck
    {
        public bool IsGood(TorrentInfo info, int piece, ReadOnlySpan<byte> bytes) => false;
    }

    private sealed class SlowCheck : IPieceCheck, IDisposable
    {
        public ManualResetEventSlim Begun { get; } = new();

        public ManualResetEventSlim MayEnd { get; } = new();

        public bool IsGood(TorrentInfo info, int piece, ReadOnlySpan<byte> bytes)
        {
            Begun.Set();
            MayEnd.Wait();
            return true;
        }

        public void Dispose()
        {
            Begun.Dispose();
            MayEnd.Dispose();
        }
    }
}
