using System.Buffers.Binary;
using System.Numerics;
using System.Security.Cryptography;
using NzbDav.Torrents.Datagrams;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Discovery.Dht;

/// <summary>A point in the DHT's space of 160 bits (BEP 5): a node's id or an info-hash.</summary>
internal readonly record struct NodeId(ulong High, ulong Middle, uint Low) : IComparable<NodeId>
{
    /// <summary>Length in bytes.</summary>
    public const int Size = 20;

    /// <summary>Length in bits.</summary>
    public const int Bits = 160;

    public static bool operator <(NodeId left, NodeId right) => left.CompareTo(right) < 0;

    public static bool operator >(NodeId left, NodeId right) => left.CompareTo(right) > 0;

    public static bool operator <=(NodeId left, NodeId right) => left.CompareTo(right) <= 0;

    public static bool operator >=(NodeId left, NodeId right) => left.CompareTo(right) >= 0;

    /// <param name="bytes">At least 20 bytes; the first 20 are read.</param>
    public static NodeId Read(ReadOnlySpan<byte> bytes) =>
        new(BinaryPrimitives.ReadUInt64BigEndian(bytes), BinaryPrimitives.ReadUInt64BigEndian(bytes[8..]),
            BinaryPrimitives.ReadUInt32BigEndian(bytes[16..]));

    /// <summary>The id of a torrent: its info-hash.</summary>
    public static NodeId Of(InfoHash hash)
    {
        Span<byte> bytes = stackalloc byte[Size];
        hash.CopyTo(bytes);
        return Read(bytes);
    }

    /// <summary>A random id.</summary>
    public static NodeId Random()
    {
        Span<byte> bytes = stackalloc byte[Size];
        RandomNumberGenerator.Fill(bytes);
        return Read(bytes);
    }

    /// <summary>A random id that matches an address as seen by others (BEP 42).</summary>
    public static NodeId For(DatagramAddress address)
    {
        Span<byte> bytes = stackalloc byte[Size];
        RandomNumberGenerator.Fill(bytes);
        Stamp(address, bytes[19], bytes);
        return Read(bytes);
    }

    /// <summary>True if a node at that address may have this id (BEP 42). Addresses in local networks are exempt.</summary>
    public bool Fits(DatagramAddress address)
    {
        if (address.IsLocal)
            return true;
        Span<byte> bytes = stackalloc byte[Size];
        Write(bytes);
        Span<byte> expected = stackalloc byte[Size];
        Stamp(address, bytes[19], expected);
        return bytes[0] == expected[0] && bytes[1] == expected[1] && (bytes[2] & 0xf8) == (expected[2] & 0xf8);
    }

    /// <summary>Writes the 20 bytes.</summary>
    public void Write(Span<byte> destination)
    {
        BinaryPrimitives.WriteUInt64BigEndian(destination, High);
        BinaryPrimitives.WriteUInt64BigEndian(destination[8..], Middle);
        BinaryPrimitives.WriteUInt32BigEndian(destination[16..], Low);
    }

    /// <summary>The distance to another id (BEP 5): exclusive or.</summary>
    public NodeId To(NodeId other) => new(High ^ other.High, Middle ^ other.Middle, Low ^ other.Low);

    /// <summary>Number of leading bits that both ids have in common; 160 if they are equal.</summary>
    public int Shared(NodeId other)
    {
        var distance = To(other);
        return distance.High != 0 ? BitOperations.LeadingZeroCount(distance.High)
            : distance.Middle != 0 ? 64 + BitOperations.LeadingZeroCount(distance.Middle)
            : 128 + BitOperations.LeadingZeroCount(distance.Low);
    }

    /// <summary>A random id that has exactly this many leading bits in common with this one.</summary>
    /// <param name="bits">0 … 159.</param>
    public NodeId Neighbour(int bits)
    {
        Span<byte> own = stackalloc byte[Size];
        Write(own);
        Span<byte> other = stackalloc byte[Size];
        RandomNumberGenerator.Fill(other);
        var at = bits / 8;
        own[..at].CopyTo(other);
        var mask = (byte)(0xff00 >> (bits % 8));
        var flipped = (byte)(0x80 >> (bits % 8));
        other[at] = (byte)((own[at] & mask) | (~own[at] & flipped) | (other[at] & ~mask & ~flipped));
        return Read(other);
    }

    public int CompareTo(NodeId other)
    {
        var order = High.CompareTo(other.High);
        if (order == 0)
            order = Middle.CompareTo(other.Middle);
        return order != 0 ? order : Low.CompareTo(other.Low);
    }

    /// <summary>
    /// Writes the part of an id that BEP 42 prescribes: the first 21 bits come from the CRC-32C of the address's leading bits and three
    /// bits of the id's last byte.
    /// </summary>
    private static void Stamp(DatagramAddress address, byte seed, Span<byte> id)
    {
        ReadOnlySpan<byte> mask = address.AddressBytes == 4 ? [0x03, 0x0f, 0x3f, 0xff] : [0x01, 0x03, 0x07, 0x0f, 0x1f, 0x3f, 0x7f, 0xff];
        Span<byte> bytes = stackalloc byte[16];
        address.WriteAddress(bytes);
        var crc = uint.MaxValue;
        for (var i = 0; i < mask.Length; i++)
        {
            var masked = (byte)(bytes[i] & mask[i]);
            crc = BitOperations.Crc32C(crc, i == 0 ? (byte)(masked | ((seed & 7) << 5)) : masked);
        }

        crc = ~crc;
        id[0] = (byte)(crc >> 24);
        id[1] = (byte)(crc >> 16);
        id[2] = (byte)(((crc >> 8) & 0xf8) | (id[2] & 7u));
        id[19] = seed;
    }
}
