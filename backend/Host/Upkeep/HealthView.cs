using System.Globalization;
using System.Text.Json;
using NzbDav.Catalog.Health;
using NzbDav.Catalog.Settings;
using NzbDav.Library.Health;

namespace NzbDav.Host.Upkeep;

/// <summary>Describes the health of posts. Thread-safe.</summary>
internal sealed class HealthView(HealthStore store, HealthDesk desk, Live<HealthOptions> options, TimeProvider time)
{
    private const int LatestEvents = 50;

    private const int PostEvents = 200;

    public async Task<HealthOverviewBody> DescribeAsync(CancellationToken cancellationToken)
    {
        var counts = await store.CountAsync(cancellationToken);
        var posts = counts.Values.Sum();
        var day = await store.DayAsync(time.GetUtcNow().UtcTicks / TimeSpan.TicksPerDay, cancellationToken);
        var state = await store.StateAsync(cancellationToken);
        var rules = options.Value;
        var quota = Math.Max(1, rules.StatsPerDay);
        var articles = await store.CountArticlesAsync(cancellationToken);
        return new HealthOverviewBody(
            posts,
            Enum.GetValues<HealthVerdict>().ToDictionary(Text, verdict => counts.GetValueOrDefault(verdict)),
            day.Stats,
            rules.StatsPerDay,
            day.Bodies,
            day.Removals,
            rules.RemovalsPerDay,
            Text(rules.Action),
            (int)Math.Ceiling(CheckSchedule.Promise(posts, quota).TotalDays),
            articles == 0 ? null : (int)Math.Ceiling(CheckSchedule.Sweep(posts, articles, quota).TotalDays),
            await store.NextDueAsync(cancellationToken),
            state.Paused,
            state.Braked,
            await desk.CountWaitingAsync(cancellationToken),
            [.. (await store.AccountsAsync(cancellationToken)).Select(
                account => new HealthAccountBody(
                    account.Account, account.DistrustedSince, account.HasFalseStat(), account.Bodies, account.FalseStats))],
            [.. (await store.EventsAsync(null, LatestEvents, cancellationToken)).Select(Body)]);
    }

    public async Task<HealthListBody> ListAsync(
        IReadOnlyCollection<HealthVerdict> verdicts, string? text, int start, int most, CancellationToken cancellationToken)
    {
        var (posts, total) = await store.ListAsync(verdicts, text, start, most, cancellationToken);
        var bodies = new List<HealthPostBody>(posts.Count);
        foreach (var post in posts)
            bodies.Add(await BodyAsync(post, cancellationToken));
        return new HealthListBody(total, bodies);
    }

    public async Task<HealthDetailBody?> FindAsync(long itemId, CancellationToken cancellationToken)
    {
        if (await store.GetAsync(itemId, cancellationToken) is not { } post)
            return null;
        var names = (await store.FilesAsync(itemId, cancellationToken)).ToDictionary(file => file.Id, file => file.Name);
        var gone = (await store.GoneAsync(itemId, cancellationToken)).GroupBy(article => article.FileId).Select(group => new HealthGoneBody(
            Text(group.Key),
            names.GetValueOrDefault(group.Key) ?? "",
            group.Count(),
            group.Count(article => article.Times > 1),
            group.Min(article => article.First),
            group.Max(article => article.Last),
            [.. group.SelectMany(article => article.Accounts).Distinct(StringComparer.Ordinal)]));
        return new HealthDetailBody(await BodyAsync(post, cancellationToken), [.. gone],
            [.. (await store.EventsAsync(itemId, PostEvents, cancellationToken)).Select(Body)]);
    }

    private async Task<HealthPostBody> BodyAsync(HealthPost post, CancellationToken cancellationToken) => new(
        Text(post.ItemId),
        post.Name,
        post.Category,
        Text(post.Verdict),
        Text(post.Stage),
        post.Reason,
        post.Changed,
        post.Checked,
        post.LastComplete,
        post.Due,
        post.Checks,
        post.Articles,
        post.Gone,
        post.Kept,
        post.Hidden,
        post.Hidden is not null || post.Stage != HealthStage.None
            || (post.Verdict == HealthVerdict.Replaced && await store.IsSwappedAsync(post.ItemId, cancellationToken)));

    private static HealthEventBody Body(HealthEvent one) =>
        new(one.ItemId is { } id ? Text(id) : null, one.Name, one.At, Text(one.Kind), one.Reason);

    private static string Text(long id) => id.ToString(CultureInfo.InvariantCulture);

    private static string Text<T>(T value)
        where T : struct, Enum => JsonNamingPolicy.CamelCase.ConvertName(value.ToString());
}

/// <summary>The health of all posts of the library.</summary>
/// <param name="Posts">Number of known posts.</param>
/// <param name="Counts">Number of posts by verdict: <c>new</c>, <c>healthy</c>, <c>suspect</c>, <c>missing</c>, <c>repaired</c>,
/// <c>replaced</c>, <c>givenUp</c>.</param>
/// <param name="StatsUsed">STAT commands sent today (UTC).</param>
/// <param name="StatsPerDay">Most STAT commands a day; 0: nothing is checked.</param>
/// <param name="BodiesUsed">Articles fetched today to verify STAT answers.</param>
/// <param name="RemovedToday">Posts hidden today.</param>
/// <param name="RemovalsPerDay">Most posts hidden a day without a person's approval.</param>
/// <param name="Action">What is done without asking: <c>check</c>, <c>repair</c> or <c>replace</c>.</param>
/// <param name="PromiseDays">Days within which a post that is gone from every provider is found and confirmed.</param>
/// <param name="SweepDays">Days within which every article is checked once; null: not known yet.</param>
/// <param name="NextDue">When the next post is checked; null: there is none.</param>
/// <param name="Paused">Since when checks are paused; null: they run.</param>
/// <param name="Braked">Since when removals wait for a person's approval; null: they do not.</param>
/// <param name="Waiting">Posts that are hidden once a person agrees.</param>
/// <param name="Accounts">How reliable the providers' answers are.</param>
/// <param name="Events">The latest entries of the history.</param>
internal sealed record HealthOverviewBody(
    int Posts,
    IReadOnlyDictionary<string, int> Counts,
    int StatsUsed,
    int StatsPerDay,
    int BodiesUsed,
    int RemovedToday,
    int RemovalsPerDay,
    string Action,
    int PromiseDays,
    int? SweepDays,
    DateTimeOffset? NextDue,
    DateTimeOffset? Paused,
    DateTimeOffset? Braked,
    int Waiting,
    IReadOnlyList<HealthAccountBody> Accounts,
    IReadOnlyList<HealthEventBody> Events);

/// <summary>How reliable a provider's answers are.</summary>
/// <param name="Name">The provider.</param>
/// <param name="Doubted">Since when its 430 answers are ignored; null: they count.</param>
/// <param name="LiesByStat">Its STAT claims articles that it cannot deliver: articles are fetched from it instead.</param>
/// <param name="Bodies">Articles fetched from it after a positive STAT.</param>
/// <param name="Lies">How many of these it did not have, minus the posts for which its answers have been true since.</param>
internal sealed record HealthAccountBody(string Name, DateTimeOffset? Doubted, bool LiesByStat, int Bodies, int Lies);

/// <summary>An entry of the health history.</summary>
/// <param name="ItemId">Id of the post; null: the entry is not about a post.</param>
/// <param name="Name">Name of the post or the provider.</param>
/// <param name="At">When it happened.</param>
/// <param name="Kind">What happened: <c>suspected</c>, <c>confirmed</c>, <c>recovered</c>, <c>readFailed</c>, <c>repairBegan</c>,
/// <c>repaired</c>, <c>repairFailed</c>, <c>swapped</c>, <c>searched</c>, <c>replacementPlays</c>, <c>hidden</c>, <c>deleted</c>,
/// <c>givenUp</c>, <c>undone</c>, <c>kept</c>, <c>braked</c>, <c>released</c>, <c>doubted</c>, <c>trusted</c>, <c>statLies</c>.</param>
/// <param name="Reason">Why, as a sentence.</param>
internal sealed record HealthEventBody(string? ItemId, string Name, DateTimeOffset At, string Kind, string Reason);

/// <summary>A page of posts.</summary>
/// <param name="Total">Number of all posts.</param>
/// <param name="Posts">The posts of this page, latest change first.</param>
internal sealed record HealthListBody(int Total, IReadOnlyList<HealthPostBody> Posts);

/// <summary>The health of a post.</summary>
/// <param name="Id">Id of the post: the item of its folder.</param>
/// <param name="Name">Its name.</param>
/// <param name="Category">Its category.</param>
/// <param name="Verdict">See <c>counts</c> of the overview.</param>
/// <param name="Stage">What is being done: <c>none</c>, <c>repairing</c>, <c>matching</c>, <c>asking</c>, <c>searching</c>,
/// <c>removing</c>, <c>hidden</c>.</param>
/// <param name="Reason">Why, as a sentence; null: nothing is wrong.</param>
/// <param name="Changed">When verdict or stage last changed.</param>
/// <param name="Checked">The last check with a result; null: none yet.</param>
/// <param name="Whole">The last check that found every article it checked; null: none yet.</param>
/// <param name="Due">When it is checked next.</param>
/// <param name="Checks">Number of checks with a result.</param>
/// <param name="Articles">Number of its articles; 0: not known yet.</param>
/// <param name="Gone">Articles that were missing when last checked.</param>
/// <param name="Kept">Since when it is left unchanged at a person's request; null: it is not.</param>
/// <param name="Hidden">Since when it is hidden; null: it is shown.</param>
/// <param name="CanUndo">True if the last action can be undone.</param>
internal sealed record HealthPostBody(
    string Id,
    string Name,
    string Category,
    string Verdict,
    string Stage,
    string? Reason,
    DateTimeOffset Changed,
    DateTimeOffset? Checked,
    DateTimeOffset? Whole,
    DateTimeOffset Due,
    int Checks,
    int Articles,
    int Gone,
    DateTimeOffset? Kept,
    DateTimeOffset? Hidden,
    bool CanUndo);

/// <summary>All details of a post's health.</summary>
/// <param name="Post">The post.</param>
/// <param name="Gone">Missing articles, by file.</param>
/// <param name="Events">What was found and done, latest first.</param>
internal sealed record HealthDetailBody(HealthPostBody Post, IReadOnlyList<HealthGoneBody> Gone, IReadOnlyList<HealthEventBody> Events);

/// <summary>Missing articles of a file.</summary>
/// <param name="Id">The file's id.</param>
/// <param name="File">Its name.</param>
/// <param name="Articles">How many of the checked articles are missing.</param>
/// <param name="Confirmed">How many of these were missing twice, days apart.</param>
/// <param name="First">When an article was first found missing.</param>
/// <param name="Last">When an article was last found missing.</param>
/// <param name="Providers">The providers that reported it.</param>
internal sealed record HealthGoneBody(
    string Id, string File, int Articles, int Confirmed, DateTimeOffset First, DateTimeOffset Last, IReadOnlyList<string> Providers);
