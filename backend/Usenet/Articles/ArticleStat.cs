using NzbDav.Content;

namespace NzbDav.Usenet.Articles;

/// <summary>The question whether an article exists. Ended once by the dispatcher.</summary>
internal sealed class ArticleStat(string id, FetchPriority priority)
{
    private readonly TaskCompletionSource<ArticleProbe> _answer = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public string Id => id;

    public FetchPriority Priority => priority;

    /// <summary>Completes when one provider said yes, or none is left to ask.</summary>
    public Task<ArticleProbe> Answer => _answer.Task;

    public void End(SegmentOutcome outcome, string? reason) => _answer.TrySetResult(new ArticleProbe(outcome, Header: null, reason));
}
