using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Storage;
using NzbDav.Torrents.Telemetry;

namespace NzbDav.Torrents.Tests.Storage;

/// <summary>Which piece gives way next.</summary>
public sealed class VictimTests : IDisposable
{
    // 100 pieces of 1 MiB: the first and the last are edges.
    private readonly PieceVictims _victims = new();
    private readonly HeldPieces _pieces;
    private readonly PieceStore _store;

    public VictimTests()
    {
        var info = Metainfo.Read(SwarmFixture.OneFile(100L << 20, 1 << 20).TorrentFile()).Value!.Info;
        _store = new PieceStore(new BufferBudget(64 << 20), folder: null, 0, new ManualTimeProvider(), new TorrentMetrics(meters: null));
        _pieces = new HeldPieces(info, path: null, cache: null, new Deaf());
    }

    public void Dispose()
    {
        _store.Dispose();
    }

    [Fact]
    public void On_disk_the_least_recently_used_piece_is_evicted_and_edges_last()
    {
        var (edge, first, second, found) = (Entry(0), Entry(1), Entry(2), Entry(3));
        foreach (var entry in new[] { edge, first, second })
            _victims.UseOnDisk(entry);
        _victims.FindOnDisk(found);
        _victims.UseOnDisk(first);
        Assert.Equal([found, second, first, edge], TakeFromDisk());
    }

    [Fact]
    public void On_disk_pieces_in_a_read_window_or_being_read_are_not_evicted()
    {
        var (pinned, read, other) = (Entry(1), Entry(2), Entry(3));
        foreach (var entry in new[] { pinned, read, other })
            _victims.UseOnDisk(entry);
        _pieces.Pins[1] = 1;
        _victims.Changed(pinned);
        read.DiskReads = 1;
        _victims.Changed(read);
        Assert.Equal([other], TakeFromDisk());

        read.DiskReads = 0;
        _victims.Changed(read);
        _pieces.Pins[1] = 0;
        _victims.Changed(pinned);
        Assert.Equal([read, pinned], TakeFromDisk());
    }

    [Fact]
    public void In_memory_unread_pieces_are_evicted_first_and_unsaved_ones_in_read_windows_stay()
    {
        var (free, onDisk, alone, writing) = (Entry(1), Entry(2), Entry(3), Entry(4));
        writing.IsWriting = true;
        _pieces.Pins[2] = _pieces.Pins[3] = 1;
        foreach (var entry in new[] { onDisk, alone, writing, free })
            _victims.UseInMemory(entry);
        Assert.Null(_victims.InMemoryPinned);
        _victims.UseOnDisk(onDisk);
        Assert.Equal(free, _victims.InMemory);
        PieceVictims.RemoveFromMemory(free);
        Assert.Null(_victims.InMemory);
        Assert.Equal(onDisk, _victims.InMemoryPinned);

        writing.IsWriting = false;
        _victims.Changed(writing);
        Assert.Equal(writing, _victims.InMemory);
        _victims.RemoveFromDisk(onDisk);
        Assert.Null(_victims.InMemoryPinned);
    }

    private PieceEntry Entry(int piece)
    {
        var entry = new PieceEntry(_store.Write);
        entry.Become(_pieces, piece);
        return entry;
    }

    private List<PieceEntry> TakeFromDisk()
    {
        var taken = new List<PieceEntry>();
        while (_victims.OnDisk is { } entry)
        {
            taken.Add(entry);
            _victims.RemoveFromDisk(entry);
        }

        return taken;
    }
}
