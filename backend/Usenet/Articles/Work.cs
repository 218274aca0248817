using NzbDav.Content;

namespace NzbDav.Usenet.Articles;

/// <summary>Work decided under the dispatcher's lock, to be done outside it.</summary>
internal struct Work
{
    private List<(Carrier, ArticleRequest)>? _submissions;
    private List<(ArticleFetch, (SegmentOutcome, string))>? _failures;
    private List<Carrier>? _closings;

    public readonly List<(Carrier Connection, ArticleRequest Request)> Submissions => _submissions ?? [];

    public readonly List<(ArticleFetch Fetch, (SegmentOutcome Outcome, string Reason) Verdict)> Failures => _failures ?? [];

    /// <summary>Connections to close.</summary>
    public readonly List<Carrier> Closings => _closings ?? [];

    public void Close(Carrier connection) => (_closings ??= []).Add(connection);

    public void Submit(Carrier connection, ArticleRequest request) => (_submissions ??= []).Add((connection, request));

    public void Fail(ArticleFetch fetch, (SegmentOutcome, string) verdict) => (_failures ??= []).Add((fetch, verdict));
}
