using System.Net;
using System.Net.Sockets;
using NzbDav.Content.Proxies;

namespace NzbDav.Torrents.Network;

/// <summary>The route of all traffic. Immutable.</summary>
internal sealed record NetworkRoute
{
    /// <summary>The route that the system chooses.</summary>
    public static NetworkRoute Any { get; } = new();

    /// <summary>True if bound to one interface, even one that is currently missing.</summary>
    public bool IsBound { get; init; }

    /// <summary>The interface; null = any.</summary>
    public string? Device { get; init; }

    /// <summary>The interface's IPv4 address; null = none.</summary>
    public IPAddress? IPv4 { get; init; }

    /// <summary>The interface's IPv6 address; null = none.</summary>
    public IPAddress? IPv6 { get; init; }

    /// <summary>Why nothing may be sent, for the user; null if sending is allowed.</summary>
    public string? Trouble { get; init; }

    /// <summary>The proxy; null = none.</summary>
    public ProxyAddress? Proxy { get; init; }

    /// <summary>Resolves the settings against the current addresses.</summary>
    /// <param name="bind">An address of this machine or the name of an interface; null = none.</param>
    /// <param name="addresses">The addresses of this machine.</param>
    /// <param name="proxy">The proxy; null = none.</param>
    public static NetworkRoute Find(string? bind, IReadOnlyList<LocalAddress> addresses, ProxyAddress? proxy)
    {
        if (string.IsNullOrEmpty(bind))
            return proxy is null ? Any : Any with { Proxy = proxy };
        var found = new NetworkRoute { IsBound = true, Proxy = proxy };
        if (IPAddress.TryParse(bind, out var address))
        {
            var local = addresses.FirstOrDefault(one => one.IsUp && address.Equals(one.Address));
            if (local is null)
                return found
                    with
                { Trouble = $"Torrents wait: {bind}, which they are bound to, is not an address of this machine at present" };
            return address.AddressFamily == AddressFamily.InterNetwork
                ? found with { Device = local.Device, IPv4 = address }
                : found with { Device = local.Device, IPv6 = address };
        }

        var own = addresses.Where(one => one.Device == bind).ToArray();
        if (own.Length == 0)
            return found with { Trouble = $"Torrents wait: the interface {bind}, which they are bound to, is not there" };
        if (!own[0].IsUp)
            return found with { Trouble = $"Torrents wait: the interface {bind}, which they are bound to, is down" };
        found = found with
        {
            Device = bind,
            IPv4 = own.FirstOrDefault(static one => one.Address is { AddressFamily: AddressFamily.InterNetwork })?.Address,
            IPv6 = own.FirstOrDefault(
                static one => one.Address is { AddressFamily: AddressFamily.InterNetworkV6, IsIPv6LinkLocal: false })?.Address,
        };
        return found.IPv4 is null && found.IPv6 is null
            ? found with { Trouble = $"Torrents wait: the interface {bind}, which they are bound to, has no address" } : found;
    }

    /// <summary>The local address for this family; null if the family cannot be used.</summary>
    public IPAddress? SourceOf(AddressFamily family)
    {
        if (Trouble is not null)
            return null;
        var isSix = family == AddressFamily.InterNetworkV6;
        return IsBound ? isSix ? IPv6 : IPv4 : isSix ? IPAddress.IPv6Any : IPAddress.Any;
    }
}
