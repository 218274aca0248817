using NzbDav.Content.Rates;

namespace NzbDav.Usenet.Providers;

/// <summary>
/// A provider's time per article on one connection, learned from received articles, and whether it is slow compared with others of its
/// priority. Guarded by the dispatcher's lock; <see cref="BytesPerSecond"/> and <see cref="IsSlow"/> may be read from any thread.
/// </summary>
internal sealed class ProviderPace(TimeProvider time)
{
    /// <summary>Weight of an observation after a pause: earlier ones may no longer hold.</summary>
    private const double WeightAfterPause = 1.0 / 2;

    /// <summary>Smallest article in bytes from which the speed is measured.</summary>
    private const int SmallestArticle = 64 << 10;

    /// <summary>Time between two trials of a slow provider, and the pause after which earlier observations count for half.</summary>
    public static readonly TimeSpan TrialEvery = TimeSpan.FromSeconds(10);

    /// <summary>Time between trials while readers wait for a free connection of the others.</summary>
    public static readonly TimeSpan TrialEveryInNeed = TimeSpan.FromSeconds(2);

    private MovingAverage _secondsPerByte;
    private long _measuredAt;
    private long _requestedAt;

    /// <summary>True if the next article may be a trial, whenever the last one was requested.</summary>
    private bool _isTrialDue;

    /// <summary>True while it takes several times as long per article as another provider of its priority.</summary>
    public bool IsSlow { get; private set; }

    /// <summary>True once an article was received, or was overdue for long.</summary>
    public bool IsKnown => _secondsPerByte.IsKnown;

    /// <summary>Decoded bytes per second on one busy connection; 0: unknown.</summary>
    public double BytesPerSecond => _secondsPerByte.Value is > 0 and var seconds ? 1 / seconds : 0;

    /// <summary>
    /// When it became faster: an article requested then arrived in less than half the time expected from the slow provider. Articles
    /// requested earlier that still trickle say nothing about its speed now. 0: never.
    /// </summary>
    public long BetterSince { get; private set; }

    /// <summary>
    /// True if a slow provider has not been asked for anything for a while, because it may have become faster. Also true right after an
    /// article that arrived in less than half the expected time.
    /// </summary>
    /// <param name="inNeed">True if readers wait for a free connection of the others.</param>
    public bool IsTrialDue(bool inNeed) =>
        IsSlow && (_isTrialDue || time.GetElapsedTime(_requestedAt) >= (inNeed ? TrialEveryInNeed : TrialEvery));

    /// <summary>
    /// True if a trial is due while readers wait for a free connection of the others, and no connection has been replaced for it yet.
    /// </summary>
    public bool NeedsConnectionForTrial => !_isTrialDue && IsTrialDue(inNeed: true);

    /// <summary>Records that a connection is being replaced: the next article is a trial.</summary>
    public void MakeRoom()
    {
        _requestedAt = time.GetTimestamp();
        _isTrialDue = true;
    }

    /// <summary>Records that an article was requested from it.</summary>
    public void OnRequested()
    {
        _requestedAt = time.GetTimestamp();
        _isTrialDue = false;
    }

    /// <summary>Its time per article; zero: unknown.</summary>
    /// <param name="bytes">Decoded bytes of the article.</param>
    public TimeSpan TimeFor(double bytes) =>
        TimeSpan.FromSeconds(Math.Min(TimeSpan.MaxValue.TotalSeconds / 2, _secondsPerByte.Value * bytes));

    /// <summary>Updates the estimate with an article that arrived complete.</summary>
    /// <param name="bytes">Decoded bytes.</param>
    /// <param name="service">Time from when it became the next on its connection to its last byte, without the round trip.</param>
    /// <param name="sentAt">When it was requested.</param>
    public void ArticleCompleted(int bytes, TimeSpan service, long sentAt)
    {
        if (bytes < SmallestArticle)
            return;
        var sample = Math.Max(TimeSpan.FromMilliseconds(0.1).TotalSeconds, service.TotalSeconds) / bytes;
        var isBetter = IsSlow && sample * BetterFactor < _secondsPerByte.Value;
        if (isBetter)
        {
            _isTrialDue = true;
            BetterSince = Math.Max(BetterSince, sentAt);
        }

        var weight = !isBetter && (_measuredAt == 0 || time.GetElapsedTime(_measuredAt) < TrialEvery)
            ? MovingAverage.TcpWeight : WeightAfterPause;
        _secondsPerByte.Add(sample, weight);
        _measuredAt = Math.Max(1, time.GetTimestamp());
    }

    /// <summary>Updates the estimate with an article that is overdue.</summary>
    /// <param name="bytes">Decoded bytes of a usual article.</param>
    /// <param name="elapsed">Time since it became the next on its connection, without the round trip.</param>
    public void Waited(double bytes, TimeSpan elapsed)
    {
        _secondsPerByte.Set(Math.Max(_secondsPerByte.Value, elapsed.TotalSeconds / Math.Max(SmallestArticle, bytes)));
        _measuredAt = Math.Max(1, time.GetTimestamp());
    }

    /// <summary>Compares it with the fastest provider of its priority.</summary>
    /// <param name="bytes">Decoded bytes of a usual article.</param>
    /// <param name="best">How long the fastest takes for one.</param>
    public void Compare(double bytes, TimeSpan best) => IsSlow = IsKnown && TimeFor(bytes) > SlowFrom(best);

    /// <summary>Time per article from which a provider counts as slow beside the best.</summary>
    public static TimeSpan SlowFrom(TimeSpan best) => TimeSpan.FromTicks(Math.Max(best.Ticks * Factor, Least.Ticks));

    /// <summary>
    /// Factor by which it must be slower: connections share a line unevenly, and those to a distant server get less of it.
    /// </summary>
    private const int Factor = 4;

    /// <summary>Factor by which an article of a slow provider must beat the recent ones to be more than chance.</summary>
    private const int BetterFactor = 2;

    /// <summary>Shorter times never count as slow, because nobody notices: an article is about a second of a film.</summary>
    private static readonly TimeSpan Least = TimeSpan.FromMilliseconds(200);
}
