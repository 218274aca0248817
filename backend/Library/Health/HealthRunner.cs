using Microsoft.Extensions.Logging;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Health;

namespace NzbDav.Library.Health;

/// <summary>
/// Checks due posts one after the other and takes the resulting steps. All state is in the catalog, and the changes of each check are
/// stored in one transaction, so an interrupted check is simply repeated, even after a crash. For one caller at a time.
/// </summary>
/// <param name="tools">The dependencies.</param>
/// <param name="logger">Logs findings and steps.</param>
public sealed partial class HealthRunner(HealthTools tools, ILogger<HealthRunner> logger)
{
    /// <summary>Number of due posts read at a time.</summary>
    private const int Batch = 32;

    /// <summary>Most steps of one post in one run, so that a post without progress does not delay the others.</summary>
    private const int MostSteps = 8;

    /// <summary>How many missing articles of a replaced post are asked for once more before it is hidden or deleted.</summary>
    private const int MostProofs = 8;

    /// <summary>Share of the quota that only suspects may use, 0 … 1.</summary>
    private const double SuspectReserve = 0.1;

    private readonly CheckQuota _quota = new(tools.Store, tools.Options);
    private readonly PostRetirement _retirement = new(tools);
    private readonly RepairSteps _steps = new(tools, new TwinSearch(tools), new PostRetirement(tools));

    /// <summary>
    /// What is known of the accounts; null: not read yet. Read again for each batch, as other gateways of the catalog learn too.
    /// </summary>
    private Dictionary<string, HealthAccount>? _accounts;

    /// <summary>
    /// Checks due posts until none is left, the day's quota is used up or a reader waits. Does nothing if checks are off or paused.
    /// </summary>
    public async Task RunAsync(CancellationToken cancellationToken)
    {
        if (tools.Options.Value.StatsPerDay == 0 || (await tools.Store.StateAsync(cancellationToken)).Paused is not null)
            return;
        var steps = new Dictionary<long, int>();
        try
        {
            var posts = await AddNewAsync(cancellationToken);
            while (await RunBatchAsync(posts, steps, cancellationToken))
            {
            }
        }
        finally
        {
            await _quota.CloseAsync(CancellationToken.None);
        }
    }

    /// <summary>Adds posts that are not yet in the schedule.</summary>
    /// <returns>The number of posts in it.</returns>
    public async Task<int> AddNewAsync(CancellationToken cancellationToken)
    {
        var posts = await CountAsync(cancellationToken);
        return await tools.Store.AddNewAsync(
            (id, imported) => CheckSchedule.First(id, imported, tools.Time.GetUtcNow(), LongestFor(posts)), cancellationToken) + posts;
    }

    /// <summary>Checks one post now, even if it is not due or checks are paused. Uses the quota.</summary>
    /// <returns>The post after the check; null: there is no such post.</returns>
    public async Task<HealthPost?> CheckAsync(long itemId, CancellationToken cancellationToken)
    {
        try
        {
            _accounts = null;
            await _quota.OpenAsync(tools.Time.GetUtcNow(), cancellationToken);
            if (await tools.Store.GetAsync(itemId, cancellationToken) is { } post)
                await TryCheckPostAsync(post, await CountAsync(cancellationToken), cancellationToken);
            return await tools.Store.GetAsync(itemId, cancellationToken);
        }
        finally
        {
            await _quota.CloseAsync(CancellationToken.None);
        }
    }

    private async Task<bool> RunBatchAsync(int posts, Dictionary<long, int> steps, CancellationToken cancellationToken)
    {
        _accounts = null;
        var due = await tools.Store.ListDueAsync(tools.Time.GetUtcNow(), Batch, cancellationToken);
        foreach (var post in due)
        {
            await _quota.OpenAsync(tools.Time.GetUtcNow(), cancellationToken);
            if (tools.Prober.IsBusy || _quota.Left <= (post.Urgent ? 0 : SuspectReserve * tools.Options.Value.StatsPerDay))
                return false;
            steps[post.ItemId] = steps.GetValueOrDefault(post.ItemId) + 1;
            if (steps[post.ItemId] > MostSteps)
                await tools.Store.SaveAsync(new HealthChange(
                    post with { Due = tools.Time.GetUtcNow() + CheckSchedule.Retry, Urgent = false })
                { Before = post }, cancellationToken);
            else if (!await TryCheckPostAsync(post, posts, cancellationToken))
                return false;
        }

        return due.Count > 0;
    }

    /// <returns>False when the quota ran out before the check was complete.</returns>
    private async Task<bool> TryCheckPostAsync(HealthPost post, int posts, CancellationToken cancellationToken)
    {
        try
        {
            return await CheckPostAsync(post, posts, cancellationToken);
        }
        catch (CatalogException error) when (error.Fault is not CatalogFault.NewerVersion)
        {
            // One damaged map must not keep other posts from being checked.
            LogUnreadable(logger, post.Name, error.Message);
            await PostponeAsync(error);
            return true;
        }
        catch (Exception error) when (error is not (CatalogException or OperationCanceledException or OutOfMemoryException))
        {
            LogFault(logger, post.Name, error);
            await PostponeAsync(error);
            return true;
        }

        // Only the reason of these verdicts is replaced: a later check corrects it. The others keep the better reason that they have.
        Task PostponeAsync(Exception error) => tools.Store.SaveAsync(
            new HealthChange(post with
            {
                Due = tools.Time.GetUtcNow() + CheckSchedule.Retry,
                Urgent = false,
                Reason = post.Verdict is HealthVerdict.New or HealthVerdict.Healthy or HealthVerdict.Suspect
                    ? $"It cannot be checked: {error.Message}" : post.Reason,
            })
            { Before = post },
            cancellationToken);
    }

    private async Task<bool> CheckPostAsync(HealthPost post, int posts, CancellationToken cancellationToken)
    {
        var now = tools.Time.GetUtcNow();
        var longest = LongestFor(posts);
        var files = await tools.Store.FilesAsync(post.ItemId, cancellationToken);
        if (files.Count == 0)
        {
            await tools.Store.SaveAsync(
                new HealthChange(post with { Due = now + longest, Urgent = false }) { Before = post }, cancellationToken);
            return true;
        }

        var known = post.Gone == 0 ? [] : await tools.Store.GoneAsync(post.ItemId, cancellationToken);
        if (post is
            {
                Verdict: HealthVerdict.Missing,
                Stage: HealthStage.Repairing or HealthStage.Matching or HealthStage.Asking or HealthStage.Searching
            })
        {
            // The missing articles are known, and asking for them every hour would use up the quota of other posts. They are asked for
            // again before anything is removed.
            var nothing = new CheckFinding(new HashSet<string>(), new Dictionary<string, long>(), 0,
                [.. tools.Prober.Accounts.Where(account => account.IsUp).Select(account => account.Name)]);
            var step = await _steps.StepAsync(
                new HealthChange(post) { Before = post }, known, nothing, _quota, now + longest, cancellationToken);
            await tools.Store.SaveAsync(step, cancellationToken);
            Log(step);
            return true;
        }

        // Articles of files that were deleted meanwhile do not count as missing.
        var stored = known.Count;
        known = [.. known.Where(article => files.Any(file => file.Id == article.FileId))];
        var articles = await PostArticles.ReadAsync(files, tools.Maps, cancellationToken);
        var (asked, place) = Choose(post, known, articles, now, posts);
        _accounts ??= (await tools.Store.AccountsAsync(cancellationToken)).ToDictionary(account => account.Account, StringComparer.Ordinal);
        var finding = await new PostCheck(tools.Prober, _quota, _accounts, now).RunAsync(post, asked, cancellationToken);
        if (finding.IsCut)
            return false;
        if (finding.Accounts.Count == 0)
        {
            await tools.Store.SaveAsync(
                new HealthChange(post with { Due = now + CheckSchedule.Retry, Urgent = false }) { Before = post }, cancellationToken);
            return true;
        }

        var change = HealthEvaluator.Evaluate(post, known, finding, now, longest);
        change = change
            with
        {
            Gone = change.Gone ?? (known.Count < stored ? known : null),
            Post = change.Post with
            {
                Place = finding.Unclear == 0
            ? place : post.Place,
                Articles = articles.Count
            },
            Events = [.. change.Events, .. AccountEvents(_accounts, finding.ChangedAccounts, now)]
        };
        if (post.Stage == HealthStage.Hidden)
            change = await HiddenAsync(post, change, known, finding, cancellationToken);
        else if (change.Post.Verdict == HealthVerdict.Missing && post.Verdict == HealthVerdict.Missing)
            change = await _steps.StepAsync(change, change.Gone ?? known, finding, _quota, now + longest, cancellationToken);
        else if (change.Post.Verdict == HealthVerdict.GivenUp)
            change = change with { Post = change.Post with { Due = now + longest } };
        if (!await tools.Store.SaveAsync(change, cancellationToken))
            return true;
        foreach (var account in change.Accounts)
            _accounts[account.Account] = account;
        Log(change);
        return true;
    }

    /// <summary>Shows a hidden post again if articles of it are found again. Otherwise deletes it when its time is over.</summary>
    private async Task<HealthChange> HiddenAsync(
        HealthPost post, HealthChange change, IReadOnlyList<GoneArticle> known, CheckFinding finding, CancellationToken cancellationToken)
    {
        if (finding.Present.Count == 0)
        {
            var still = post with { Had = change.Post.Had, Checked = change.Post.Checked, Checks = change.Post.Checks };
            return await _retirement.HideOrDeleteAsync(
                change with { Post = still, Events = [] }, change.Gone ?? known, finding, cancellationToken);
        }

        const string Reason = "Articles of it are there again, so it is shown again.";
        return change with
        {
            Events = [.. change.Events,
                new HealthEvent(change.Post.ItemId, change.Post.Name, tools.Time.GetUtcNow(), HealthEventKind.Recovered, Reason)],
            Post = change.Post with
            {
                Hidden = null,
                Stage = HealthStage.None,
                Verdict = HealthVerdict.Suspect,
                Reason = Reason,
                Changed = tools.Time.GetUtcNow(),
                Due = tools.Time.GetUtcNow() + CheckSchedule.Retry
            },
        };
    }

    /// <summary>The articles to ask for. Known missing articles always; for a post under repair, only these.</summary>
    private (IReadOnlyCollection<KeyValuePair<string, long>> Articles, int Place) Choose(
        HealthPost post, IReadOnlyList<GoneArticle> known, PostArticles articles, DateTimeOffset now, int posts)
    {
        var asked = new Dictionary<string, long>(StringComparer.Ordinal);

        // Fits into a day's quota even if every account is asked for every article: a larger check would never be complete.
        var most = Math.Max(1, (int)(CheckSchedule.Planned * tools.Options.Value.StatsPerDay / Math.Max(1, tools.Prober.Accounts.Count)));
        foreach (var article in known.Take(post.Stage is HealthStage.Removing or HealthStage.Hidden ? Math.Min(most, MostProofs) : most))
            asked[article.Article] = article.FileId;
        if (asked.Count > 0 && (post.Verdict == HealthVerdict.Missing || post.Stage == HealthStage.Hidden))
            return (asked, post.Place);
        var interval = now - (post.Checked ?? post.Created);
        var planned = Math.Min(most - asked.Count, CheckSchedule.ArticlesAt(interval, posts, tools.Options.Value.StatsPerDay));
        if (planned <= 0)
            return (asked, post.Place);
        var plan = CheckPlan.Make(articles.Count, planned, post.Place, post.Checks);
        foreach (var number in plan.Articles)
        {
            if (articles.At(number) is { } article)
                asked.TryAdd(article.Article, article.FileId);
        }

        return (asked, plan.Place);
    }

    private static IEnumerable<HealthEvent> AccountEvents(
        Dictionary<string, HealthAccount> before, IReadOnlyList<HealthAccount> learned, DateTimeOffset now)
    {
        foreach (var account in learned)
        {
            var was = before.GetValueOrDefault(account.Account) ?? new HealthAccount(account.Account);
            if (was.DistrustedSince is null && account.DistrustedSince is not null)
                yield return new HealthEvent(
                    null, account.Account, now, HealthEventKind.Doubted,
                    $"It denies {account.Denied} of {account.PostsAsked} posts that it had before. Its answers do not count until it has " +
                    $"proven them.");
            if (was.DistrustedSince is not null && account.DistrustedSince is null)
                yield return new HealthEvent(null, account.Account, now, HealthEventKind.Trusted, "Its answers count again.");
            if (!was.HasFalseStat() && account.HasFalseStat())
                yield return new HealthEvent(
                    null, account.Account, now, HealthEventKind.StatLies,
                    "Articles that it says it has could not be fetched: they are fetched from it in place of a STAT until it has told " +
                    "the truth of as many posts.");
            if (was.HasFalseStat() && !account.HasFalseStat())
                yield return new HealthEvent(null, account.Account, now, HealthEventKind.Trusted, "Its STAT tells the truth again.");
        }
    }

    private async Task<int> CountAsync(CancellationToken cancellationToken) =>
        (await tools.Store.CountAsync(cancellationToken)).Values.Sum();

    private TimeSpan LongestFor(int posts) => CheckSchedule.Longest(posts, Math.Max(1, tools.Options.Value.StatsPerDay));

    private void Log(HealthChange change)
    {
        foreach (var happened in change.Events)
            LogHappened(logger, happened.Name, happened.Kind, happened.Reason);
    }

    [LoggerMessage(610, LogLevel.Information, "Health of {Name}: {Kind}. {Reason}")]
    private static partial void LogHappened(ILogger logger, string name, HealthEventKind kind, string reason);

    [LoggerMessage(700, LogLevel.Error, "{Name} cannot be checked because of an error in the program; it is checked again in a day.")]
    private static partial void LogFault(ILogger logger, string name, Exception exception);

    [LoggerMessage(611, LogLevel.Warning, "{Name} cannot be checked: {Reason}")]
    private static partial void LogUnreadable(ILogger logger, string name, string reason);
}
