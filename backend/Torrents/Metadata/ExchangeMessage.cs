using System.Buffers;
using System.Buffers.Binary;
using System.Net;

namespace NzbDav.Torrents.Metadata;

/// <summary>A message of peer exchange (BEP 11, ut_pex): the peers connected and disconnected since the last message.</summary>
internal static class ExchangeMessage
{
    /// <summary>
    /// Reads the added peers. False if the message is not a bencoded dictionary. Ignores <c>dropped</c>: we may still reach a peer that the
    /// sender has lost.
    /// </summary>
    /// <param name="payload">The bytes after the extended id.</param>
    /// <param name="added">Receives the peers.</param>
    /// <param name="most">Reading stops once the list has this many peers.</param>
    public static bool TryRead(ReadOnlySpan<byte> payload, List<ExchangedPeer> added, int most)
    {
        ReadOnlySpan<byte> peers = default, flags = default, peers6 = default, flags6 = default;
        var reader = new BencodeReader(payload);
        if (!reader.ReadValue(BencodeToken.Dictionary))
            return false;
        while (reader.ReadKey())
        {
            var key = reader.Text;
            if (!reader.ReadValue(BencodeToken.Text))
                continue;
            if (key.SequenceEqual("added"u8))
                peers = reader.Text;
            else if (key.SequenceEqual("added.f"u8))
                flags = reader.Text;
            else if (key.SequenceEqual("added6"u8))
                peers6 = reader.Text;
            else if (key.SequenceEqual("added6.f"u8))
                flags6 = reader.Text;
        }

        if (reader.Error is not null)
            return false;
        Read(peers, flags, 4, added, most);
        Read(peers6, flags6, 16, added, most);
        return true;
    }

    public static void Write(IBufferWriter<byte> output, IReadOnlyList<ExchangedPeer> added, IReadOnlyList<IPEndPoint> dropped)
    {
        var writer = new BencodeWriter(output);
        writer.BeginDictionary();
        Write(writer, "added"u8, "added.f"u8, added, 4);
        Write(writer, "added6"u8, "added6.f"u8, added, 16);
        writer.Text("dropped"u8);
        writer.Text(CompactPeers.Write(dropped, 4));
        writer.Text("dropped6"u8);
        writer.Text(CompactPeers.Write(dropped, 16));
        writer.End();
    }

    private static void Write(
        in BencodeWriter writer, ReadOnlySpan<byte> key, ReadOnlySpan<byte> flagsKey, IReadOnlyList<ExchangedPeer> added, int addressBytes)
    {
        var ofKind = added.Where(peer => peer.Endpoint.Address.GetAddressBytes().Length == addressBytes).ToArray();
        writer.Text(key);
        writer.Text(CompactPeers.Write(ofKind.Select(static peer => peer.Endpoint), addressBytes));
        writer.Text(flagsKey);
        writer.Text([.. ofKind.Select(static peer => (byte)peer.Flags)]);
    }

    private static void Read(ReadOnlySpan<byte> peers, ReadOnlySpan<byte> flags, int addressBytes, List<ExchangedPeer> added, int most)
    {
        for (var i = 0; peers.Length >= addressBytes + 2 && added.Count < most; i++, peers = peers[(addressBytes + 2)..])
        {
            var port = BinaryPrimitives.ReadUInt16BigEndian(peers[addressBytes..]);
            if (port != 0)
                added.Add(new ExchangedPeer(new IPEndPoint(new IPAddress(peers[..addressBytes]), port),
                    i < flags.Length ? (ExchangeFlags)flags[i] : ExchangeFlags.None));
        }
    }
}

/// <summary>A peer reported by another peer (BEP 11).</summary>
/// <param name="Endpoint">Where the peer listens.</param>
/// <param name="Flags">The other peer's statements about it.</param>
internal readonly record struct ExchangedPeer(IPEndPoint Endpoint, ExchangeFlags Flags);

/// <summary>Flags of a peer in a peer-exchange message (BEP 11, <c>added.f</c>).</summary>
[Flags]
internal enum ExchangeFlags : byte
{
    /// <summary>No statement.</summary>
    None = 0,

    /// <summary>It prefers encrypted connections.</summary>
    Encryption = 1,

    /// <summary>It downloads nothing: it is a seed, or upload only.</summary>
    Seed = 2,

    /// <summary>It speaks uTP.</summary>
    Utp = 4,

    /// <summary>It speaks ut_holepunch.</summary>
    HolePunch = 8,

    /// <summary>An outgoing connection to it succeeded: it can be reached.</summary>
    Reachable = 16,
}
