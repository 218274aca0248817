namespace NzbDav.Torrents.Storage;

/// <summary>
/// Finds the next piece to evict, in memory and on disk, without scanning pieces that must stay: each piece is in a list by category,
/// ordered by last use, and changes lists when its category changes. Used under the <see cref="PieceStore"/>'s lock.
/// </summary>
internal sealed class PieceVictims
{
    // In memory: pieces that can be freed at once; pieces in a reader's window that are also on disk; pieces being written, or in a window
    // and nowhere else.
    private readonly LinkedList<PieceEntry> _memory = [];
    private readonly LinkedList<PieceEntry> _memoryPinned = [];
    private readonly LinkedList<PieceEntry> _memoryKept = [];

    // On disk: pieces that can be evicted at once; edges of files and then watched files, which are evicted last; pieces in a window, being
    // read, or in kept files.
    private readonly LinkedList<PieceEntry> _disk = [];
    private readonly LinkedList<PieceEntry> _diskEdges = [];
    private readonly LinkedList<PieceEntry> _diskWatched = [];
    private readonly LinkedList<PieceEntry> _diskKept = [];

    /// <summary>The least recently used piece in memory that is in no window and not being written; null if there is none.</summary>
    public PieceEntry? InMemory => _memory.First?.Value;

    /// <summary>The same for pieces in readers' windows that can be read from disk.</summary>
    public PieceEntry? InMemoryPinned => _memoryPinned.First?.Value;

    /// <summary>
    /// The least recently used piece on disk that may be evicted; null if there is none. Edges of files, and then watched files, come last.
    /// </summary>
    public PieceEntry? OnDisk => (_disk.First ?? _diskEdges.First ?? _diskWatched.First)?.Value;

    /// <summary>The same without the pieces that are evicted last.</summary>
    public PieceEntry? OnDiskFirst => _disk.First?.Value;

    /// <summary>A piece is now in memory, or was used there.</summary>
    public void UseInMemory(PieceEntry entry)
    {
        entry.InMemory.List?.Remove(entry.InMemory);
        MemoryList(entry).AddLast(entry.InMemory);
    }

    /// <summary>A piece is no longer in memory.</summary>
    public static void RemoveFromMemory(PieceEntry entry) => entry.InMemory.List?.Remove(entry.InMemory);

    /// <summary>A piece is now on disk, or was used there.</summary>
    public void UseOnDisk(PieceEntry entry)
    {
        entry.OnDisk.List?.Remove(entry.OnDisk);
        DiskList(entry).AddLast(entry.OnDisk);
        Changed(entry);
    }

    /// <summary>A piece was found on disk from an earlier run: it is evicted before all pieces used in this run.</summary>
    public void FindOnDisk(PieceEntry entry) => DiskList(entry).AddFirst(entry.OnDisk);

    /// <summary>A piece is no longer on disk.</summary>
    public void RemoveFromDisk(PieceEntry entry)
    {
        entry.OnDisk.List?.Remove(entry.OnDisk);
        Changed(entry);
    }

    /// <summary>Call when the windows, writes or reads of a piece have changed.</summary>
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
        if (entry.Owner.IsWatched(entry.Piece))
            return _diskWatched;
        return entry.Owner.IsEdge(entry.Piece) ? _diskEdges : _disk;
    }
}
