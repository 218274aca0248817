namespace NzbDav.Usenet.Articles;

/// <summary>
/// What the way to the providers carries, from the articles that came: with most connections at work that is seen, with few of them it is
/// guessed from how fast each was. Not thread-safe: written under the dispatcher's lock; <see cref="Burst"/> may be read from any thread.
/// </summary>
internal sealed class LineEstimate(TimeProvider time)
{
    /// <summary>
    /// What may be sent for at once, in seconds of the line. Where each connection does 6 MB/s and twenty do 120, this is a player's first jump of
    /// 8 MiB in one go; on a home's 6 MB/s in all it is less than two articles, so that the first is not slowed by the others.
    /// </summary>
    private const double BurstSeconds = 0.2;

    /// <summary>More than this at once is more than a reader's share of the usual budgets.</summary>
    private const long Most = 128L << 20;

    /// <summary>As long as the rate is a guess: half a second of 1 Gbit/s, should that be all that the line carries.</summary>
    private const long MostGuessed = 64L << 20;

    /// <summary>Before anything came: a head and a tail at once, which even a slow line brings in a second.</summary>
    private const long Unknown = 4L << 20;

    /// <summary>Less than this says nothing of a rate.</summary>
    private const int SmallestArticle = 64 << 10;

    /// <summary>Weight of a new observation: as in TCP's smoothed round trip (RFC 6298).</summary>
    private const double Weight = 1.0 / 8;

    /// <summary>An article that came in one piece with others took no time that a clock would show.</summary>
    private static readonly TimeSpan ShortestTransfer = TimeSpan.FromMilliseconds(0.1);

    /// <summary>Bound of <see cref="ArticleTime"/>: a line on which an article takes longer carries no stream.</summary>
    private const double MostArticleSeconds = 10;

    /// <summary>Age at which what was seen is no longer believed: the line may have been busy with something else.</summary>
    private static readonly TimeSpan Memory = TimeSpan.FromMinutes(10);

    private double _carried;
    private double _articleBytes;
    private double _seen;
    private double _guessed;
    private long _seenAt;
    private long _burst = Unknown;

    /// <summary>See <see cref="Content.ISegmentFetcher.Burst"/>.</summary>
    public long Burst => Interlocked.Read(ref _burst);

    /// <summary>Decoded bytes of a usual article; 0 before one came.</summary>
    public double ArticleBytes => _articleBytes;

    /// <summary>An article came whole.</summary>
    /// <param name="bytes">Its size.</param>
    /// <param name="transfer">From its first to its last byte.</param>
    /// <param name="busy">Connections that had something to fetch at its end, its own included.</param>
    /// <param name="connections">Connections that may be open.</param>
    public void Received(int bytes, TimeSpan transfer, int busy, int connections)
    {
        if (bytes < SmallestArticle)
            return;
        var rate = bytes / (transfer > ShortestTransfer ? transfer : ShortestTransfer).TotalSeconds;
        _carried = Smooth(_carried, rate * busy);
        _articleBytes = Smooth(_articleBytes, bytes);
        if (busy * 2 >= connections)
        {
            _seen = Smooth(IsFresh ? _seen : 0, rate * busy);
            _seenAt = Math.Max(1, time.GetTimestamp());
        }
        else
        {
            _guessed = Smooth(_guessed, rate * connections / 2);
        }

        Interlocked.Exchange(ref _burst, (long)Math.Min(IsFresh ? Most : MostGuessed, BurstSeconds * Rate));
    }

    /// <summary>Requests that each connection must hold for the line to be full: what is on its way in a round trip, shared by all, and the one that comes.</summary>
    /// <param name="roundTrip">To the provider.</param>
    /// <param name="articleBytes">Of a usual article.</param>
    /// <param name="connections">Connections that may be open, at least 1.</param>
    public int DepthFor(TimeSpan roundTrip, int articleBytes, int connections) =>
        1 + (int)Math.Min(int.MaxValue / 2, roundTrip.TotalSeconds * Rate / Math.Max(SmallestArticle, articleBytes) / connections);

    /// <summary>
    /// From the first to the last byte of a usual article while so many connections share what the line was seen to carry. What it could carry beyond is not
    /// guessed: too long a time costs some patience, too short a time makes every article late.
    /// </summary>
    /// <param name="busy">Connections that have something to fetch.</param>
    /// <returns>Zero before an article came.</returns>
    public TimeSpan ArticleTime(int busy) => _carried == 0 ? TimeSpan.Zero : TimeSpan.FromSeconds(Math.Min(MostArticleSeconds, _articleBytes * busy / _carried));

    private double Rate => IsFresh ? _seen : _guessed;

    private bool IsFresh => _seenAt != 0 && time.GetElapsedTime(_seenAt) < Memory;

    private static double Smooth(double old, double sample) => old == 0 ? sample : old + ((sample - old) * Weight);
}
