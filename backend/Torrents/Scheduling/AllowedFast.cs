using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Scheduling;

/// <summary>
/// The allowed-fast set (BEP 6): a few pieces that a newcomer may request while we choke it, so that it has something to offer. Used under
/// the torrent's lock.
/// </summary>
internal static class AllowedFast
{
    /// <summary>Size of the set. A peer with this many pieces is no longer a newcomer. BEP 6 suggests ten.</summary>
    public const int Size = 10;

    /// <summary>Computes the set by the algorithm that all clients share. Empty for IPv6, which BEP 6 does not cover.</summary>
    /// <param name="address">The peer's address.</param>
    /// <param name="hash">The torrent.</param>
    /// <param name="pieces">Number of pieces of the torrent.</param>
    /// <param name="size">Number of pieces in the set.</param>
    public static int[] Of(IPAddress address, InfoHash hash, int pieces, int size)
    {
        if (address.IsIPv4MappedToIPv6)
            address = address.MapToIPv4();
        if (address.AddressFamily != AddressFamily.InterNetwork)
            return [];
        var set = new List<int>(size);
        Span<byte> x = stackalloc byte[4 + InfoHash.Size];
        address.TryWriteBytes(x, out _);

        // BEP 6 masks the address to its /24, so owning several addresses of one network gains nothing.
        x[3] = 0;
        hash.CopyTo(x[4..]);
        Span<byte> digest = stackalloc byte[SHA1.HashSizeInBytes];
        var source = (ReadOnlySpan<byte>)x;
        while (set.Count < Math.Min(size, pieces))
        {
#pragma warning disable CA5350 // The protocol's own hash (BEP 6).
            SHA1.HashData(source, digest);
#pragma warning restore CA5350
            for (var i = 0; i < 5 && set.Count < Math.Min(size, pieces); i++)
            {
                var piece = (int)(BinaryPrimitives.ReadUInt32BigEndian(digest[(4 * i)..]) % (uint)pieces);
                if (!set.Contains(piece))
                    set.Add(piece);
            }

            digest.CopyTo(x);
            source = x[..digest.Length];
        }

        return [.. set];
    }

    /// <summary>Call when a peer has announced its pieces. Sends a newcomer the pieces that it may request while it is choked.</summary>
    public static void Grant(Peer peer, PieceTable table, InfoHash hash)
    {
        if (!peer.Fast || peer.HasFastGrant || peer.Pieces is not { Count: < Size } || table.Have.Count == 0)
            return;
        var pieces = Of(peer.Remote.Address, hash, table.Info.PieceCount, Size).Where(piece => table.Have[piece]).ToArray();

        // Each piece once, plus half as much again for cancelled requests.
        peer.GrantFast(pieces, pieces.Sum(piece => (long)table.Info.SizeOf(piece)) * 3 / 2);
    }
}
