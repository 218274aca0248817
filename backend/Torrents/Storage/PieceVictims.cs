namespace NzbDav.Torrents.Storage;

/// <summary>
/// Which piece gives way next, in memory and on disk, without looking at those that must stay: each piece is in the list of what may become of it, by last use, and changes lists
/// when that changes. Used under the <see cref="PieceStore"/>'s lock.
/// </summary>
internal sealed class PieceVictims
{
    // In memory: what may go at once; what is on disk too, but in a reader's window; what is being written or is nowhere else.
    private readonly LinkedList<PieceEntry> _memory = [];
    private readonly LinkedList<PieceEntry> _memoryPinned = [];
    private readonly LinkedList<PieceEntry> _memoryKept = [];

    // On disk: what may go at once; edges of files, which go last; what is in a window, being read, or of a torrent that is kept.
    private readonly LinkedList<PieceEntry> _disk = [];
    private readonly LinkedList<PieceEntry> _diskEdges = [];
    private readonly LinkedList<PieceEntry> _diskKept = [];

    /// <summary>The piece in memory that nobody reads and that was used longest ago; null if there is none.</summary>
    public PieceEntry? InMemory => _memory.First?.Value;

    /// <summary>The same among those in readers' windows that can be read from disk.</summary>
    public PieceEntry? InMemoryPinned => _memoryPinned.First?.Value;

    /// <summary>The piece on disk that nobody reads and that was used longest ago; null if there is none.</summary>
    public PieceEntry? OnDisk => (_disk.First ?? _diskEdges.First)?.Value;

    /// <summary>A piece is in memory from here on, or was used there.</summary>
    public void UseInMemory(PieceEntry entry)
    {
        entry.InMemory.List?.Remove(entry.InMemory);
        MemoryList(entry).AddLast(entry.InMemory);
    }

    /// <summary>A piece is no longer in memory.</summary>
    public static void LeaveMemory(PieceEntry entry) => entry.InMemory.List?.Remove(entry.InMemory);

    /// <summary>A piece is on disk from here on, or was used there.</summary>
    public void UseOnDisk(PieceEntry entry)
    {
        entry.OnDisk.List?.Remove(entry.OnDisk);
        DiskList(entry).AddLast(entry.OnDisk);
        Changed(entry);
    }

    /// <summary>A piece is on disk as an earlier run left it: it goes before all that was used in this one.</summary>
    public void FindOnDisk(PieceEntry entry) => DiskList(entry).AddFirst(entry.OnDisk);

    /// <summary>A piece is no longer on disk.</summary>
    public void LeaveDisk(PieceEntry entry)
    {
        entry.OnDisk.List?.Remove(entry.OnDisk);
        Changed(entry);
    }

    /// <summary>Windows, writes or reads of a piece have come or gone.</summary>
    public void Changed(PieceEntry entry)
    {
        if (entry.InMemory.List is { } memory && MemoryList(entry) is var other && other != memory)
        {
            memory.Remove(entry.InMemory);
            other.AddLast(entry.InMemory);
        }

        if (entry.OnDisk.List is { } disk && DiskList(entry) is var place && place != disk)
        {
            disk.Remove(entry.OnDisk);
            place.AddLast(entry.OnDisk);
        }
    }

    private static bool IsPinned(PieceEntry entry) => entry.Owner.Pins[entry.Piece] > 0;

    private LinkedList<PieceEntry> MemoryList(PieceEntry entry)
    {
        if (entry.IsWriting)
            return _memoryKept;
        if (!IsPinned(entry))
            return _memory;
        return entry.IsOnDisk ? _memoryPinned : _memoryKept;
    }

    private LinkedList<PieceEntry> DiskList(PieceEntry entry)
    {
        if (IsPinned(entry) || entry.DiskReads > 0 || entry.IsInKeep)
            return _diskKept;
        return entry.Owner.IsEdge(entry.Piece) ? _diskEdges : _disk;
    }
}
