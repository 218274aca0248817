using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Providers.Quotas;

namespace NzbDav.Usenet.Providers;

/// <summary>Snapshot of a provider for the health page and the log.</summary>
/// <param name="Name">As configured.</param>
/// <param name="Host">Host and port.</param>
/// <param name="State">Usable or not.</param>
/// <param name="Failure">What kind of failure, when failing.</param>
/// <param name="Reason">In words, with what to do; null when nothing is wrong.</param>
/// <param name="OpenConnections">Open and logged in.</param>
/// <param name="MaxConnections">The most that it can have now: configured, or lower when the provider refused more or <see cref="Share"/> is lower.</param>
/// <param name="NextAttempt">When it is tried again, if it is failing.</param>
/// <param name="RoundTripMilliseconds">Request to first byte on an idle connection, smoothed; 0 before the first.</param>
/// <param name="Articles">Articles received intact.</param>
/// <param name="Bytes">Their decoded bytes.</param>
public sealed record ProviderStatus(
    string Name,
    string Host,
    ProviderState State,
    NntpConnectFailure Failure,
    string? Reason,
    int OpenConnections,
    int MaxConnections,
    DateTimeOffset? NextAttempt,
    double RoundTripMilliseconds,
    long Articles,
    long Bytes)
{
    /// <summary>Of <see cref="OpenConnections"/>, those with a request under way.</summary>
    public int BusyConnections { get; init; }

    /// <summary>Results of its requests.</summary>
    public ProviderCounters Counters { get; init; } = new(0, 0, 0, 0, 0);

    /// <summary>What it is doing.</summary>
    public ProviderPhase Phase { get; init; }

    /// <summary>When <see cref="Phase"/> began.</summary>
    public DateTimeOffset Since { get; init; }

    /// <summary>Why it is down, reconnecting, or cannot open more connections; null when nothing is wrong.</summary>
    public string? Trouble { get; init; }

    /// <summary>Connections that the account was seen to allow, if fewer than configured; else null.</summary>
    public int? GrantedConnections { get; init; }

    /// <summary>Connections that this process may have, where several processes share the account; null: it is alone.</summary>
    public int? Share { get; init; }

    /// <summary>Decoded bytes per second over the last four seconds.</summary>
    public double Rate { get; init; }

    /// <summary>Decoded bytes per second of one busy connection, smoothed; 0 before the first article.</summary>
    public double ConnectionRate { get; init; }

    /// <summary>What became of the articles of the last 24 hours.</summary>
    public ReliabilityCounts Lately { get; init; }

    /// <summary>True while so many of its articles fail that others of its priority are asked first where they have room.</summary>
    public bool IsUnreliable { get; init; }

    /// <summary>How its quota stands; null: it has none.</summary>
    public QuotaStatus? Quota { get; init; }

    /// <summary>True while it is so much slower than another of its priority that it gets the least urgent requests.</summary>
    public bool IsSlow { get; init; }
}
