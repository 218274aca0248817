namespace NzbDav.Torrents.Mapping;

/// <summary>What a router granted.</summary>
/// <param name="ExternalPort">Where the world reaches us.</param>
/// <param name="Lifetime">For how long.</param>
internal readonly record struct PortLease(int ExternalPort, TimeSpan Lifetime);
