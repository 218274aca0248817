using System.Buffers.Binary;
using System.Security.Cryptography;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents.WebSeeds;

/// <summary>The peer messages that a web seed's transport makes on available behalf.</summary>
internal static class WebSeedMessages
{
    /// <summary>The handshake, the available pieces, and an unchoke. Each connection has a peer id of available own.</summary>
    /// <param name="hash">The torrent.</param>
    /// <param name="pieces">The available pieces as a bitfield in wire order; null = all.</param>
    public static byte[] OpeningMessages(InfoHash hash, byte[]? pieces)
    {
        var id = new byte[InfoHash.Size];
        RandomNumberGenerator.Fill(id);
        var greeting = new byte[Handshake.Size];
        new Handshake(hash, new InfoHash(id), Fast: true, Extensions: false).Write(greeting);
        byte[] available = pieces is null ? Message(MessageId.HaveAll, []) : Message(MessageId.Bitfield, pieces);
        return [.. greeting, .. available, .. Message(MessageId.Unchoke, [])];
    }

    /// <summary>Messages that reject cancelled requests (BEP 6).</summary>
    public static byte[] Reject(IReadOnlyList<WebSeedBlock> blocks)
    {
        // <len=0013><id=16><index><begin><length>
        var bytes = new byte[17 * blocks.Count];
        for (var i = 0; i < blocks.Count; i++)
        {
            var at = bytes.AsSpan(17 * i);
            BinaryPrimitives.WriteInt32BigEndian(at, 13);
            at[4] = (byte)MessageId.RejectRequest;
            BinaryPrimitives.WriteInt32BigEndian(at[5..], blocks[i].Piece);
            BinaryPrimitives.WriteInt32BigEndian(at[9..], blocks[i].Begin);
            BinaryPrimitives.WriteInt32BigEndian(at[13..], blocks[i].Length);
        }

        return bytes;
    }

    private static byte[] Message(MessageId id, ReadOnlySpan<byte> payload)
    {
        var bytes = new byte[5 + payload.Length];
        BinaryPrimitives.WriteInt32BigEndian(bytes, 1 + payload.Length);
        bytes[4] = (byte)id;
        payload.CopyTo(bytes.AsSpan(5));
        return bytes;
    }
}
