using NzbDav.Content;
using NzbDav.Torrents.Work;

namespace NzbDav.Torrents.Storage;

/// <summary>A verified piece that is held: in memory, on disk or both. Belongs to the <see cref="PieceStore"/>, which uses it again for another piece, and is used under its lock.</summary>
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

    /// <summary>Writes it to disk.</summary>
    public BackgroundJob Job { get; }

    /// <summary>The bytes in memory; null if they are on disk only.</summary>
    public PooledBuffer? Buffer { get; set; }

    /// <summary>A write is queued or under way: the buffer stays.</summary>
    public bool IsWriting { get; set; }

    /// <summary>Reads from disk that are under way: it stays there.</summary>
    public int DiskReads { get; set; }

    /// <summary>Its place among the pieces in memory, by last use; in no list if it is not there.</summary>
    public LinkedListNode<PieceEntry> InMemory { get; }

    /// <summary>Its place among the pieces on disk, by last use; in no list if it is not there.</summary>
    public LinkedListNode<PieceEntry> OnDisk { get; }

    /// <summary>On disk it lies where its torrent is kept, not in the cache: it counts in no bound and never makes room.</summary>
    public bool IsInKeep { get; set; }

    public bool IsOnDisk => OnDisk.List is not null;

    /// <summary>Nobody refers to it but the torrent that is about to let it go.</summary>
    public bool IsUnused => Buffer is null && !IsOnDisk && !IsWriting && DiskReads == 0;

    /// <summary>From here on it is this piece.</summary>
    public void Become(HeldPieces owner, int piece)
    {
        Owner = owner;
        Piece = piece;
        IsInKeep = false;
    }
}
