using NzbDav.Torrents.Datagrams;

namespace NzbDav.Torrents.Discovery.Dht;

/// <summary>Id and address of a node.</summary>
internal readonly record struct DhtContact(NodeId Id, DatagramAddress Address)
{
    /// <summary>Reads contacts of 26 bytes (BEP 5) or 38 bytes (BEP 32) each; skips unusable addresses.</summary>
    /// <param name="bytes">The contacts, as received.</param>
    /// <param name="addressBytes">4 or 16.</param>
    /// <param name="most">Most contacts to read.</param>
    public static List<DhtContact> Read(ReadOnlySpan<byte> bytes, int addressBytes, int most)
    {
        var length = NodeId.Size + addressBytes + 2;
        var contacts = new List<DhtContact>();
        for (; bytes.Length >= length && contacts.Count < most; bytes = bytes[length..])
        {
            var contact = new DhtContact(NodeId.Read(bytes), DatagramAddress.Read(bytes[NodeId.Size..length]));
            if (contact.Address.IsUsable && contact.Address.AddressBytes == addressBytes)
                contacts.Add(contact);
        }

        return contacts;
    }

    /// <summary>Writes contacts in the same format.</summary>
    public static byte[] Write(IReadOnlyCollection<DhtContact> contacts)
    {
        using var output = new MemoryStream();
        Span<byte> bytes = stackalloc byte[NodeId.Size + 18];
        foreach (var contact in contacts)
        {
            contact.Id.Write(bytes);
            output.Write(bytes[..(NodeId.Size + contact.Address.Write(bytes[NodeId.Size..]))]);
        }

        return output.ToArray();
    }
}
