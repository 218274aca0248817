using NzbDav.Content;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Articles;

/// <summary>What was decided under the dispatcher's lock and is to be done outside it.</summary>
internal struct Work
{
    private List<(NntpConnection, ArticleRequest)>? _submissions;
    private List<(ArticleFetch, (SegmentOutcome, string))>? _failures;
    private List<NntpConnection>? _closings;

    public readonly List<(NntpConnection Connection, ArticleRequest Request)> Submissions => _submissions ?? [];

    public readonly List<(ArticleFetch Fetch, (SegmentOutcome Outcome, string Reason) Verdict)> Failures => _failures ?? [];

    /// <summary>Connections that are given up.</summary>
    public readonly List<NntpConnection> Closings => _closings ?? [];

    public void Close(NntpConnection connection) => (_closings ??= []).Add(connection);

    public void Submit(NntpConnection connection, ArticleRequest request) => (_submissions ??= []).Add((connection, request));

    public void Fail(ArticleFetch fetch, (SegmentOutcome, string) verdict) => (_failures ??= []).Add((fetch, verdict));
}
