using NzbDav.Catalog.Health;
using NzbDav.Catalog.Tree;

namespace NzbDav.Library.Health;

/// <summary>
/// Repairs a post whose articles are confirmed missing, one step at a time: from its recovery data, then from another post of the same
/// release, then by an *arr. Each step is stored before the next, so an interrupted run continues where it was. Nothing is removed before a
/// replacement plays.
/// </summary>
/// <param name="tools">The dependencies.</param>
/// <param name="twins">Finds other posts of the same release.</param>
/// <param name="retirement">Hides posts that were replaced.</param>
internal sealed class RepairSteps(HealthTools tools, TwinSearch twins, PostRetirement retirement)
{
    /// <summary>Time until a repair under way is checked again.</summary>
    internal static readonly TimeSpan RepairCheckInterval = TimeSpan.FromMinutes(5);

    /// <summary>Time until a search under way is checked again.</summary>
    internal static readonly TimeSpan SearchCheckInterval = TimeSpan.FromHours(1);

    /// <summary>Time until an *arr that is busy or does not answer is asked again.</summary>
    internal static readonly TimeSpan ArrRetryDelay = TimeSpan.FromMinutes(10);

    /// <summary>
    /// Time until a repair that failed for a temporary reason is tried again, and until another post with unclear answers is asked for
    /// again.
    /// </summary>
    internal static readonly TimeSpan RepairRetryDelay = TimeSpan.FromHours(1);

    /// <summary>
    /// How long a repair may take, including all attempts that failed for a temporary reason, before it counts as failed.
    /// </summary>
    internal static readonly TimeSpan RepairTimeout = TimeSpan.FromDays(7);

    /// <summary>How long to wait for clear answers about another post of the same release.</summary>
    internal static readonly TimeSpan MatchTimeout = TimeSpan.FromDays(2);

    /// <summary>How long an *arr may take to find a replacement.</summary>
    internal static readonly TimeSpan SearchTimeout = TimeSpan.FromDays(7);

    /// <summary>Takes the next step.</summary>
    /// <param name="change">The post as the check left it, with verdict <see cref="HealthVerdict.Missing"/>.</param>
    /// <param name="gone">Its missing articles.</param>
    /// <param name="finding">The result of the check.</param>
    /// <param name="quota">The day's quota.</param>
    /// <param name="later">When a post about which nothing more is done is checked next.</param>
    /// <param name="cancellationToken">Cancels the operation; completed steps stay.</param>
    public async Task<HealthChange> StepAsync(HealthChange change, IReadOnlyList<GoneArticle> gone, CheckFinding finding, CheckQuota quota,
        DateTimeOffset later, CancellationToken cancellationToken)
    {
        var post = change.Post;
        if (post.Kept is not null || tools.Options.Value.Action == HealthAction.Check)
            return change with { Post = post with { Due = later, Urgent = false } };
        var all = await tools.Store.FilesAsync(post.ItemId, cancellationToken);
        if (gone.Where(article => all.Any(file => file.Id == article.FileId)).ToArray() is var still && still.Length < gone.Count)
            (change, gone) = (change with { Gone = still }, still);
        var affected = gone.Where(article => article.Times > 1).Select(article => article.FileId).ToHashSet();
        if (affected.Count == 0)
            return FilesDeleted(change);
        CatalogItem[] files = [.. all.Where(file => affected.Contains(file.Id))];
        return post.Stage switch
        {
            HealthStage.None or HealthStage.Repairing => await RepairAsync(change, gone, files, cancellationToken),
            HealthStage.Matching => await MatchAsync(change, gone, files, quota, cancellationToken),
            HealthStage.Asking => await SearchAsync(change, files, later, cancellationToken),
            HealthStage.Searching => await CheckSearchAsync(change, later, cancellationToken),
            _ => await retirement.HideOrDeleteAsync(change, gone, finding, cancellationToken),
        };
    }

    /// <summary>Starts over for a post whose files with missing articles were deleted: the next check judges the remaining files.</summary>
    private HealthChange FilesDeleted(HealthChange change)
    {
        const string Reason = "The files that articles were missing of are deleted.";
        var changed = With(change, HealthEventKind.Recovered, Reason);
        return changed with
        {
            Post = Moved(changed.Post, HealthStage.None, tools.Time.GetUtcNow())
            with
            { Verdict = HealthVerdict.New, Hidden = null, Search = null, Reason = Reason }
        };
    }

    private async Task<HealthChange> RepairAsync(
        HealthChange change, IReadOnlyList<GoneArticle> gone, IReadOnlyList<CatalogItem> files, CancellationToken cancellationToken)
    {
        foreach (var article in gone)
        {
            if (files.FirstOrDefault(file => file.Id == article.FileId) is not { } file)
                continue;
            var outcome = await tools.Repairer.RepairAsync(file, article.Article, cancellationToken);
            var isOver = change.Post.Stage == HealthStage.Repairing && tools.Time.GetUtcNow() - change.Post.Changed >= RepairTimeout;
            if (outcome.State == RepairWaitState.Running && !isOver)
            {
                const string Begins = "It is being repaired from its recovery data.";
                var began = change.Post.Stage == HealthStage.Repairing ? change : With(change, HealthEventKind.RepairBegan, Begins);
                return began
                    with
                { Post = Moved(began.Post, HealthStage.Repairing, tools.Time.GetUtcNow() + RepairCheckInterval) with { Reason = Begins } };
            }

            if (outcome is { State: RepairWaitState.Failed, IsTransient: true } && !isOver)
            {
                var post = Moved(change.Post, HealthStage.Repairing, tools.Time.GetUtcNow() + RepairRetryDelay);
                return change with
                {
                    Post = post with
                    {
                        Urgent = false,
                        Reason = $"{outcome.Reason ?? "Its repair was interrupted."} The repair is tried again in an hour."
                    }
                };
            }

            if (outcome.State != RepairWaitState.Repaired && !tools.Prober.HasPatch(article.Article))
            {
                var why = outcome.Reason
                    ?? (isOver ? "Its repair did not end in seven days." : "Repair while reading is switched off (Import:RepairReads).");
                var failed = With(change, HealthEventKind.RepairFailed, why);
                return failed with { Post = Moved(failed.Post, HealthStage.Matching, tools.Time.GetUtcNow()) with { Reason = why } };
            }
        }

        const string Reason = "What was missing was made again from the recovery data.";
        var repaired = With(change, HealthEventKind.Repaired, Reason);
        return repaired with
        {
            Gone = [],
            Post = Moved(repaired.Post, HealthStage.None, tools.Time.GetUtcNow() + CheckSchedule.Retry)
            with
            { Verdict = HealthVerdict.Repaired, Reason = Reason, Urgent = false }
        };
    }

    private async Task<HealthChange> MatchAsync(
        HealthChange change, IReadOnlyList<GoneArticle> gone, IReadOnlyList<CatalogItem> files, CheckQuota quota,
        CancellationToken cancellationToken)
    {
        var left = gone.ToList();
        var isOpen = false;
        foreach (var file in files)
        {
            var (other, isUnclear) = await twins.ReplaceAsync(file, change.Post, quota, cancellationToken);
            isOpen |= other is null && isUnclear;
            if (other is null)
                continue;
            left.RemoveAll(article => article.FileId == file.Id);
            change = With(change, HealthEventKind.Swapped,
                $"{file.Name} reads from the post {other} now: the same release, all of whose articles that were asked for are there.");
        }

        var now = tools.Time.GetUtcNow();
        if (isOpen && now - change.Post.Changed < MatchTimeout)
            return change with
            {
                Gone = left,
                Post = change.Post with
                {
                    Due = now + RepairRetryDelay,
                    Urgent = false,
                    Reason = "Not every provider says whether it has another post of the same release."
                }
            };
        if (left.Exists(article => article.Times > 1))
            return change with { Gone = left, Post = Moved(change.Post, HealthStage.Asking, now) };
        return change with
        {
            Gone = [],
            Post = Moved(change.Post, HealthStage.None, now + CheckSchedule.Retry)
                with
            { Verdict = HealthVerdict.Replaced, Reason = change.Events[^1].Reason, Urgent = false },
        };
    }

    private async Task<HealthChange> SearchAsync(
        HealthChange change, IReadOnlyList<CatalogItem> files, DateTimeOffset later, CancellationToken cancellationToken)
    {
        if (tools.Options.Value.Action < HealthAction.Replace)
            return GiveUp(change,
                "It cannot be repaired, and no other post of it is here. Replacing through an *arr is not allowed (Health:Action).", later);
        var answer = await tools.Replacements.SearchAsync(change.Post, files, cancellationToken);
        var now = tools.Time.GetUtcNow();
        return answer.State switch
        {
            ReplacementState.Searching => With(change, HealthEventKind.Searched, answer.Reason) is var asked
                ? asked with
                {
                    Post = Moved(asked.Post, HealthStage.Searching, now + SearchCheckInterval)
                    with
                    { Search = answer.Search, Reason = answer.Reason, Urgent = false }
                } : change,
            ReplacementState.Later => change with { Post = change.Post with { Due = now + ArrRetryDelay, Urgent = false } },
            _ => GiveUp(change, answer.Reason, later),
        };
    }

    private async Task<HealthChange> CheckSearchAsync(HealthChange change, DateTimeOffset later, CancellationToken cancellationToken)
    {
        var now = tools.Time.GetUtcNow();
        var answer = await tools.Replacements.CheckAsync(change.Post, change.Post.Search ?? "", cancellationToken);
        if (answer.State == ReplacementState.Imported)
        {
            foreach (var id in answer.ItemIds)
            {
                if (await tools.Tree.GetAsync(id, cancellationToken) is not { IsCollection: false } file
                    || !await tools.Reader.PlaysAsync(file, cancellationToken))
                    return change with
                    {
                        Post = change.Post with
                        {
                            Due = now + SearchCheckInterval,
                            Urgent = false,
                            Reason = $"{answer.Reason} It does not play, so the old post stays."
                        }
                    };
            }

            var played = With(change, HealthEventKind.ReplacementPlays, answer.Reason);
            return played with { Post = Moved(played.Post, HealthStage.Removing, now) with { Reason = answer.Reason } };
        }

        if (answer.State == ReplacementState.None || now - change.Post.Changed >= SearchTimeout)
            return GiveUp(change, answer.Reason, later);
        return change with { Post = change.Post with { Due = now + SearchCheckInterval, Urgent = false } };
    }

    /// <summary>Ends the work without success. A later check that finds the post complete revokes this.</summary>
    private HealthChange GiveUp(HealthChange change, string reason, DateTimeOffset later)
    {
        var abandoned = With(change, HealthEventKind.GivenUp, reason);
        return abandoned with
        {
            Post = Moved(abandoned.Post, HealthStage.None, later)
            with
            { Verdict = HealthVerdict.GivenUp, Reason = reason, Urgent = false }
        };
    }

    private HealthChange With(HealthChange change, HealthEventKind kind, string reason) =>
        change with
        {
            Events = [
            .. change.Events, new HealthEvent(change.Post.ItemId, change.Post.Name, tools.Time.GetUtcNow(), kind, reason)]
        };

    private HealthPost Moved(HealthPost post, HealthStage stage, DateTimeOffset due) =>
        post with { Stage = stage, Due = due, Changed = post.Stage == stage ? post.Changed : tools.Time.GetUtcNow() };
}
