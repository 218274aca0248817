using System.Net;
using System.Net.Sockets;

namespace NzbDav.Content.Dialling;

/// <summary>The block of addresses that one customer has: an IPv4 address alone, an IPv6 address with all others of its network.</summary>
public static class AddressBlock
{
    /// <summary>The bits of an IPv6 address that one line has.</summary>
    public const int LineBits = 64;

    /// <summary>The first address of the block, which stands for all of it.</summary>
    /// <param name="address">An address; one of IPv4 counts in either form. Null: unknown, <see cref="IPAddress.None"/>.</param>
    /// <param name="bits">How many bits of an IPv6 address count, a multiple of eight.</param>
    public static IPAddress Of(IPAddress? address, int bits = LineBits)
    {
        if (address is null)
            return IPAddress.None;
        if (address.IsIPv4MappedToIPv6)
            return address.MapToIPv4();
        if (address.AddressFamily != AddressFamily.InterNetworkV6)
            return address;
        Span<byte> bytes = stackalloc byte[16];
        address.TryWriteBytes(bytes, out _);
        bytes[(bits / 8)..].Clear();
        return new IPAddress(bytes);
    }
}
