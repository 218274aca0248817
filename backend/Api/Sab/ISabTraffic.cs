namespace NzbDav.Api.Sab;

/// <summary>What the interface needs of the line to the providers. Thread-safe.</summary>
public interface ISabTraffic
{
    /// <summary>The providers with what they gave since the start.</summary>
    IReadOnlyList<ServerTraffic> Servers { get; }

    /// <summary>Most bytes a second from all providers together; null: no limit. Setting it takes effect at once, for running transfers too.</summary>
    long? SpeedLimit { get; set; }

    /// <summary>Bytes held in memory, and the most that may be.</summary>
    (long Used, long Limit) Memory { get; }
}
