using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Providers;

/// <summary>Recent results of the requests to a provider, by the hour. Thread-safe.</summary>
/// <param name="time">Clock.</param>
internal sealed class ProviderReliability(TimeProvider time)
{
    /// <summary>Hours counted, including the current one.</summary>
    public const int Hours = 24;

    /// <summary>Hours counted when choosing among equals: this hour and the one before, so that a bad evening is forgotten by morning.</summary>
    private const int RecentHours = 2;

    /// <summary>Fewest articles that allow a judgement.</summary>
    private const int FewestToJudge = 20;

    /// <summary>One failure in this many counts as unreliable: on a bad line all providers fail alike, and then none is preferred.</summary>
    private const int BrokenInAll = 10;

    private readonly Lock _gate = new();
    private readonly long[] _hours = new long[Hours];
    private readonly ReliabilityCounts[] _counts = new ReliabilityCounts[Hours];
    private volatile bool _isUnreliable;

    /// <summary>True while one in ten articles of the last hour or two arrived damaged, or did not arrive although the provider accepted the request. Costs nothing to
    /// read.</summary>
    public bool IsUnreliable => _isUnreliable;

    /// <summary>Results of the last 24 hours.</summary>
    public ReliabilityCounts Lately
    {
        get
        {
            lock (_gate)
                return SumLocked(Hours);
        }
    }

    /// <summary>Counts a request that ended.</summary>
    /// <param name="outcome">How it ended.</param>
    /// <param name="timedOut">True when it was lost because its connection was silent.</param>
    public void Add(AttemptOutcome outcome, bool timedOut)
    {
        var one = ReliabilityCounts.Of(outcome, timedOut);
        if (one == default)
            return;
        lock (_gate)
        {
            var hour = ThisHour;
            var place = (int)(hour % Hours);
            if (_hours[place] != hour)
                (_hours[place], _counts[place]) = (hour, default);
            _counts[place] += one;
            JudgeLocked();
        }
    }

    /// <summary>Must be called now and then: expires old results.</summary>
    public void Look()
    {
        if (!_isUnreliable)
            return;
        lock (_gate)
            JudgeLocked();
    }

    private long ThisHour => time.GetUtcNow().UtcTicks / TimeSpan.TicksPerHour;

    private void JudgeLocked()
    {
        var recent = SumLocked(RecentHours);
        _isUnreliable = recent.Broken + recent.Found >= FewestToJudge && recent.Broken * BrokenInAll >= recent.Broken + recent.Found;
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
