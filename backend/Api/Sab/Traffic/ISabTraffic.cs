namespace NzbDav.Api.Sab.Traffic;

/// <summary>Traffic to the providers, as far as the interface needs it. Thread-safe.</summary>
public interface ISabTraffic
{
    /// <summary>The providers with their totals since the start.</summary>
    IReadOnlyList<ServerTraffic> Servers { get; }

    /// <summary>Most bytes per second from all providers together; null: no limit. A new value takes effect at once, also for running transfers.</summary>
    long? SpeedLimit { get; set; }

    /// <summary>Bytes held in memory, and their limit.</summary>
    (long Used, long Limit) Memory { get; }
}
