using System.Diagnostics;
using NzbDav.Content;

namespace NzbDav.Torrents.Storage;

/// <summary>
/// The state of each piece of all open torrents. Every change of a <see cref="PieceEntry.State"/> is made here, together with what follows
/// from it: the number of a torrent's pieces in each state, the bytes in the cache, and the next piece to evict, in memory and on disk. To
/// find that one without scanning pieces that must stay, each piece is in a list by category, ordered by last use. Used under the
/// <see cref="PieceStore"/>'s lock.
/// </summary>
/// <param name="write">Writes a piece to disk.</param>
internal sealed class PieceStates(Action<PieceEntry> write)
{
    /// <summary>Most entries kept for reuse: many pieces may leave the disk at once.</summary>
    private const int MostUnused = 256;

    private readonly Stack<PieceEntry> _unused = [];
    private long _cachedBytes;

    // Lists of pieces in memory: those that can be freed at once; those in a reader's window that are also on disk; those being written, or
    // in a window and nowhere else.
    private readonly LinkedList<PieceEntry> _memory = [];
    private readonly LinkedList<PieceEntry> _memoryPinned = [];
    private readonly LinkedList<PieceEntry> _memoryKept = [];

    // Lists of pieces on disk: those that can be evicted at once; edges of files and then watched files, which are evicted last; those in a
    // window, being read, or in kept files.
    private readonly LinkedList<PieceEntry> _disk = [];
    private readonly LinkedList<PieceEntry> _diskEdges = [];
    private readonly LinkedList<PieceEntry> _diskWatched = [];
    private readonly LinkedList<PieceEntry> _diskKept = [];

    /// <summary>Bytes of pieces on disk, not counting kept files. Thread-safe.</summary>
    public long CachedBytes => Interlocked.Read(ref _cachedBytes);

    /// <summary>The least recently used piece in memory that is in no window and not being written; null if there is none.</summary>
    public PieceEntry? InMemory => _memory.First?.Value;

    /// <summary>Like <see cref="InMemory"/>, for pieces in readers' windows that can also be read from disk.</summary>
    public PieceEntry? InMemoryPinned => _memoryPinned.First?.Value;

    /// <summary>
    /// The least recently used piece on disk that may be evicted; null if there is none. Edges of files, and then watched files, come last.
    /// </summary>
    public PieceEntry? OnDisk => (_disk.First ?? _diskEdges.First ?? _diskWatched.First)?.Value;

    /// <summary>Like <see cref="OnDisk"/>, without the pieces that are evicted last.</summary>
    public PieceEntry? OnDiskFirst => _disk.First?.Value;

    private static bool IsAllowed(StoredState from, StoredState to) => (from, to) switch
    {
        // Received; found by a check; recorded by an earlier run, or its files are back.
        (StoredState.Missing, StoredState.Memory or StoredState.Disk or StoredState.Synced) => true,

        // Its memory was needed, or the torrent was closed; its write was queued.
        (StoredState.Memory, StoredState.Missing or StoredState.Writing) => true,

        // It could not be written, or a sync failed meanwhile; it was written; the torrent was closed.
        (StoredState.Writing, StoredState.Memory or StoredState.Disk or StoredState.Missing) => true,

        // A checkpoint began; it was copied to the other place and synced there.
        (StoredState.Disk, StoredState.Syncing or StoredState.Synced) => true,
        (StoredState.Syncing, StoredState.Synced) => true,

        // Evicted, damaged, in a missing file, not covered by a sync that failed, or closed.
        (StoredState.Disk or StoredState.Syncing or StoredState.Synced, StoredState.Memory or StoredState.Missing) => true,
        _ => false,
    };

    /// <summary>Missing → Memory: a verified piece. Takes over one reference to its buffer.</summary>
    public PieceEntry Receive(TorrentPieces pieces, int piece, PooledBuffer buffer)
    {
        var entry = NewEntry(pieces, piece, isInKeep: false);
        entry.Buffer = buffer;
        Change(entry, StoredState.Memory);
        return entry;
    }

    /// <summary>Missing → Disk or Synced: a good piece is on disk.</summary>
    /// <param name="pieces">The torrent's pieces.</param>
    /// <param name="piece">Index of the piece.</param>
    /// <param name="isInKeep">See <see cref="PieceEntry.IsInKeep"/>.</param>
    /// <param name="isSynced">True: a sync has covered it.</param>
    public PieceEntry FoundOnDisk(TorrentPieces pieces, int piece, bool isInKeep, bool isSynced)
    {
        var entry = NewEntry(pieces, piece, isInKeep);
        Change(entry, isSynced ? StoredState.Synced : StoredState.Disk);
        return entry;
    }

    /// <summary>Missing → Synced: an earlier run recorded it. It is evicted before all pieces used in this run.</summary>
    public void Load(TorrentPieces pieces, int piece, bool isInKeep)
    {
        var node = FoundOnDisk(pieces, piece, isInKeep, isSynced: true).OnDisk;
        var list = node.List!;
        list.Remove(node);
        list.AddFirst(node);
    }

    /// <summary>Memory → Writing.</summary>
    public void BeginWriting(PieceEntry entry) => Change(entry, StoredState.Writing);

    /// <summary>Writing → Disk, or Memory if it was not written.</summary>
    public void EndWriting(PieceEntry entry, bool isWritten, bool isInKeep)
    {
        entry.IsInKeep = isWritten && isInKeep;
        Change(entry, isWritten ? StoredState.Disk : StoredState.Memory);
    }

    /// <summary>Disk → Syncing, for all such pieces of a torrent. One checkpoint of a torrent at a time.</summary>
    /// <returns>Whether any is in the cache, and in the kept files.</returns>
    public (bool InCache, bool InKeep) BeginSync(TorrentPieces pieces)
    {
        var (inCache, inKeep) = (false, false);
        foreach (var entry in pieces.Entries)
        {
            if (entry is not { State: StoredState.Disk })
                continue;
            Change(entry, StoredState.Syncing);
            inCache |= !entry.IsInKeep;
            inKeep |= entry.IsInKeep;
        }

        return (inCache, inKeep);
    }

    /// <summary>
    /// Syncing → Synced, for all such pieces of a torrent; not for one that has left the disk and was written again meanwhile.
    /// </summary>
    public void EndSync(TorrentPieces pieces)
    {
        foreach (var entry in pieces.Entries)
        {
            if (entry is { State: StoredState.Syncing })
                Change(entry, StoredState.Synced);
        }
    }

    /// <summary>Call when a sync has failed: all pieces of a torrent that no earlier sync covered leave the disk.</summary>
    public void DropUnsynced(TorrentPieces pieces)
    {
        foreach (var entry in pieces.Entries)
        {
            if (entry is { State: StoredState.Disk or StoredState.Syncing })
                LeaveDisk(entry, forRoom: false);
        }
    }

    /// <summary>Call when a piece on disk is now at the other place: in the kept files instead of the cache, or the reverse.</summary>
    /// <param name="entry">The piece.</param>
    /// <param name="keep">True: in the kept files.</param>
    /// <param name="isSynced">True: it was synced there, and becomes Synced.</param>
    public void Move(PieceEntry entry, bool keep, bool isSynced)
    {
        if (entry.IsInKeep != keep)
        {
            entry.IsInKeep = keep;
            _cachedBytes += (keep ? -1 : 1) * (long)entry.Owner.Info.SizeOf(entry.Piece);
            Reclassify(entry);
        }

        if (isSynced && entry.State != StoredState.Synced)
            Change(entry, StoredState.Synced);
    }

    /// <summary>Call when a piece is no longer on disk: → Memory, or Missing if it is not in memory either.</summary>
    /// <param name="entry">The piece.</param>
    /// <param name="forRoom">See <see cref="IPieceEvents.PieceDropped"/>.</param>
    public void LeaveDisk(PieceEntry entry, bool forRoom)
    {
        if (entry.Buffer is null)
            Drop(entry, forRoom);
        else
            Change(entry, StoredState.Memory);
    }

    /// <summary>Frees the memory of a piece. If it is not on disk: Memory → Missing.</summary>
    public void LeaveMemory(PieceEntry entry)
    {
        var buffer = entry.Buffer!;
        entry.Buffer = null;
        buffer.Release();
        if (entry.IsOnDisk)
            Reclassify(entry);
        else
            Drop(entry, forRoom: true);
    }

    /// <summary>→ Missing, for all pieces of a torrent that is being closed. The torrent is not notified.</summary>
    public void Clear(TorrentPieces pieces)
    {
        foreach (var entry in pieces.Entries)
        {
            if (entry is null)
                continue;
            var buffer = entry.Buffer;
            entry.Buffer = null;
            Change(entry, StoredState.Missing);
            buffer?.Release();
        }

        Array.Clear(pieces.Entries);
    }

    /// <summary>Call when a piece was used in memory.</summary>
    public static void Use(PieceEntry entry)
    {
        var list = entry.InMemory.List!;
        list.Remove(entry.InMemory);
        list.AddLast(entry.InMemory);
    }

    /// <summary>Call when a read from disk begins, which counts as use.</summary>
    public void BeginRead(PieceEntry entry)
    {
        entry.DiskReads++;
        Reclassify(entry);
    }

    /// <summary>Call when a read from disk has ended.</summary>
    public void EndRead(PieceEntry entry)
    {
        entry.DiskReads--;
        Reclassify(entry);
    }

    /// <summary>Call when readers' windows, or the watched files, have changed for these pieces.</summary>
    public void Reclassify(TorrentPieces pieces, int first, int last)
    {
        for (var piece = first; piece <= last; piece++)
        {
            if (pieces.Entries[piece] is { } entry)
                Reclassify(entry);
        }
    }

    private void Change(PieceEntry entry, StoredState to)
    {
        Debug.Assert(IsAllowed(entry.State, to), $"A piece does not go from {entry.State} to {to}.");
        var wasOnDisk = entry.IsOnDisk;
        entry.Owner.Counts[(int)entry.State]--;
        entry.Owner.Counts[(int)to]++;
        entry.State = to;
        if (entry.IsOnDisk != wasOnDisk && !entry.IsInKeep)
            _cachedBytes += (wasOnDisk ? -1 : 1) * (long)entry.Owner.Info.SizeOf(entry.Piece);
        Reclassify(entry);
    }

    private void Drop(PieceEntry entry, bool forRoom)
    {
        Change(entry, StoredState.Missing);
        entry.Owner.Entries[entry.Piece] = null;
        entry.Owner.Events.PieceDropped(entry.Piece, forRoom);

        // An entry that is being read is still referenced, so it is not reused.
        if (entry.DiskReads == 0 && _unused.Count < MostUnused)
            _unused.Push(entry);
    }

    private PieceEntry NewEntry(TorrentPieces pieces, int piece, bool isInKeep)
    {
        Debug.Assert(pieces.Entries[piece] is null, "The piece is missing.");
        if (!_unused.TryPop(out var entry))
            entry = new PieceEntry(write);
        entry.Become(pieces, piece, isInKeep);
        pieces.Entries[piece] = entry;
        return entry;
    }

    /// <summary>Moves a piece to the end of the lists that its state requires, unless it is already in them.</summary>
    private void Reclassify(PieceEntry entry)
    {
        Put(entry.InMemory, entry.Buffer is null ? null : MemoryList(entry));
        Put(entry.OnDisk, entry.IsOnDisk ? DiskList(entry) : null);

        static void Put(LinkedListNode<PieceEntry> node, LinkedList<PieceEntry>? list)
        {
            if (node.List == list)
                return;
            node.List?.Remove(node);
            list?.AddLast(node);
        }
    }

    private static bool IsPinned(PieceEntry entry) => entry.Owner.Pins[entry.Piece] > 0;

    private LinkedList<PieceEntry> MemoryList(PieceEntry entry)
    {
        if (entry.State == StoredState.Writing)
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
