namespace NzbDav.Usenet.Articles;

/// <summary>How long a connection may be silent, or an article take, before it counts as late. Under the dispatcher's lock.</summary>
internal sealed class SilenceThresholds(DispatchState state)
{
    /// <summary>
    /// Silence on a connection that counts as late; or three round trips or half the usual time of an article on the line, if those are
    /// longer.
    /// </summary>
    public static readonly TimeSpan SilenceLimit = TimeSpan.FromMilliseconds(250);

    /// <summary>
    /// Times the usual time after which an article is late. Connections share a line unevenly: some get half of what others get.
    /// </summary>
    public const int SlowFactor = 3;

    /// <summary>
    /// A connection that has brought nothing for this long, or for three round trips if those are longer, is late if two articles for each
    /// busy connection arrived meanwhile: the line is fine. On a line of 40 MB/s with articles of 100 KB a stalled one is hedged after 100
    /// ms instead of 250.
    /// </summary>
    private static readonly TimeSpan OutrunLimit = TimeSpan.FromMilliseconds(100);

    private const int OutrunArticles = 2;

    /// <summary>Fewest such articles: with few connections at work a burst on one of them says little.</summary>
    private const int LeastOutrun = 4;

    /// <summary>
    /// The usual time of an article on the line, as it is shared now or was when the request was sent, whichever is longer.
    /// </summary>
    public TimeSpan UsualTime(ArticleRequest request) => Longest(request.UsualTime, state.Line.ArticleTime(state.Busy));

    /// <summary>The silence after which a connection counts as silent.</summary>
    public TimeSpan SilenceOnTheLine() => Longest(SilenceLimit, state.Line.ArticleTime(state.Busy) / 2);

    /// <summary>
    /// True when the article being received on the request's connection has taken longer than this, not counting the round trip: it, and
    /// the requests behind it, should be requested elsewhere.
    /// </summary>
    public bool IsLongerThan(ArticleRequest request, TimeSpan limit) =>
        state.Time.GetElapsedTime(request.Connection!.HeadSince) > limit + request.Connection.Provider.RoundTrip;

    /// <summary>
    /// True when the request's connection has been silent for this long since it was sent; or for half the usual time of an article, if
    /// that is longer.
    /// </summary>
    public bool IsSilent(ArticleRequest request, TimeSpan limit) =>
        request.SentAt != 0 && IsSilent(
            request.Connection!, Math.Max(request.Connection!.LastActivity, request.SentAt), Longest(limit, UsualTime(request) / 2));

    /// <summary>True when a connection has been silent for this long.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="since">Start of the period.</param>
    /// <param name="limit">Length of the silence; or three round trips if those are longer.</param>
    public bool IsSilent(ConnectionState connection, long since, TimeSpan limit) =>
        state.Time.GetElapsedTime(since) > Longest(limit, connection.Provider.RoundTrip * 3);

    /// <summary>
    /// True when the request's connection has brought nothing for a while, counted from its sending at the earliest, while the other
    /// connections went on.
    /// </summary>
    public bool IsOutrun(ArticleRequest request) =>
        request.SentAt != 0 && IsOutrun(request.Connection!, Math.Max(request.Connection!.LastActivity, request.SentAt));

    /// <summary>True when nothing has arrived on a connection since a time, while the other connections went on.</summary>
    public bool IsOutrun(ConnectionState connection, long since) =>
        IsSilent(connection, since, OutrunLimit) && state.Arrivals.Since(since, Math.Max(LeastOutrun, OutrunArticles * state.Busy));

    public static TimeSpan Longest(TimeSpan one, TimeSpan other) => one > other ? one : other;
}
