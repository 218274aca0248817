using System.Net;
using System.Net.NetworkInformation;
using System.Net.Sockets;

namespace NzbDav.Torrents.Mapping;

/// <summary>A router of a private network that this machine is in.</summary>
/// <param name="Router">Its address there.</param>
/// <param name="Local">Our address there.</param>
internal readonly record struct Gateway(IPAddress Router, IPAddress Local)
{
    /// <summary>Finds this machine's gateways in private networks; IPv6 needs no mapping.</summary>
    /// <param name="device">The interface that leads to them; null = any.</param>
    public static IReadOnlyList<Gateway> Find(string? device)
    {
        var found = new List<Gateway>();
        try
        {
            foreach (var one in NetworkInterface.GetAllNetworkInterfaces())
            {
                if (one.OperationalStatus is not (OperationalStatus.Up or OperationalStatus.Unknown) || (device is not null && one.Name != device))
                    continue;
                var properties = one.GetIPProperties();
                var local = properties.UnicastAddresses.Select(static unicast => unicast.Address).FirstOrDefault(static address => address.AddressFamily == AddressFamily.InterNetwork);
                if (local is not null)
                    found.AddRange(properties.GatewayAddresses.Select(static gateway => gateway.Address).Where(IsPrivate).Select(address => new Gateway(address, local)));
            }
        }
        catch (NetworkInformationException)
        {
            // The gateways found so far are enough.
        }

        return [.. found.DistinctBy(static gateway => gateway.Router)];
    }

    /// <summary>True for addresses of RFC 1918 and 169.254/16.</summary>
    public static bool IsPrivate(IPAddress address)
    {
        Span<byte> bytes = stackalloc byte[16];
        return address.TryWriteBytes(bytes, out var length) && length == 4
            && (bytes[0] == 10 || (bytes[0] == 172 && bytes[1] is >= 16 and < 32) || (bytes[0] == 192 && bytes[1] == 168) || (bytes[0] == 169 && bytes[1] == 254));
    }
}
