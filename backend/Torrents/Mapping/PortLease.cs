using System.Net;

namespace NzbDav.Torrents.Mapping;

/// <summary>What a router granted.</summary>
/// <param name="ExternalPort">Where the world reaches us.</param>
/// <param name="Lifetime">For how long.</param>
internal readonly record struct PortLease(int ExternalPort, TimeSpan Lifetime)
{
    /// <summary>How it was asked: <c>PCP</c>, <c>NAT-PMP</c> or <c>UPnP</c>.</summary>
    public string? Protocol { get; init; }

    /// <summary>Where the world reaches us; null: it did not say.</summary>
    public IPAddress? ExternalAddress { get; init; }
}
