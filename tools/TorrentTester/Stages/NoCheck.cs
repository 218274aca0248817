using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Pieces;

namespace NzbDav.TorrentTester.Stages;

/// <summary>Accepts every piece, to measure what checking costs. Exists only here: the engine itself always checks the hash.</summary>
internal sealed class NoCheck : IPieceCheck
{
    public bool IsGood(TorrentInfo info, int piece, ReadOnlySpan<byte> bytes) => true;
}
