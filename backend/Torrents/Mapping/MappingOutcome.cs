namespace NzbDav.Torrents.Mapping;

/// <summary>A router's answer to a request. Neither lease nor refusal: it did not answer.</summary>
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
