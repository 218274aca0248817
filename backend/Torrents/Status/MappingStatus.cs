using System.Net;

namespace NzbDav.Torrents.Status;

/// <summary>How the mapping of the port stands.</summary>
/// <param name="State">Whether a router lets it through.</param>
public sealed record MappingStatus(MappingState State)
{
    /// <summary>How the router was asked: <c>PCP</c>, <c>NAT-PMP</c> or <c>UPnP</c>; null while nothing is granted.</summary>
    public string? Protocol { get; init; }

    /// <summary>Where the world reaches us, by the router's word; null: it did not say.</summary>
    public IPAddress? ExternalAddress { get; init; }

    /// <summary>At that address; null while nothing is granted.</summary>
    public int? ExternalPort { get; init; }
}
