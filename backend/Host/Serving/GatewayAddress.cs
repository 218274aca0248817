using System.Net;

namespace NzbDav.Host.Serving;

/// <summary>The address by which the gateways on one catalog reach each other.</summary>
internal static class GatewayAddress
{
    /// <summary>Where others reach a gateway, without a slash at its end.</summary>
    /// <param name="listening">The addresses that it listens on; at least one.</param>
    /// <param name="machine">Name of its machine, for an address that stands for all of the machine's.</param>
    public static string Of(IEnumerable<string> listening, string machine)
    {
        // The certificate of an https address may be for another name. An address of loopback reaches gateways on the same machine only: it is better than none.
        var address = listening.Select(BindingAddress.Parse).OrderBy(static one => ListenAddresses.IsLoopbackHost(one.Host)).ThenBy(static one => one.Scheme != "http").First();
        return new UriBuilder(address.Scheme, IsAny(address.Host) ? machine : address.Host, address.Port, address.PathBase).Uri.ToString().TrimEnd('/');
    }

    /// <summary>Kestrel listens on all addresses for any name that is neither an address nor localhost.</summary>
    private static bool IsAny(string host) =>
        IPAddress.TryParse(host.Trim('[', ']'), out var address) ? address.Equals(IPAddress.Any) || address.Equals(IPAddress.IPv6Any) : !host.Equals("localhost", StringComparison.OrdinalIgnoreCase);
}
