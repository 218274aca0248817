using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Providers.Quotas;

namespace NzbDav.Usenet.Providers;

/// <summary>A provider as it is now: a snapshot for the health page and the log.</summary>
/// <param name="Name">As configured.</param>
/// <param name="Host">Host and port.</param>
/// <param name="State">Usable or not.</param>
/// <param name="Failure">What kind of failure, when failing.</param>
/// <param name="Reason">In words, with what to do; null when nothing is wrong.</param>
/// <param name="OpenConnections">Open and logged in.</param>
/// <param name="MaxConnections">The cap: configured, or lower when the provider refused more.</param>
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
    /// <summary>Of <see cref="OpenConnections"/>, those on which something is asked for and has not come whole.</summary>
    public int BusyConnections { get; init; }

    /// <summary>What came of the articles that it was asked for.</summary>
    public ProviderCounters Counters { get; init; } = new(0, 0, 0, 0, 0);

    /// <summary>What it is doing.</summary>
    public ProviderPhase Phase { get; init; }

    /// <summary>When <see cref="Phase"/> began.</summary>
    public DateTimeOffset Since { get; init; }

    /// <summary>Why it is down, why it connects anew, or why no more connections can be opened; null when nothing is wrong.</summary>
    public string? Trouble { get; init; }

    /// <summary>Connections that the account was seen to allow, where that is fewer than configured; else null.</summary>
    public int? GrantedConnections { get; init; }

    /// <summary>Decoded bytes a second over the last four seconds.</summary>
    public double Rate { get; init; }

    /// <summary>Decoded bytes a second that one busy connection was seen to bring, smoothed; 0 before the first article.</summary>
    public double ConnectionRate { get; init; }

    /// <summary>What became of the articles of the last 24 hours.</summary>
    public ReliabilityCounts Lately { get; init; }

    /// <summary>True while it breaks so many articles that others of its priority are asked before it where they have room.</summary>
    public bool IsUnreliable { get; init; }

    /// <summary>How its quota stands; null: it has none.</summary>
    public QuotaStatus? Quota { get; init; }

    /// <summary>True while it is so slow beside another of its priority that it gets what is needed last.</summary>
    public bool IsSlow { get; init; }
}
