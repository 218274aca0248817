using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Peers;

/// <summary>A block requested from a peer.</summary>
/// <param name="Slot">The piece, which may have been closed since; null = removed from the ring.</param>
/// <param name="Block">Index in the piece.</param>
/// <param name="Asked">When it was requested, in ticks.</param>
/// <param name="Cancelled">True if a cancel was sent; the peer answers with the block or a reject (BEP 6).</param>
internal record struct Request(PieceSlot? Slot, int Block, long Asked, bool Cancelled)
{
    public readonly bool IsLive => Slot is not null;
}
