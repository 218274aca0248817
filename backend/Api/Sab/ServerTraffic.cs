namespace NzbDav.Api.Sab;

/// <summary>A provider as the interface shows it.</summary>
/// <param name="Name">As configured.</param>
/// <param name="Host">Host name.</param>
/// <param name="Priority">Lowest first.</param>
/// <param name="OpenConnections">Now.</param>
/// <param name="MaxConnections">Allowed.</param>
/// <param name="Bytes">Received since the start.</param>
/// <param name="Articles">Received intact since the start.</param>
/// <param name="Tried">Asked for since the start.</param>
/// <param name="Fault">Why it cannot be used; null while it can.</param>
public sealed record ServerTraffic(
    string Name, string Host, int Priority, int OpenConnections, int MaxConnections, long Bytes, long Articles, long Tried, string? Fault);
