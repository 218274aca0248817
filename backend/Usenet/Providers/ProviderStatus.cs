using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Providers.Quotas;

namespace NzbDav.Usenet.Providers;

/// <summary>Snapshot of a provider for the health page and the log.</summary>
/// <param name="Name">As configured.</param>
/// <param name="Host">Host and port.</param>
/// <param name="State">Usable or not.</param>
/// <param name="Failure">What kind of failure, when failing.</param>
/// <param name="Reason">Why it cannot be used and what to do, as text; null when nothing is wrong.</param>
/// <param name="OpenConnections">Open and logged in.</param>
/// <param name="MaxConnections">The most that it can have now: configured, or lower when the provider refused more or <see cref="Share"/>
/// is lower.</param>
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

    /// <summary>Results of its requests in the last 24 hours.</summary>
    public ReliabilityCounts Lately { get; init; }

    /// <summary>True while so many of its articles fail that others of its priority are asked first where they have room.</summary>
    public bool IsUnreliable { get; init; }

    /// <summary>State of its quota; null: it has none.</summary>
    public QuotaStatus? Quota { get; init; }

    /// <summary>True while it is so much slower than another of its priority that it gets the least urgent requests.</summary>
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

/// <summary>What a provider is doing, for people. <see cref="ProviderState"/> says whether it can be used.</summary>
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

/// <summary>Results of the requests for articles to a provider, since it was set up.</summary>
/// <param name="Asked">Articles requested, whatever the result.</param>
/// <param name="Found">Intact and the expected part.</param>
/// <param name="Missing">The provider does not have them.</param>
/// <param name="Corrupt">Damaged, in an unsupported encoding, or another part than expected.</param>
/// <param name="Failed">Refused, or lost with their connection.</param>
public sealed record ProviderCounters(long Asked, long Found, long Missing, long Corrupt, long Failed)
{
    /// <summary>Of <see cref="Failed"/>, those whose connection was closed because nothing arrived.</summary>
    public long TimedOut { get; init; }

    /// <summary>The running counters. Thread-safe.</summary>
    internal sealed class Live
    {
        private readonly long[] _outcomes = new long[Enum.GetValues<AttemptOutcome>().Length];

        private long _timedOut;

        public void Add(AttemptOutcome outcome, bool timedOut)
        {
            Interlocked.Increment(ref _outcomes[(int)outcome]);
            if (timedOut && outcome == AttemptOutcome.Lost)
                Interlocked.Increment(ref _timedOut);
        }

        public ProviderCounters Read()
        {
            var found = this[AttemptOutcome.Found];
            var missing = this[AttemptOutcome.Missing];
            var corrupt = this[AttemptOutcome.Corrupt] + this[AttemptOutcome.Foreign] + this[AttemptOutcome.Mismatch];
            var failed = this[AttemptOutcome.Lost] + this[AttemptOutcome.Refused];
            return new ProviderCounters(found + missing + corrupt + failed + this[AttemptOutcome.Superseded], found, missing, corrupt,
                failed)
            { TimedOut = Interlocked.Read(ref _timedOut) };
        }

        private long this[AttemptOutcome outcome] => Interlocked.Read(ref _outcomes[(int)outcome]);
    }
}
