using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Providers;

/// <summary>Recent results of the requests to a provider, by the hour. Thread-safe.</summary>
/// <param name="time">Clock.</param>
internal sealed class ProviderReliability(TimeProvider time)
{
    /// <summary>Hours counted, including the current one.</summary>
    public const int Hours = 24;

    /// <summary>
    /// Hours counted when choosing among equals: this hour and the one before, so that a bad evening is forgotten by morning.
    /// </summary>
    private const int RecentHours = 2;

    /// <summary>Fewest articles that allow a judgement.</summary>
    private const int MinSamples = 20;

    /// <summary>
    /// One failure in this many counts as unreliable. On a bad line all providers fail alike, and then none is preferred.
    /// </summary>
    private const int BrokenInAll = 10;

    private readonly Lock _gate = new();
    private readonly long[] _hours = new long[Hours];
    private readonly ReliabilityCounts[] _counts = new ReliabilityCounts[Hours];
    private volatile bool _isUnreliable;

    /// <summary>
    /// True while at least one in ten articles of the last hour or two failed: arrived damaged, was refused, or was lost with its
    /// connection. A missing article is not a failure. Costs nothing to read.
    /// </summary>
    public bool IsUnreliable => _isUnreliable;

    /// <summary>Results of the last 24 hours.</summary>
    public ReliabilityCounts LastDay
    {
        get
        {
            lock (_gate)
                return SumLocked(Hours);
        }
    }

    /// <summary>Counts a request that ended.</summary>
    /// <param name="outcome">How it ended.</param>
    public void Add(AttemptOutcome outcome)
    {
        var one = ReliabilityCounts.Of(outcome);
        if (one == default)
            return;
        lock (_gate)
        {
            var hour = ThisHour;
            var place = (int)(hour % Hours);
            if (_hours[place] != hour)
                (_hours[place], _counts[place]) = (hour, default);
            _counts[place] += one;
            EvaluateLocked();
        }
    }

    /// <summary>Expires old results. Call once a second (the provider does).</summary>
    public void Tick()
    {
        if (!_isUnreliable)
            return;
        lock (_gate)
            EvaluateLocked();
    }

    private long ThisHour => time.GetUtcNow().UtcTicks / TimeSpan.TicksPerHour;

    private void EvaluateLocked()
    {
        var recent = SumLocked(RecentHours);
        _isUnreliable = recent.Broken + recent.Found >= MinSamples && recent.Broken * BrokenInAll >= recent.Broken + recent.Found;
    }

    private ReliabilityCounts SumLocked(int hours)
    {
        var (now, sum) = (ThisHour, default(ReliabilityCounts));
        for (var back = 0; back < hours; back++)
        {
            var hour = now - back;
            sum += _hours[hour % Hours] == hour ? _counts[hour % Hours] : default;
        }

        return sum;
    }
}

/// <summary>Results of the requests to a provider within a period.</summary>
/// <param name="Found">Articles that arrived as posted.</param>
/// <param name="Missing">Articles that the provider does not have.</param>
/// <param name="Damaged">Articles that arrived with a wrong checksum or size.</param>
/// <param name="TimedOut">Articles whose connection was silent and therefore closed.</param>
/// <param name="Lost">Articles refused, or lost with a connection that ended otherwise.</param>
public readonly record struct ReliabilityCounts(long Found, long Missing, long Damaged, long TimedOut, long Lost)
{
    /// <summary>Number of all requests.</summary>
    public long Asked => Found + Missing + Broken;

    /// <summary>Requests at which the provider failed. A missing article is not a failure.</summary>
    public long Broken => Damaged + TimedOut + Lost;

    /// <summary>The sum of both.</summary>
    public static ReliabilityCounts operator +(ReliabilityCounts one, ReliabilityCounts other) =>
        new(one.Found + other.Found, one.Missing + other.Missing, one.Damaged + other.Damaged, one.TimedOut + other.TimedOut,
            one.Lost + other.Lost);

    /// <summary>The count of one request. An unexpected encoding or part counts as posted; a superseded request does not count.</summary>
    internal static ReliabilityCounts Of(AttemptOutcome outcome) => outcome switch
    {
        AttemptOutcome.Found or AttemptOutcome.Foreign or AttemptOutcome.Mismatch => new ReliabilityCounts(1, 0, 0, 0, 0),
        AttemptOutcome.Missing => new ReliabilityCounts(0, 1, 0, 0, 0),
        AttemptOutcome.Corrupt => new ReliabilityCounts(0, 0, 1, 0, 0),
        AttemptOutcome.TimedOut => new ReliabilityCounts(0, 0, 0, 1, 0),
        AttemptOutcome.Lost or AttemptOutcome.Refused => new ReliabilityCounts(0, 0, 0, 0, 1),
        _ => default,
    };
}
