namespace NzbDav.Api.Sab.Traffic;

/// <summary>A provider as the interface shows it.</summary>
/// <param name="Name">The configured name.</param>
/// <param name="Host">Host name.</param>
/// <param name="Priority">Lowest first.</param>
/// <param name="OpenConnections">Connections open now.</param>
/// <param name="MaxConnections">Connections allowed.</param>
/// <param name="Bytes">Bytes received since the start.</param>
/// <param name="Articles">Articles received intact since the start.</param>
/// <param name="Tried">Articles requested since the start.</param>
/// <param name="Fault">Why it cannot be used; null while it can.</param>
public sealed record ServerTraffic(
    string Name, string Host, int Priority, int OpenConnections, int MaxConnections, long Bytes, long Articles, long Tried, string? Fault);
