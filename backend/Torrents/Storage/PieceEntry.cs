using NzbDav.Content;
using NzbDav.Torrents.Work;

namespace NzbDav.Torrents.Storage;

/// <summary>A verified piece that is held: in memory, on disk or both. Belongs to the <see cref="PieceStore"/>, which reuses it for other
/// pieces, and is used under the store's lock.</summary>
internal sealed class PieceEntry
{
    /// <param name="write">Writes the entry to disk.</param>
    public PieceEntry(Action<PieceEntry> write)
    {
        InMemory = new LinkedListNode<PieceEntry>(this);
        OnDisk = new LinkedListNode<PieceEntry>(this);
        Job = new ActionJob<PieceEntry>(write, this);
    }

    public HeldPieces Owner { get; private set; } = null!;

    public int Piece { get; private set; }

    /// <summary>The job that writes it to disk.</summary>
    public BackgroundJob Job { get; }

    /// <summary>The bytes in memory; null if they are on disk only.</summary>
    public PooledBuffer? Buffer { get; set; }

    /// <summary>Where it is written, or was written last.</summary>
    public WriteLane? Lane { get; set; }

    /// <summary>A write is queued or running: the buffer must stay.</summary>
    public bool IsWriting { get; set; }

    /// <summary>Number of reads from disk in progress. While there are any, the piece stays on disk.</summary>
    public int DiskReads { get; set; }

    /// <summary>Node in a list of pieces in memory, by last use; in no list when the piece is not in memory.</summary>
    public LinkedListNode<PieceEntry> InMemory { get; }

    /// <summary>Node in a list of pieces on disk, by last use; in no list when the piece is not on disk.</summary>
    public LinkedListNode<PieceEntry> OnDisk { get; }

    /// <summary>On disk it is in the kept files, not in the cache: it does not count towards the limit and is never evicted.</summary>
    public bool IsInKeep { get; set; }

    public bool IsOnDisk => OnDisk.List is not null;

    /// <summary>True if nothing but the torrent that is dropping it refers to it.</summary>
    public bool IsUnused => Buffer is null && !IsOnDisk && !IsWriting && DiskReads == 0;

    /// <summary>Reuses the entry for a piece.</summary>
    public void Become(HeldPieces owner, int piece)
    {
        Owner = owner;
        Piece = piece;
        IsInKeep = false;
    }
}
