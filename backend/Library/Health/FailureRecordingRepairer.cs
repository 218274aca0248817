using System.Collections.Concurrent;
using NzbDav.Catalog.Health;
using NzbDav.Catalog.Tree;

namespace NzbDav.Library.Health;

/// <summary>
/// Wraps the repair of posts and notes the files in which readers and checks found missing articles, so that their posts are checked
/// next. Thread-safe.
/// </summary>
/// <param name="inner">Does the repairs; not disposed.</param>
/// <param name="store">The health of posts.</param>
/// <param name="time">Clock.</param>
public sealed class FailureRecordingRepairer(IPostRepairer inner, HealthStore store, TimeProvider time) : IPostRepairer
{
    /// <summary>Most files noted but not stored yet. Further ones are found by the next check of their posts.</summary>
    private const int Most = 1_000;

    private readonly ConcurrentDictionary<long, string> _files = new();

    /// <summary>Raised when a file was noted. Handlers must return quickly.</summary>
    public event Action? FailureRecorded;

    /// <inheritdoc/>
    public void Begin(CatalogItem item, string article)
    {
        ArgumentNullException.ThrowIfNull(item);
        inner.Begin(item, article);
        Note(item, article);
    }

    /// <inheritdoc/>
    public async ValueTask<RepairWaitOutcome> RepairAsync(CatalogItem item, string article, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(item);
        var outcome = await inner.RepairAsync(item, article, cancellationToken);
        if (outcome.State != RepairWaitState.Repaired)
            Note(item, article);
        return outcome;
    }

    /// <inheritdoc/>
    public void Open(CatalogItem item) => inner.Open(item);

    /// <inheritdoc/>
    public ValueTask<RepairFailure?> FindFailureAsync(CatalogItem item, CancellationToken cancellationToken) =>
        inner.FindFailureAsync(item, cancellationToken);

    /// <inheritdoc/>
    public string? DescribeState(CatalogItem item) => inner.DescribeState(item);

    /// <summary>Moves the posts of the noted files to the front of the schedule.</summary>
    public async Task StoreAsync(CancellationToken cancellationToken)
    {
        foreach (var (file, article) in _files)
        {
            if (await store.FindByFileAsync(file, cancellationToken) is
                {
                    Stage: HealthStage.None, Kept: null,
                    Verdict: HealthVerdict.New or HealthVerdict.Healthy or HealthVerdict.Repaired or HealthVerdict.Replaced
                } post)
            {
                var now = time.GetUtcNow();
                var known = await store.GoneAsync(post.ItemId, cancellationToken);
                const string Reason = "A reader met an article that no provider has.";
                await store.SaveAsync(
                    new HealthChange(post with
                    {
                        Verdict = HealthVerdict.Suspect,
                        Due = now,
                        Urgent = true,
                        Reason = $"{Reason} It counts if it is so again two days later.",
                        Changed = now
                    })
                    {
                        Before = post,
                        Gone = known.Any(one => one.Article == article)
                            ? null : [.. known, new GoneArticle(article, file, now, now, 1, [])],
                        Events = [new HealthEvent(post.ItemId, post.Name, now, HealthEventKind.ReadFailed, Reason)],
                    },
                    cancellationToken);
            }

            _files.TryRemove(new KeyValuePair<long, string>(file, article));
        }
    }

    private void Note(CatalogItem item, string article)
    {
        if (_files.Count < Most && _files.TryAdd(item.Id, article))
            FailureRecorded?.Invoke();
    }
}
