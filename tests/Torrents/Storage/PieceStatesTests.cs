using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Storage;
using NzbDav.Torrents.Telemetry;

namespace NzbDav.Torrents.Tests.Storage;

/// <summary>The state of each piece, what follows from it, and which piece gives way next.</summary>
public sealed class PieceStatesTests : IDisposable
{
    private const int PieceLength = 1 << 20;

    // 100 pieces: the first and the last are edges.
    private readonly PieceStates _states;
    private readonly TorrentPieces _pieces;
    private readonly PieceStore _store;
    private readonly BufferPool _pool = new(new BufferBudget(64 << 20));

    public PieceStatesTests()
    {
        var info = Metainfo.Read(SwarmFixture.OneFile(100L * PieceLength, PieceLength).TorrentFile()).Value!.Info;
        _store = new PieceStore(new BufferBudget(64 << 20), folder: null, 0, new ManualTimeProvider(), new TorrentMetrics(meters: null));
        _states = new PieceStates(_store.Write);
        _pieces = new TorrentPieces(_store, info, path: null, cache: null, new Deaf());
    }

    public void Dispose()
    {
        _store.Dispose();
    }

    [Fact]
    public void On_disk_the_least_recently_used_piece_is_evicted_and_edges_last()
    {
        var (edge, first, second) = (Find(0), Find(1), Find(2));
        _states.Load(_pieces, 3, isInKeep: false);
        var found = _pieces.Entries[3]!;
        _states.BeginRead(first);
        _states.EndRead(first);
        Assert.Equal([found, second, first, edge], TakeFromDisk());
    }

    [Fact]
    public void On_disk_pieces_in_a_read_window_or_being_read_are_not_evicted()
    {
        var (pinned, read, other) = (Find(1), Find(2), Find(3));
        Pin(1, 1);
        _states.BeginRead(read);
        Assert.Equal([other], TakeFromDisk());

        _states.EndRead(read);
        Pin(1, 0);
        Assert.Equal([read, pinned], TakeFromDisk());
    }

    [Fact]
    public void In_memory_unread_pieces_are_evicted_first_and_unsaved_ones_in_read_windows_stay()
    {
        Pin(2, 1);
        Pin(3, 1);
        var (onDisk, _, writing, free) = (Receive(2), Receive(3), Receive(4), Receive(1));
        _states.BeginWriting(writing);
        Assert.Null(_states.InMemoryPinned);
        _states.BeginWriting(onDisk);
        _states.EndWriting(onDisk, isWritten: true, isInKeep: false);
        Assert.Equal(free, _states.InMemory);
        _states.LeaveMemory(free);
        Assert.Null(_states.InMemory);
        Assert.Equal(onDisk, _states.InMemoryPinned);

        _states.EndWriting(writing, isWritten: false, isInKeep: false);
        Assert.Equal(writing, _states.InMemory);
        _states.LeaveDisk(onDisk, forRoom: true);
        Assert.Null(_states.InMemoryPinned);
    }

    [Fact]
    public void A_piece_that_left_the_disk_and_came_back_during_a_sync_is_not_synced()
    {
        var (lost, other) = (Find(1, isSynced: false), Find(2, isSynced: false, isInKeep: true));
        Assert.Equal((true, true), _states.BeginSync(_pieces));
        _states.LeaveDisk(lost, forRoom: false);
        var late = Find(1, isSynced: false);
        _states.EndSync(_pieces);
        Assert.Equal((StoredState.Disk, StoredState.Synced), (late.State, other.State));
    }

    [Fact]
    public void A_sync_that_fails_costs_what_no_sync_covered()
    {
        var (synced, inMemory) = (Find(1), Receive(2));
        Find(3, isSynced: false);
        _states.BeginWriting(inMemory);
        _states.EndWriting(inMemory, isWritten: true, isInKeep: false);
        _states.BeginSync(_pieces);
        Find(4, isSynced: false);
        _states.DropUnsynced(_pieces);
        Assert.Equal((StoredState.Synced, StoredState.Memory), (synced.State, inMemory.State));
        Assert.Null(_pieces.Entries[3]);
        Assert.Null(_pieces.Entries[4]);
    }

    [Fact]
    public void Counts_and_bytes_follow_the_states()
    {
        var moved = Find(1);
        Find(2, isInKeep: true);
        Receive(3);
        Assert.Equal(new[] { 97, 1, 0, 0, 0, 2 }, _pieces.Counts);
        Assert.Equal(PieceLength, _states.CachedBytes);
        _states.Move(moved, keep: true, isSynced: true);
        Assert.Equal(0, _states.CachedBytes);
        _states.Move(moved, keep: false, isSynced: true);
        _states.Clear(_pieces);
        Assert.Equal(new[] { 100, 0, 0, 0, 0, 0 }, _pieces.Counts);
        Assert.Equal(0, _states.CachedBytes);
        Assert.Null(_states.InMemory);
        Assert.Empty(TakeFromDisk());
    }

    private PieceEntry Find(int piece, bool isSynced = true, bool isInKeep = false) =>
        _states.FoundOnDisk(_pieces, piece, isInKeep, isSynced);

    private PieceEntry Receive(int piece)
    {
        _pool.Budget.Reserve(BufferPool.ClassOf(PieceLength));
        return _states.Receive(_pieces, piece, _pool.Rent(PieceLength));
    }

    private void Pin(int piece, ushort windows)
    {
        _pieces.Pins[piece] = windows;
        _states.Reclassify(_pieces, piece, piece);
    }

    private List<PieceEntry> TakeFromDisk()
    {
        var taken = new List<PieceEntry>();
        while (_states.OnDisk is { } entry)
        {
            taken.Add(entry);
            _states.LeaveDisk(entry, forRoom: true);
        }

        return taken;
    }
}
