using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Providers.Quotas;

namespace NzbDav.Usenet.Providers;

/// <summary>Snapshot of a provider for the health page and the log.</summary>
/// <param name="Name">As configured.</param>
/// <param name="Host">Host and port.</param>
/// <param name="State">Usable or not.</param>
/// <param name="Failure">The kind of failure, if failing.</param>
/// <param name="Reason">Why it cannot be used and what to do, as text; null if nothing is wrong.</param>
/// <param name="OpenConnections">Connections that are open and logged in.</param>
/// <param name="MaxConnections">Most connections it can have now: as configured, or fewer if the provider refused more or
/// <see cref="Share"/> is lower.</param>
/// <param name="NextAttempt">When it is tried again, if failing.</param>
/// <param name="RoundTripMilliseconds">Time from request to first byte on an idle connection, smoothed; 0 before the first.</param>
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
    /// <summary>How many of <see cref="OpenConnections"/> have a request on the wire.</summary>
    public int BusyConnections { get; init; }

    /// <summary>Results of its requests.</summary>
    public ProviderCounters Counters { get; init; } = new(0, 0, 0, 0, 0);

    /// <summary>What it is doing.</summary>
    public ProviderPhase Phase { get; init; }

    /// <summary>When <see cref="Phase"/> started.</summary>
    public DateTimeOffset Since { get; init; }

    /// <summary>Why it is down, reconnecting, or cannot open more connections; null if nothing is wrong.</summary>
    public string? Trouble { get; init; }

    /// <summary>Connections that the account was seen to allow, if fewer than configured; otherwise null.</summary>
    public int? GrantedConnections { get; init; }

    /// <summary>Connections that this process may have, if several processes share the account; null: it is alone.</summary>
    public int? Share { get; init; }

    /// <summary>Decoded bytes per second over the last four seconds.</summary>
    public double Rate { get; init; }

    /// <summary>Decoded bytes per second of one busy connection, smoothed; 0 before the first article.</summary>
    public double ConnectionRate { get; init; }

    /// <summary>Results of its requests in the last 24 hours.</summary>
    public ReliabilityCounts Lately { get; init; }

    /// <summary>True while so many of its articles fail that others of its priority are preferred where they have room.</summary>
    public bool IsUnreliable { get; init; }

    /// <summary>State of its quota; null: it has none.</summary>
    public QuotaStatus? Quota { get; init; }

    /// <summary>True while it is so much slower than another of its priority that it gets only the least urgent requests.</summary>
    public bool IsSlow { get; init; }
}

/// <summary>Whether a provider can be used.</summary>
public enum ProviderState
{
    /// <summary>The first connection is being opened.</summary>
    Connecting,

    /// <summary>At least one connection is open and logged in, or the last attempt worked.</summary>
    Ready,

    /// <summary>It cannot be used; see the reason.</summary>
    Failing,
}

/// <summary>What a provider is doing, for display. <see cref="ProviderState"/> says whether it can be used.</summary>
public enum ProviderPhase
{
    /// <summary>At least one connection is open and logged in.</summary>
    Connected,

    /// <summary>No connection is open and none is wanted.</summary>
    Idle,

    /// <summary>A connection is being opened; nothing has failed yet.</summary>
    Connecting,

    /// <summary>The last attempt failed.</summary>
    Down,

    /// <summary>Its quota is used up: it gets no requests until the quota starts over.</summary>
    UsedUp,
}

/// <summary>Results of the article requests to a provider, since it was set up.</summary>
/// <param name="Asked">Articles requested, whatever the result.</param>
/// <param name="Found">Articles that arrived intact and are the expected part.</param>
/// <param name="Missing">Articles that the provider does not have.</param>
/// <param name="Corrupt">Articles that are damaged, in an unsupported encoding, or another part than expected.</param>
/// <param name="Failed">Requests refused, or lost with their connection.</param>
public sealed record ProviderCounters(long Asked, long Found, long Missing, long Corrupt, long Failed)
{
    /// <summary>How many of <see cref="Failed"/> had their connection closed because nothing arrived.</summary>
    public long TimedOut { get; init; }

    /// <summary>The running counters. Thread-safe.</summary>
    internal sealed class Live
    {
        private readonly long[] _outcomes = new long[Enum.GetValues<AttemptOutcome>().Length];

        public void Add(AttemptOutcome outcome) => Interlocked.Increment(ref _outcomes[(int)outcome]);

        public ProviderCounters Read()
        {
            var found = this[AttemptOutcome.Found];
            var missing = this[AttemptOutcome.Missing];
            var corrupt = this[AttemptOutcome.Corrupt] + this[AttemptOutcome.Foreign] + this[AttemptOutcome.Mismatch];
            var failed = this[AttemptOutcome.Lost] + this[AttemptOutcome.TimedOut] + this[AttemptOutcome.Refused];
            return new ProviderCounters(found + missing + corrupt + failed + this[AttemptOutcome.Superseded], found, missing, corrupt,
                failed)
            { TimedOut = this[AttemptOutcome.TimedOut] };
        }

        private long this[AttemptOutcome outcome] => Interlocked.Read(ref _outcomes[(int)outcome]);
    }
}
