using System.Net;

namespace NzbDav.Host.Serving;

/// <summary>The addresses to listen on, from <c>--urls</c>.</summary>
internal static class ListenAddresses
{
    /// <summary>Splits a list of addresses separated by semicolons, and checks each.</summary>
    /// <exception cref="ServerStartException">One of them is not a valid address.</exception>
    public static string[] Parse(string urls)
    {
        var addresses = urls.Split(';', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
        if (addresses.Length == 0)
            throw new ServerStartException($"--urls '{urls}' contains no address: give one such as http://*:8080.");
        return Array.Find(addresses, address => !IsAddress(address)) is { } wrong
            ? throw new ServerStartException($"--urls: '{wrong}' is not an address to listen on: give one such as http://*:8080.")
            : addresses;
    }

    /// <summary>True if only this machine can reach it.</summary>
    public static bool IsLoopback(string address) => IsLoopbackHost(BindingAddress.Parse(address).Host);

    /// <summary>True for localhost and for an address of loopback; IPv6 in brackets.</summary>
    public static bool IsLoopbackHost(string host) =>
        host == "localhost" || (IPAddress.TryParse(host.Trim('[', ']'), out var ip) && IPAddress.IsLoopback(ip));

    private static bool IsAddress(string address)
    {
        try
        {
            return BindingAddress.Parse(address) is { Scheme: "http" or "https", Port: >= 0 and <= 65_535 };
        }
        catch (FormatException)
        {
            return false;
        }
    }
}
