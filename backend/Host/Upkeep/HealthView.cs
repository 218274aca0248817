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
            [.. (await store.AccountsAsync(cancellationToken)).Select(account => new HealthAccountBody(account.Account, account.Doubted, account.LiesByStat(), account.Bodies, account.Lies))],
            [.. (await store.EventsAsync(null, LatestEvents, cancellationToken)).Select(Body)]);
    }

    public async Task<HealthListBody> ListAsync(IReadOnlyCollection<HealthVerdict> verdicts, string? text, int start, int most, CancellationToken cancellationToken)
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
        return new HealthDetailBody(await BodyAsync(post, cancellationToken), [.. gone], [.. (await store.EventsAsync(itemId, PostEvents, cancellationToken)).Select(Body)]);
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
        post.Whole,
        post.Due,
        post.Checks,
        post.Articles,
        post.Gone,
        post.Kept,
        post.Hidden,
        post.Hidden is not null || post.Stage != HealthStage.None || (post.Verdict == HealthVerdict.Replaced && await store.IsSwappedAsync(post.ItemId, cancellationToken)));

    private static HealthEventBody Body(HealthEvent one) => new(one.ItemId is { } id ? Text(id) : null, one.Name, one.At, Text(one.Kind), one.Reason);

    private static string Text(long id) => id.ToString(CultureInfo.InvariantCulture);

    private static string Text<T>(T value)
        where T : struct, Enum => JsonNamingPolicy.CamelCase.ConvertName(value.ToString());
}
