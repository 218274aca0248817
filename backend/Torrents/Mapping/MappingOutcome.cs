namespace NzbDav.Torrents.Mapping;

/// <summary>What a router says to a request. With neither lease nor refusal: it does not answer.</summary>
/// <param name="Lease">Granted; null = not.</param>
/// <param name="Refusal">The router's reason, and the protocol in which it said so; null = none.</param>
internal readonly record struct MappingOutcome(PortLease? Lease, string? Refusal)
{
    /// <summary>Nobody answers.</summary>
    public static MappingOutcome Silence => default;

    /// <summary>The mapping exists.</summary>
    public static MappingOutcome Granted(PortLease lease) => new(lease, Refusal: null);

    /// <summary>The router answers, and does not do it.</summary>
    public static MappingOutcome Refused(string reason) => new(Lease: null, reason);
}
