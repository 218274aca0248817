using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Wire;

/// <summary>
/// The first 68 bytes that each side sends (BEP 3): &lt;19&gt;BitTorrent protocol&lt;8 reserved&gt;&lt;info-hash&gt;&lt;peer id&gt;.
/// </summary>
/// <param name="Hash">The torrent.</param>
/// <param name="PeerId">The 20 bytes of the peer id; only for comparison.</param>
/// <param name="Fast">Supports BEP 6.</param>
/// <param name="Extensions">Supports BEP 10.</param>
/// <param name="Dht">Has a node in the DHT (BEP 5).</param>
internal readonly record struct Handshake(InfoHash Hash, InfoHash PeerId, bool Fast, bool Extensions, bool Dht = false)
{
    /// <summary>Size in bytes.</summary>
    public const int Size = 68;

    private static ReadOnlySpan<byte> Protocol => "\u0013BitTorrent protocol"u8;

    /// <summary>Reads 68 bytes; false if there are fewer, or if they belong to another protocol.</summary>
    public static bool TryRead(ReadOnlySpan<byte> bytes, out Handshake handshake)
    {
        handshake = default;
        if (bytes.Length < Size || !bytes.StartsWith(Protocol))
            return false;

        // BEP 10: bit 20 from the right of the reserved bytes; BEP 6: the third from the right; BEP 5: the last.
        handshake = new Handshake(new InfoHash(bytes.Slice(28, 20)), new InfoHash(bytes.Slice(48, 20)), (bytes[27] & 0x04) != 0,
            (bytes[25] & 0x10) != 0, (bytes[27] & 0x01) != 0);
        return true;
    }

    /// <summary>
    /// True while the bytes so far can be the start of a handshake. So other data is refused at the first byte that differs.
    /// </summary>
    public static bool CanBegin(ReadOnlySpan<byte> bytes)
    {
        var length = Math.Min(bytes.Length, Protocol.Length);
        return bytes[..length].SequenceEqual(Protocol[..length]);
    }

    /// <summary>Writes 68 bytes.</summary>
    public void Write(Span<byte> destination)
    {
        destination[..Size].Clear();
        Protocol.CopyTo(destination);
        destination[25] = Extensions ? (byte)0x10 : (byte)0;
        destination[27] = (byte)((Fast ? 0x04 : 0) | (Dht ? 0x01 : 0));
        Hash.CopyTo(destination[28..]);
        PeerId.CopyTo(destination[48..]);

        // BEP 52's bit 4 remains 0. With it set, a peer in the version 1 swarm of a hybrid torrent would answer as one of version 2 and
        // request hashes that we do not have.
    }
}
