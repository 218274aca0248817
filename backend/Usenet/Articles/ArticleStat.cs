using NzbDav.Content;
using NzbDav.Usenet.Providers;

namespace NzbDav.Usenet.Articles;

/// <summary>A question whether an article exists. Ended once by the dispatcher.</summary>
/// <param name="id">The message-id, or the ids of its copies.</param>
/// <param name="priority">How urgent it is.</param>
/// <param name="only">The only provider to ask; null: all of them.</param>
internal sealed class ArticleStat(string id, FetchPriority priority, Provider? only = null)
{
    private readonly TaskCompletionSource<ArticleProbe> _answer = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public string Id => id;

    public FetchPriority Priority => priority;

    public Provider? Only => only;

    /// <summary>When it was posted (<see cref="SegmentTable.PostedDay"/>); 0: not known.</summary>
    public int PostedDay { get; init; }

    /// <summary>Completes when one provider said yes, or none is left to ask.</summary>
    public Task<ArticleProbe> Answer => _answer.Task;

    public void End(SegmentOutcome outcome, string? reason) => _answer.TrySetResult(new ArticleProbe(outcome, Header: null, reason));
}
