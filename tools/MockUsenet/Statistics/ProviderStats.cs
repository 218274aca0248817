using System.Text.Json.Serialization;

namespace NzbDav.MockUsenet.Statistics;

/// <summary>Counters of one provider since its start or last reset. A snapshot.</summary>
public sealed record ProviderStats
{
    public required string Name { get; init; }

    public required int Port { get; init; }

    /// <summary>BODY and ARTICLE replies sent up to their dot line, including damaged ones.</summary>
    public required long ArticlesServed { get; init; }

    /// <summary>Decoded bytes of the articles served, without truncated ones.</summary>
    public required long PayloadBytes { get; init; }

    /// <summary>All bytes sent, without the overhead of TLS.</summary>
    public required long WireBytes { get; init; }

    /// <summary>Commands received, by name; unrecognised ones as UNKNOWN.</summary>
    public required IReadOnlyDictionary<string, long> Commands { get; init; }

    public required long ConnectionsOpened { get; init; }

    /// <summary>Open connections that count against the limit, including ghosts.</summary>
    public required long ConnectionsOpen { get; init; }

    /// <summary>The most connections that were open at once.</summary>
    public required long ConnectionsPeak { get; init; }

    /// <summary>Connections refused because of the limit, or because all are refused.</summary>
    public required long ConnectionsRefused { get; init; }

    public required long Logins { get; init; }

    public required long LoginsRefused { get; init; }

    /// <summary>TLS handshakes that succeeded.</summary>
    public required long Handshakes { get; init; }

    /// <summary>How many of them resumed an earlier session.</summary>
    public required long HandshakesResumed { get; init; }

    /// <summary>Known articles whose body was requested, whatever the reply.</summary>
    public required long ArticlesAsked { get; init; }

    /// <summary>How many of them were requested more than once.</summary>
    public required long ArticlesAskedAgain { get; init; }

    /// <summary>Their message-ids, at most 1,000.</summary>
    public required IReadOnlyList<string> AskedAgain { get; init; }

    /// <summary>Faults injected into bodies, by kind.</summary>
    public required IReadOnlyDictionary<string, long> Faults { get; init; }
}

/// <summary>The body of <c>GET /stats</c>.</summary>
internal sealed record StatsReport(IReadOnlyList<ProviderStats> Providers);

/// <summary>JSON serialization of the statistics.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(StatsReport))]
internal sealed partial class StatsJson : JsonSerializerContext;
