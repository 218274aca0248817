using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Providers;

/// <summary>Results of the requests to a provider within a period.</summary>
/// <param name="Found">Arrived as posted.</param>
/// <param name="Missing">It does not have them.</param>
/// <param name="Damaged">Came with a wrong checksum or size.</param>
/// <param name="TimedOut">The connection was silent and therefore closed.</param>
/// <param name="Lost">Refused, or lost with a connection that ended otherwise.</param>
public readonly record struct ReliabilityCounts(long Found, long Missing, long Damaged, long TimedOut, long Lost)
{
    /// <summary>All of them.</summary>
    public long Asked => Found + Missing + Broken;

    /// <summary>Requests at which the provider failed. A missing article is no failure.</summary>
    public long Broken => Damaged + TimedOut + Lost;

    /// <summary>Both together.</summary>
    public static ReliabilityCounts operator +(ReliabilityCounts one, ReliabilityCounts other) =>
        new(one.Found + other.Found, one.Missing + other.Missing, one.Damaged + other.Damaged, one.TimedOut + other.TimedOut, one.Lost + other.Lost);

    /// <summary>The count of one request. Another encoding or part than expected counts as posted; a superseded request counts as nothing.</summary>
    internal static ReliabilityCounts Of(AttemptOutcome outcome, bool timedOut) => outcome switch
    {
        AttemptOutcome.Found or AttemptOutcome.Foreign or AttemptOutcome.Mismatch => new ReliabilityCounts(1, 0, 0, 0, 0),
        AttemptOutcome.Missing => new ReliabilityCounts(0, 1, 0, 0, 0),
        AttemptOutcome.Corrupt => new ReliabilityCounts(0, 0, 1, 0, 0),
        AttemptOutcome.Lost when timedOut => new ReliabilityCounts(0, 0, 0, 1, 0),
        AttemptOutcome.Lost or AttemptOutcome.Refused => new ReliabilityCounts(0, 0, 0, 0, 1),
        _ => default,
    };
}
