using System.Buffers.Binary;
using System.Net;

namespace NzbDav.Torrents.Metadata;

/// <summary>Compact peer addresses: six bytes for IPv4 (BEP 23), eighteen for IPv6 (BEP 7).</summary>
internal static class CompactPeers
{
    /// <summary>Reads the addresses. Ignores those with port 0, and an incomplete one at the end.</summary>
    /// <param name="bytes">The compact form, as received.</param>
    /// <param name="addressBytes">4 or 16.</param>
    /// <param name="peers">Receives the addresses.</param>
    /// <param name="most">Reading stops once the list has this many addresses.</param>
    public static void Read(ReadOnlySpan<byte> bytes, int addressBytes, List<IPEndPoint> peers, int most)
    {
        for (; bytes.Length >= addressBytes + 2 && peers.Count < most; bytes = bytes[(addressBytes + 2)..])
        {
            var port = BinaryPrimitives.ReadUInt16BigEndian(bytes[addressBytes..]);
            if (port != 0)
                peers.Add(new IPEndPoint(new IPAddress(bytes[..addressBytes]), port));
        }
    }

    /// <summary>Writes the addresses of <paramref name="addressBytes"/> (4 or 16) bytes in compact form, and skips the others.</summary>
    public static byte[] Write(IEnumerable<IPEndPoint> peers, int addressBytes)
    {
        using var output = new MemoryStream();
        Span<byte> port = stackalloc byte[2];
        foreach (var peer in peers)
        {
            var address = peer.Address.GetAddressBytes();
            if (address.Length != addressBytes)
                continue;
            output.Write(address);
            BinaryPrimitives.WriteUInt16BigEndian(port, (ushort)peer.Port);
            output.Write(port);
        }

        return output.ToArray();
    }
}
