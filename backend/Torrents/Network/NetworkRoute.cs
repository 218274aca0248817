using System.Net;
using System.Net.Sockets;
using NzbDav.Content.Proxies;

namespace NzbDav.Torrents.Network;

/// <summary>By which way everything leaves. Immutable.</summary>
internal sealed record NetworkRoute
{
    /// <summary>By whatever way the system chooses.</summary>
    public static NetworkRoute Any { get; } = new();

    /// <summary>One interface only, or nothing at all.</summary>
    public bool IsBound { get; init; }

    /// <summary>The interface; null = any.</summary>
    public string? Device { get; init; }

    /// <summary>Its IPv4 address; null = none.</summary>
    public IPAddress? IPv4 { get; init; }

    /// <summary>Its IPv6 address; null = none.</summary>
    public IPAddress? IPv6 { get; init; }

    /// <summary>Why nothing may be sent; null = it may.</summary>
    public string? Trouble { get; init; }

    /// <summary>What stands between; null = nothing.</summary>
    public ProxyAddress? Proxy { get; init; }

    /// <summary>What has been set, as it is now.</summary>
    /// <param name="bind">An address of this machine or the name of an interface; null = none.</param>
    /// <param name="addresses">Those that there are.</param>
    /// <param name="proxy">What stands between; null = nothing.</param>
    public static NetworkRoute Find(string? bind, IReadOnlyList<LocalAddress> addresses, ProxyAddress? proxy)
    {
        if (string.IsNullOrEmpty(bind))
            return proxy is null ? Any : Any with { Proxy = proxy };
        var found = new NetworkRoute { IsBound = true, Proxy = proxy };
        if (IPAddress.TryParse(bind, out var address))
        {
            var local = addresses.FirstOrDefault(one => one.IsUp && address.Equals(one.Address));
            if (local is null)
                return found with { Trouble = $"Torrents wait: {bind}, which they are bound to, is no address of this machine at present" };
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
            IPv6 = own.FirstOrDefault(static one => one.Address is { AddressFamily: AddressFamily.InterNetworkV6, IsIPv6LinkLocal: false })?.Address,
        };
        return found.IPv4 is null && found.IPv6 is null ? found with { Trouble = $"Torrents wait: the interface {bind}, which they are bound to, has no address" } : found;
    }

    /// <summary>The address that something of this family leaves from; null = it may not leave.</summary>
    public IPAddress? SourceOf(AddressFamily family)
    {
        if (Trouble is not null)
            return null;
        var isSix = family == AddressFamily.InterNetworkV6;
        return IsBound ? isSix ? IPv6 : IPv4 : isSix ? IPAddress.IPv6Any : IPAddress.Any;
    }
}
