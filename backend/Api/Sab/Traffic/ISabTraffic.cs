namespace NzbDav.Api.Sab.Traffic;

/// <summary>Traffic to the providers, as far as the interface needs it. Thread-safe.</summary>
public interface ISabTraffic
{
    /// <summary>The providers with their totals since the start.</summary>
    IReadOnlyList<ServerTraffic> Servers { get; }

    /// <summary>
    /// Most bytes per second from all providers together; null: no limit. A new value takes effect at once, also for running transfers.
    /// </summary>
    long? SpeedLimit { get; set; }

    /// <summary>Bytes held in memory, and their limit.</summary>
    (long Used, long Limit) Memory { get; }
}

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
