using NzbDav.Content.Rates;

namespace NzbDav.Usenet.Articles;

/// <summary>
/// Estimates the capacity of the line to the providers from the articles received. Measured while at least half of the connections are
/// busy, otherwise extrapolated from the speed of each. Not thread-safe: written under the dispatcher's lock; <see cref="Burst"/> may be
/// read from any thread.
/// </summary>
internal sealed class LineEstimate(TimeProvider time)
{
    /// <summary>
    /// Size of a burst, in seconds of the line. If each connection does 6 MB/s and twenty do 120, this covers a player's first jump of 8
    /// MiB at once; on a home line of 6 MB/s in all it is less than two articles, so that the others do not slow the first.
    /// </summary>
    private const double BurstSeconds = 0.2;

    /// <summary>Largest burst in bytes; more would exceed a reader's share of the usual budgets.</summary>
    private const long Most = 128L << 20;

    /// <summary>Largest burst in bytes while the rate is a guess: half a second at 1 Gbit/s.</summary>
    private const long MostGuessed = 64L << 20;

    /// <summary>Burst in bytes before the first article: a head and a tail at once, which even a slow line delivers in a second.</summary>
    private const long Unknown = 4L << 20;

    /// <summary>Smallest article in bytes from which a rate is measured.</summary>
    private const int SmallestArticle = 64 << 10;

    /// <summary>Lower limit for a transfer time: an article that arrived in one piece with others took no measurable time.</summary>
    private static readonly TimeSpan ShortestTransfer = TimeSpan.FromMilliseconds(0.1);

    /// <summary>Upper limit of <see cref="ArticleTime"/>, in seconds: a line that needs longer per article carries no stream.</summary>
    private const double MostArticleSeconds = 10;

    /// <summary>Age at which a measurement is discarded: the line may have been busy with something else.</summary>
    private static readonly TimeSpan Memory = TimeSpan.FromMinutes(10);

    private MovingAverage _carried;
    private MovingAverage _articleBytes;
    private MovingAverage _seen;
    private MovingAverage _guessed;
    private long _seenAt;
    private long _burst = Unknown;

    /// <summary>See <see cref="Content.ISegmentFetcher.Burst"/>.</summary>
    public long Burst => Interlocked.Read(ref _burst);

    /// <summary>Decoded bytes of a usual article; 0 before the first.</summary>
    public double ArticleBytes => _articleBytes.Value;

    /// <summary>Updates the estimate with an article that arrived complete.</summary>
    /// <param name="bytes">Its size.</param>
    /// <param name="transfer">Time from its first to its last byte.</param>
    /// <param name="busy">Busy connections at its end, including its own.</param>
    /// <param name="connections">Connections that may be open.</param>
    public void Received(int bytes, TimeSpan transfer, int busy, int connections)
    {
        if (bytes < SmallestArticle)
            return;
        var rate = bytes / (transfer > ShortestTransfer ? transfer : ShortestTransfer).TotalSeconds;
        _carried.Add(rate * busy);
        _articleBytes.Add(bytes);
        if (busy * 2 >= connections)
        {
            if (!IsFresh)
                _seen = default;
            _seen.Add(rate * busy);
            _seenAt = Math.Max(1, time.GetTimestamp());
        }
        else
        {
            _guessed.Add(rate * connections / 2);
        }

        Interlocked.Exchange(ref _burst, (long)Math.Min(IsFresh ? Most : MostGuessed, BurstSeconds * Rate));
    }

    /// <summary>
    /// Requests that each connection must carry to fill the line: its share of the bytes in flight during a round trip, and the article
    /// being received.
    /// </summary>
    /// <param name="roundTrip">Round trip to the provider.</param>
    /// <param name="articleBytes">Size of a usual article.</param>
    /// <param name="connections">Connections that may be open, at least 1.</param>
    public int DepthFor(TimeSpan roundTrip, int articleBytes, int connections) =>
        1 + (int)Math.Min(int.MaxValue / 2, roundTrip.TotalSeconds * Rate / Math.Max(SmallestArticle, articleBytes) / connections);

    /// <summary>
    /// Time from the first to the last byte of a usual article while this many connections share the measured capacity. Unmeasured capacity
    /// is not guessed: too long a time delays a hedge, too short a time makes every article late.
    /// </summary>
    /// <param name="busy">Busy connections.</param>
    /// <returns>Zero before the first article.</returns>
    public TimeSpan ArticleTime(int busy) =>
        _carried.IsKnown
            ? TimeSpan.FromSeconds(Math.Min(MostArticleSeconds, _articleBytes.Value * busy / _carried.Value)) : TimeSpan.Zero;

    private double Rate => (IsFresh ? _seen : _guessed).Value;

    private bool IsFresh => _seenAt != 0 && time.GetElapsedTime(_seenAt) < Memory;
}
