using NzbDav.Usenet.Articles;

namespace NzbDav.Usenet.Providers;

/// <summary>What became lately of the articles that a provider was asked for, by the hour. Thread-safe.</summary>
/// <param name="time">Clock.</param>
internal sealed class ProviderReliability(TimeProvider time)
{
    /// <summary>The hour that has begun and those before it.</summary>
    public const int Hours = 24;

    /// <summary>For the choice among equals: this hour and the one before, so that a bad evening is forgotten in the night.</summary>
    private const int RecentHours = 2;

    /// <summary>Fewer articles say nothing.</summary>
    private const int FewestToJudge = 20;

    /// <summary>One in ten: on a line that is merely bad all providers do so alike, and then none is preferred.</summary>
    private const int BrokenInAll = 10;

    private readonly Lock _gate = new();
    private readonly long[] _hours = new long[Hours];
    private readonly ReliabilityCounts[] _counts = new ReliabilityCounts[Hours];
    private volatile bool _isUnreliable;

    /// <summary>True while one in ten articles of the last hour or two came damaged, or did not come although the provider took the request. Costs nothing to read.</summary>
    public bool IsUnreliable => _isUnreliable;

    /// <summary>Of the last 24 hours.</summary>
    public ReliabilityCounts Lately
    {
        get
        {
            lock (_gate)
                return SumLocked(Hours);
        }
    }

    /// <summary>A request ended.</summary>
    /// <param name="outcome">How.</param>
    /// <param name="timedOut">It was lost because nothing came on its connection.</param>
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

    /// <summary>To be called now and then: what is old counts no more.</summary>
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
