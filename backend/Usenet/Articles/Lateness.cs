using NzbDav.Content;

namespace NzbDav.Usenet.Articles;

/// <summary>
/// Decides what is late. An article is expected one usual article time and one round trip after it became the next on its connection. It is
/// late if its connection is silent for a good part of that, or if it takes several times as long. Call under the dispatcher's lock.
/// </summary>
internal sealed class Lateness(DispatchState state)
{
    /// <summary>Least silence, in round trips of the connection, before it counts.</summary>
    private const int RoundTrips = 3;

    /// <summary>Articles that must have arrived per busy connection for a silent connection to be outrun.</summary>
    private const int OutrunArticles = 2;

    /// <summary>Fewest such articles: with few busy connections, a burst on one of them proves little.</summary>
    private const int LeastOutrun = 4;

    /// <summary>
    /// True if a request on the wire should also be sent elsewhere: its connection is silent or outrun, or, for a reader, its article
    /// trickles. If its provider is known to be slower than another, or another was never tried, a slow article is late as early as a
    /// silent one, for an import too.
    /// </summary>
    public bool IsLate(ArticleRequest request)
    {
        if (request.SentAt == 0)
            return false;
        var isImport = request.Urgency == FetchPriority.Import;
        var limit = isImport ? LateLimit.Import : LateLimit.Reader;
        return IsSilent(request, limit)
            || (!isImport && (IsOutrun(request) || IsOverdue(request, LateLimit.Trickle)))
            || (IsOverdue(request, limit)
                && (request.Connection!.Provider.Pace.IsSlow || state.TierOf(request)?.HasUntriedFor(request) == true));
    }

    /// <summary>
    /// True if the article being received on the request's connection has taken longer than the limit, not counting the round trip. It and
    /// the requests behind it should be requested elsewhere.
    /// </summary>
    public bool IsOverdue(ArticleRequest request, LateLimit limit) =>
        state.Time.GetElapsedTime(request.Connection!.HeadSince) > limit.Of(UsualTime(request)) + request.Connection.Provider.RoundTrip;

    /// <summary>True if the request's connection has been silent beyond the limit since the request was sent.</summary>
    public bool IsSilent(ArticleRequest request, LateLimit limit) =>
        request.SentAt != 0 && IsSilent(request.Connection!, SilentSince(request), limit.Of(UsualTime(request)));

    /// <summary>True if a connection has been silent beyond the limit.</summary>
    public bool IsSilent(DispatchConnection connection, LateLimit limit) =>
        IsSilent(connection, connection.LastActivity, limit.Of(state.Line.ArticleTime(state.Busy)));

    /// <summary>True if a connection has been silent for a while although the others received articles.</summary>
    public bool IsOutrun(DispatchConnection connection) => IsOutrun(connection, connection.LastActivity);

    /// <summary>When the connection of a request on the wire last received something, or when the request was sent, if later.</summary>
    public static long SilentSince(ArticleRequest request) => Math.Max(request.Connection!.LastActivity, request.SentAt);

    private bool IsOutrun(ArticleRequest request) => IsOutrun(request.Connection!, SilentSince(request));

    private bool IsOutrun(DispatchConnection connection, long since) =>
        IsSilent(connection, since, LateLimit.Outrun.Of(TimeSpan.Zero))
        && state.Arrivals.Since(since, Math.Max(LeastOutrun, OutrunArticles * state.Busy));

    private bool IsSilent(DispatchConnection connection, long since, TimeSpan limit) =>
        state.Time.GetElapsedTime(since) > Longest(limit, connection.Provider.RoundTrip * RoundTrips);

    /// <summary>
    /// The usual time of an article: with the line as it is shared now, or as it was when the request was sent, whichever is longer.
    /// </summary>
    private TimeSpan UsualTime(ArticleRequest request) => Longest(request.UsualTime, state.Line.ArticleTime(state.Busy));

    private static TimeSpan Longest(TimeSpan one, TimeSpan other) => one > other ? one : other;
}

/// <summary>
/// How long something may take before it counts as late: the longer of a fixed time and a multiple of the usual article time.
/// </summary>
/// <param name="Least">The fixed time.</param>
/// <param name="Articles">The multiple of the usual article time.</param>
internal readonly record struct LateLimit(TimeSpan Least, double Articles)
{
    /// <summary>Silence, while a reader waits.</summary>
    public static readonly LateLimit Reader = new(TimeSpan.FromMilliseconds(250), 0.5);

    /// <summary>Silence, while an import waits. Longer than for readers, because a second copy takes bandwidth from them.</summary>
    public static readonly LateLimit Import = new(TimeSpan.FromSeconds(1), 0.5);

    /// <summary>
    /// Silence, if the other connections delivered two articles each meanwhile, so that the line is fine. On a line of 40 MB/s with
    /// articles of 100 KB, a stalled one is hedged after 100 ms instead of 250 (docs/benchmarks.md, the row "stall 1 %").
    /// </summary>
    public static readonly LateLimit Outrun = new(TimeSpan.FromMilliseconds(100), 0);

    /// <summary>
    /// An article that trickles, while a reader waits. Connections share a line unevenly: some get half of what others get.
    /// </summary>
    public static readonly LateLimit Trickle = new(TimeSpan.FromSeconds(1.5), 3);

    /// <summary>
    /// A connection to be replaced by a new one, which takes several round trips and one of the account's allowed connections.
    /// </summary>
    public static readonly LateLimit Replace = new(TimeSpan.FromSeconds(1), 3);

    /// <summary>The limit for a usual article time.</summary>
    /// <param name="usual">How long an article usually takes.</param>
    public TimeSpan Of(TimeSpan usual) => usual * Articles is var many && many > Least ? many : Least;
}
