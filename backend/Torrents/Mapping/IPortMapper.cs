using System.Net;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Mapping;

/// <summary>Asks a router to map a port. For one caller at a time.</summary>
internal interface IPortMapper
{
    /// <summary>Makes, renews or removes a mapping.</summary>
    /// <param name="protocol">Protocol of the port.</param>
    /// <param name="port">The port on this machine, and if possible that of the router.</param>
    /// <param name="lifetime">The requested lifetime; zero removes the mapping.</param>
    /// <param name="cancellationToken">Ends the wait for an answer.</param>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    Task<MappingOutcome> MapAsync(MappingProtocol protocol, int port, TimeSpan lifetime, CancellationToken cancellationToken);
}

/// <summary>A router's answer to a request. With neither a lease nor a refusal, the router did not answer.</summary>
/// <param name="Lease">The lease granted; null = none.</param>
/// <param name="Refusal">The router's reason for refusing, and the protocol; null = it did not refuse.</param>
internal readonly record struct MappingOutcome(PortLease? Lease, string? Refusal)
{
    /// <summary>The router did not answer.</summary>
    public static MappingOutcome Silence => default;

    /// <summary>The mapping exists.</summary>
    public static MappingOutcome Granted(PortLease lease) => new(lease, Refusal: null);

    /// <summary>The router refused.</summary>
    public static MappingOutcome Refused(string reason) => new(Lease: null, reason);
}

/// <summary>A mapping that a router granted.</summary>
/// <param name="ExternalPort">Port at which we can be reached from the internet.</param>
/// <param name="Lifetime">How long it is valid. For an unlimited mapping, the time until it is requested again, because a restarted router
/// may have lost it.</param>
/// <param name="Method">The protocol by which it was granted.</param>
/// <param name="ExternalAddress">The router's public address; null = unknown.</param>
internal readonly record struct PortLease(int ExternalPort, TimeSpan Lifetime, MappingMethod Method, IPAddress? ExternalAddress);

/// <summary>Transport protocol of a port.</summary>
internal enum MappingProtocol
{
    Tcp,
    Udp,
}
