using System.Net;
using System.Net.Sockets;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Connections;

/// <summary>Recognises addresses that are meaningful only locally.</summary>
internal static class LocalNetwork
{
    /// <summary>True for an address of this machine, a private network (RFC 1918, 4193) or a link (RFC 3927, 4291).</summary>
    public static bool Contains(IPAddress address)
    {
        address = PeerAddress.Plain(address);
        if (IPAddress.IsLoopback(address))
            return true;
        if (address.AddressFamily == AddressFamily.InterNetworkV6)
            return address.IsIPv6LinkLocal || address.IsIPv6UniqueLocal;
        Span<byte> bytes = stackalloc byte[4];
        address.TryWriteBytes(bytes, out _);
        return bytes[0] == 10 || (bytes[0] == 172 && (bytes[1] & 0xF0) == 16) || (bytes[0] == 192 && bytes[1] == 168)
            || (bytes[0] == 169 && bytes[1] == 254);
    }

    /// <summary>
    /// True for an address that belongs to no single host: 0/8, multicast, reserved and broadcast; the unspecified one of IPv6.
    /// </summary>
    public static bool IsNoHost(IPAddress address)
    {
        address = PeerAddress.Plain(address);
        if (address.AddressFamily == AddressFamily.InterNetworkV6)
            return address.IsIPv6Multicast || address.Equals(IPAddress.IPv6Any);
        Span<byte> bytes = stackalloc byte[4];
        address.TryWriteBytes(bytes, out _);
        return bytes[0] is 0 or >= 224;
    }
}
