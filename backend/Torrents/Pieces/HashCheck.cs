using System.Security.Cryptography;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Pieces;

/// <summary>Checks a complete piece against its hash. Called by several background workers at the same time.</summary>
internal interface IPieceCheck
{
    /// <summary>True if <paramref name="bytes"/> have the piece's hash.</summary>
    bool IsGood(TorrentInfo info, int piece, ReadOnlySpan<byte> bytes);
}

/// <summary>Compares the SHA-1 of a piece with the one in the info dictionary (BEP 3).</summary>
internal sealed class HashCheck : IPieceCheck
{
    /// <inheritdoc/>
    public bool IsGood(TorrentInfo info, int piece, ReadOnlySpan<byte> bytes)
    {
        Span<byte> hash = stackalloc byte[InfoHash.Size];
#pragma warning disable CA5350 // The protocol's own hash.
        SHA1.HashData(bytes, hash);
#pragma warning restore CA5350
        return hash.SequenceEqual(info.HashOf(piece));
    }
}
