using System.Net;
using System.Net.NetworkInformation;
using System.Net.Sockets;

namespace NzbDav.Torrents.Mapping;

/// <summary>A router in a network of this machine.</summary>
/// <param name="Router">The router's address in that network.</param>
/// <param name="Local">Our address in that network. For IPv6 a public one, because addresses are not translated.</param>
internal readonly record struct Gateway(IPAddress Router, IPAddress Local)
{
    /// <summary>
    /// Most public IPv6 addresses of an interface that are made reachable: the permanent one, and the temporary ones that the system
    /// changes each day (RFC 8981).
    /// </summary>
    private const int MostAddresses = 4;

    /// <summary>Index of the interface that leads to the router by IPv6; 0 = unknown.</summary>
    public long Scope => Router.AddressFamily == AddressFamily.InterNetworkV6 && Router.IsIPv6LinkLocal ? Router.ScopeId : 0;

    /// <summary>
    /// True for an IPv6 address on the link: a link-local one, or one in our network. Networks of hosts have 64 bits (RFC 4291, 2.5.4).
    /// </summary>
    public bool IsOnLink(IPAddress address) => address.AddressFamily == AddressFamily.InterNetworkV6
        && (address.IsIPv6LinkLocal || address.GetAddressBytes().AsSpan(0, 8).SequenceEqual(Local.GetAddressBytes().AsSpan(0, 8)));

    /// <summary>Finds this machine's gateways in private networks.</summary>
    /// <param name="device">The interface that leads to the gateways; null = any.</param>
    public static IReadOnlyList<Gateway> Find(string? device)
    {
        var found = Find(device, static properties =>
        {
            var local = properties.UnicastAddresses.Select(static unicast => unicast.Address)
                .FirstOrDefault(static address => address.AddressFamily == AddressFamily.InterNetwork);
            return local is null ? [] : RoutersOf(properties).Where(IsPrivate).Select(address => new Gateway(address, local));
        });
        return [.. found.DistinctBy(static gateway => gateway.Router)];
    }

    /// <summary>
    /// Finds this machine's IPv6 gateways, with one entry per gateway and public address of ours behind it. Such gateways need not
    /// translate, but may block incoming connections.
    /// </summary>
    /// <param name="device">The interface that leads to the gateways; null = any.</param>
    public static IReadOnlyList<Gateway> FindSix(string? device) => [.. Find(device, static properties =>
    {
        var own = properties.UnicastAddresses.Select(static unicast => unicast.Address).Where(IsPublicSix).Take(MostAddresses).ToArray();
        return RoutersOf(properties).Where(IsNearSix).SelectMany(router => own.Select(local => new Gateway(router, local)));
    }).Distinct()];

    private static IEnumerable<IPAddress> RoutersOf(IPInterfaceProperties properties) =>
        properties.GatewayAddresses.Select(static gateway => gateway.Address);

    /// <summary>True for addresses of 2000::/3, the range of all public ones.</summary>
    public static bool IsPublicSix(IPAddress address)
    {
        Span<byte> bytes = stackalloc byte[16];
        return address.TryWriteBytes(bytes, out var length) && length == 16 && bytes[0] >> 5 == 1;
    }

    /// <summary>True for link-local addresses, from which routers advertise themselves, and those of RFC 4193.</summary>
    private static bool IsNearSix(IPAddress address) => address.IsIPv6LinkLocal || address.IsIPv6UniqueLocal;

    private static List<Gateway> Find(string? device, Func<IPInterfaceProperties, IEnumerable<Gateway>> of)
    {
        var found = new List<Gateway>();
        try
        {
            foreach (var one in NetworkInterface.GetAllNetworkInterfaces())
            {
                if (one.OperationalStatus is not (OperationalStatus.Up or OperationalStatus.Unknown)
                    || (device is not null && one.Name != device))
                    continue;
                found.AddRange(of(one.GetIPProperties()));
            }
        }
        catch (NetworkInformationException)
        {
            // The gateways found so far suffice.
        }

        return found;
    }

    /// <summary>True for addresses of RFC 1918 and 169.254/16.</summary>
    public static bool IsPrivate(IPAddress address)
    {
        Span<byte> bytes = stackalloc byte[16];
        return address.TryWriteBytes(bytes, out var length) && length == 4
            && (bytes[0] == 10 || (bytes[0] == 172 && bytes[1] is >= 16 and < 32) || (bytes[0] == 192 && bytes[1] == 168)
                || (bytes[0] == 169 && bytes[1] == 254));
    }
}
