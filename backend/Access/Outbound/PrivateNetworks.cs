using System.Net;
using System.Net.Sockets;

namespace NzbDav.Access.Outbound;

/// <summary>Distinguishes addresses of private networks from public ones.</summary>
public static class PrivateNetworks
{
    // RFC 6890 and the IANA special-purpose registries: not globally reachable.
    private static readonly IPNetwork[] All =
    [
        IPNetwork.Parse("0.0.0.0/8"), IPNetwork.Parse("10.0.0.0/8"), IPNetwork.Parse("100.64.0.0/10"), IPNetwork.Parse("127.0.0.0/8"),
        IPNetwork.Parse("169.254.0.0/16"), IPNetwork.Parse("172.16.0.0/12"), IPNetwork.Parse("192.0.0.0/24"),
        IPNetwork.Parse("192.168.0.0/16"),
        IPNetwork.Parse("198.18.0.0/15"), IPNetwork.Parse("224.0.0.0/3"),
        IPNetwork.Parse("::/96"), IPNetwork.Parse("64:ff9b:1::/48"), IPNetwork.Parse("fc00::/7"), IPNetwork.Parse("fe80::/10"),
        IPNetwork.Parse("fec0::/10"), IPNetwork.Parse("ff00::/8"),
    ];

    private static readonly IPNetwork Nat64 = IPNetwork.Parse("64:ff9b::/96");
    private static readonly IPNetwork SixToFour = IPNetwork.Parse("2002::/16");

    /// <summary>
    /// True for an address that is not public: loopback, link-local, private and reserved ranges, also when embedded in an IPv6 address.
    /// </summary>
    public static bool Contain(IPAddress address)
    {
        ArgumentNullException.ThrowIfNull(address);
        var plain = Plain(address);
        return Array.Exists(All, network => network.Contains(plain));
    }

    /// <summary>
    /// The final destination of packets to an address, without a scope: the IPv4 address if one is embedded in an IPv6 address.
    /// </summary>
    internal static IPAddress Plain(IPAddress address) =>
        Embedded(address)
        ?? (address is { AddressFamily: AddressFamily.InterNetworkV6, ScopeId: not 0 }
            ? new IPAddress(address.GetAddressBytes()) : address);

    /// <summary>The IPv4 address embedded in an IPv6 address, at which its packets end; null if there is none.</summary>
    private static IPAddress? Embedded(IPAddress address)
    {
        if (address.AddressFamily != AddressFamily.InterNetworkV6)
            return null;
        if (address.IsIPv4MappedToIPv6)
            return address.MapToIPv4();
        Span<byte> bytes = stackalloc byte[16];
        address.TryWriteBytes(bytes, out _);

        // RFC 6052: the last 32 bits. RFC 3056: the 32 bits behind the prefix.
        return Nat64.Contains(address) ? new IPAddress(bytes[12..]) : SixToFour.Contains(address) ? new IPAddress(bytes[2..6]) : null;
    }
}
