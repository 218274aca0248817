using NzbDav.Content;

namespace NzbDav.Torrents.Pieces;

/// <summary>A verified piece that is held: in memory, on disk or both. Belongs to the <see cref="PieceStore"/> and is used under its lock.</summary>
internal sealed class PieceEntry(TorrentPieces owner, int piece)
{
    public TorrentPieces Owner { get; } = owner;

    public int Piece { get; } = piece;

    /// <summary>The bytes in memory; null if they are on disk only.</summary>
    public PooledBuffer? Buffer { get; set; }

    /// <summary>A write is queued or under way: the buffer stays.</summary>
    public bool IsWriting { get; set; }

    /// <summary>Reads from disk that are under way: it stays there.</summary>
    public int DiskReads { get; set; }

    /// <summary>Its place among the pieces in memory, by last use; null if it is not there.</summary>
    public LinkedListNode<PieceEntry>? InMemory { get; set; }

    /// <summary>Its place among the pieces on disk, by last use; null if it is not there.</summary>
    public LinkedListNode<PieceEntry>? OnDisk { get; set; }

    public bool IsOnDisk => OnDisk is not null;
}
