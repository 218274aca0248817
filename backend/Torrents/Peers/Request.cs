using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Peers;

/// <summary>A block that a peer was asked for.</summary>
/// <param name="Slot">The piece; null = taken out of the ring. Perhaps closed meanwhile.</param>
/// <param name="Block">Index in the piece.</param>
/// <param name="Asked">Ticks when it was asked.</param>
/// <param name="Cancelled">A cancel was sent; the peer answers with the block or a reject (BEP 6).</param>
internal record struct Request(PieceSlot? Slot, int Block, long Asked, bool Cancelled)
{
    public readonly bool IsLive => Slot is not null;
}
