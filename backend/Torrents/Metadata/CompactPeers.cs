using System.Buffers.Binary;
using System.Net;

namespace NzbDav.Torrents.Metadata;

/// <summary>Addresses of peers in six bytes (BEP 23) or eighteen (BEP 7).</summary>
internal static class CompactPeers
{
    /// <summary>Adds the addresses; what is left over at the end is ignored.</summary>
    /// <param name="bytes">As they came.</param>
    /// <param name="addressBytes">4 or 16.</param>
    /// <param name="peers">Added to.</param>
    /// <param name="most">Length of the list at which it stops.</param>
    public static void Read(ReadOnlySpan<byte> bytes, int addressBytes, List<IPEndPoint> peers, int most)
    {
        for (; bytes.Length >= addressBytes + 2 && peers.Count < most; bytes = bytes[(addressBytes + 2)..])
        {
            var port = BinaryPrimitives.ReadUInt16BigEndian(bytes[addressBytes..]);
            if (port != 0)
                peers.Add(new IPEndPoint(new IPAddress(bytes[..addressBytes]), port));
        }
    }

    /// <summary>The same form of the addresses of one kind among these.</summary>
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
