using NzbDav.Content;
using NzbDav.Torrents.Work;

namespace NzbDav.Torrents.Storage;

/// <summary>Where a piece of an open torrent is. From <see cref="Disk"/> on it may be in memory as well.</summary>
internal enum StoredState : byte
{
    /// <summary>Not held.</summary>
    Missing,

    /// <summary>In memory only.</summary>
    Memory,

    /// <summary>In memory, and its write is queued or running.</summary>
    Writing,

    /// <summary>On disk, but not synced.</summary>
    Disk,

    /// <summary>On disk. A sync that began after it was written is running.</summary>
    Syncing,

    /// <summary>On disk and synced: included when resume data is saved next.</summary>
    Synced,
}

/// <summary>
/// A verified piece that is held. Owned by the <see cref="PieceStates"/>, which reuses it for other pieces. Used under the store's lock.
/// </summary>
internal sealed class PieceEntry
{
    /// <param name="write">Writes the entry to disk.</param>
    public PieceEntry(Action<PieceEntry> write)
    {
        InMemory = new LinkedListNode<PieceEntry>(this);
        OnDisk = new LinkedListNode<PieceEntry>(this);
        Job = new ActionJob<PieceEntry>(write, this);
    }

    public TorrentPieces Owner { get; private set; } = null!;

    public int Piece { get; private set; }

    /// <summary>The job that writes it to disk.</summary>
    public BackgroundJob Job { get; }

    /// <summary>
    /// Where the piece is. Only <see cref="PieceStates"/> changes it and the other properties with a setter, except for the lane.
    /// </summary>
    public StoredState State { get; set; }

    public bool IsOnDisk => State >= StoredState.Disk;

    /// <summary>The bytes in memory; null if the piece is on disk only. They stay while it is being written.</summary>
    public PooledBuffer? Buffer { get; set; }

    /// <summary>
    /// True if, on disk, the piece is in the kept files instead of the cache: it does not count towards the limit and is never evicted.
    /// </summary>
    public bool IsInKeep { get; set; }

    /// <summary>Number of reads from disk in progress. The piece is not evicted from disk while there are any.</summary>
    public int DiskReads { get; set; }

    /// <summary>The lane that writes it, or wrote it last.</summary>
    public WriteLane? Lane { get; set; }

    /// <summary>Node in a list of pieces in memory, by last use; in no list when the piece is not in memory.</summary>
    public LinkedListNode<PieceEntry> InMemory { get; }

    /// <summary>Node in a list of pieces on disk, by last use; in no list when the piece is not on disk.</summary>
    public LinkedListNode<PieceEntry> OnDisk { get; }

    /// <summary>Reuses the entry for a piece.</summary>
    public void Become(TorrentPieces owner, int piece, bool isInKeep) => (Owner, Piece, IsInKeep) = (owner, piece, isInKeep);
}
