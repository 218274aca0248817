using NzbDav.Usenet.Articles;

namespace NzbDav.Usenet.Providers;

/// <summary>What became of the articles that a provider was asked for in a time.</summary>
/// <param name="Found">Came as they were posted.</param>
/// <param name="Missing">It does not have them.</param>
/// <param name="Damaged">Came with a wrong checksum or size.</param>
/// <param name="TimedOut">Nothing came on the connection, which was closed therefore.</param>
/// <param name="Lost">Refused, or lost with a connection that ended otherwise.</param>
public readonly record struct ReliabilityCounts(long Found, long Missing, long Damaged, long TimedOut, long Lost)
{
    /// <summary>All of them.</summary>
    public long Asked => Found + Missing + Broken;

    /// <summary>Those where the provider failed. That it does not have an article is no failure.</summary>
    public long Broken => Damaged + TimedOut + Lost;

    /// <summary>Both together.</summary>
    public static ReliabilityCounts operator +(ReliabilityCounts one, ReliabilityCounts other) =>
        new(one.Found + other.Found, one.Missing + other.Missing, one.Damaged + other.Damaged, one.TimedOut + other.TimedOut, one.Lost + other.Lost);

    /// <summary>One request. Another encoding or another part than expected is what was posted; one that was not needed any more says nothing.</summary>
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
