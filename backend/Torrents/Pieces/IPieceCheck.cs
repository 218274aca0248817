using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Pieces;

/// <summary>Checks a complete piece against its hash. Called by the background workers, for several pieces at once.</summary>
internal interface IPieceCheck
{
    /// <summary>True if <paramref name="bytes"/> have the piece's hash.</summary>
    bool IsGood(TorrentInfo info, int piece, ReadOnlySpan<byte> bytes);
}
