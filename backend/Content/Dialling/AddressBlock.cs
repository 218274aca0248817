using System.Net;
using System.Net.Sockets;

namespace NzbDav.Content.Dialling;

/// <summary>
/// The block of addresses that one customer has: a single IPv4 address, or an IPv6 address with all others of its network.
/// </summary>
public static class AddressBlock
{
    /// <summary>Prefix length of the IPv6 network that one line has.</summary>
    public const int LineBits = 64;

    /// <summary>The first address of the block, which stands for the whole block.</summary>
    /// <param name="address">An address; IPv4 in either form. Null: unknown, gives <see cref="IPAddress.None"/>.</param>
    /// <param name="bits">Prefix length for IPv6, a multiple of eight.</param>
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
