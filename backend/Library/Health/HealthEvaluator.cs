using System.Globalization;
using NzbDav.Catalog.Health;

namespace NzbDav.Library.Health;

/// <summary>
/// Decides what a check means for a post. An article is missing when every account denied it twice, at least two days apart, and no account
/// was new the second time. Articles that are found again are forgotten. Pure.
/// </summary>
internal static class HealthEvaluator
{
    /// <summary>Most missing articles remembered per post: enough as evidence, and bounded even for a post of 50,000.</summary>
    internal const int MostRemembered = 64;

    /// <summary>Judges a check.</summary>
    /// <param name="post">The post before the check.</param>
    /// <param name="known">The articles that were missing before.</param>
    /// <param name="finding">The result of the check. Not one that the quota cut short.</param>
    /// <param name="now">Now.</param>
    /// <param name="longest">See <see cref="CheckSchedule.Longest"/>.</param>
    public static HealthChange Evaluate(
        HealthPost post, IReadOnlyList<GoneArticle> known, CheckFinding finding, DateTimeOffset now, TimeSpan longest)
    {
        var gone = new List<GoneArticle>();
        foreach (var before in known)
        {
            if (finding.Present.Contains(before.Article))
                continue;
            gone.Add(finding.Gone.ContainsKey(before.Article) ? Confirm(before, finding, now) : before);
        }

        var remembered = gone.Select(article => article.Article).ToHashSet(StringComparer.Ordinal);
        foreach (var (article, file) in finding.Gone.Where(pair => !remembered.Contains(pair.Key))
            .Take(Math.Max(0, MostRemembered - gone.Count)))
            gone.Add(new GoneArticle(article, file, now, now, 1, finding.Accounts));
        var confirmed = gone.Where(article => article.Times > 1).ToArray();
        var events = new List<HealthEvent>();
        var after = post with { Had = finding.Had, Urgent = false };
        if (finding.Checked > finding.Unclear)
            after = after with { Checked = now, Checks = post.Checks + 1 };
        if (confirmed.Length > 0)
            after = Confirmed(post, after, confirmed, now, events);
        else if (gone.Count > 0)
            after = Suspected(post, after, gone, finding, now, events);
        else if (finding.Unclear > 0 || finding.Checked == 0)
            after = after with { Due = now + CheckSchedule.Retry, Reason = finding.UnclearReason ?? post.Reason };
        else
            after = Complete(post, after, known, now, longest, events);
        if (finding.IsLiedTo)
            after = after with { Due = Earlier(after.Due, now + CheckSchedule.Retry) };
        return new HealthChange(after)
        { Before = post, Gone = Same(known, gone) ? null : gone, Events = events, Accounts = finding.ChangedAccounts };
    }

    private static GoneArticle Confirm(GoneArticle before, CheckFinding finding, DateTimeOffset now)
    {
        // An account that was not asked the first time restarts the evidence.
        if (before.Times == 1 && !finding.Accounts.All(account => before.Accounts.Contains(account, StringComparer.Ordinal)))
            return before with { First = now, Last = now, Accounts = finding.Accounts };
        return before with { Last = now, Times = before.Times == 1 && now - before.First >= CheckSchedule.Between ? 2 : before.Times };
    }

    private static HealthPost Confirmed(
        HealthPost post, HealthPost after, GoneArticle[] confirmed, DateTimeOffset now, List<HealthEvent> events)
    {
        if (post.Verdict is HealthVerdict.Missing or HealthVerdict.GivenUp)
            return after with { Due = now };
        var first = confirmed.Min(article => article.First);
        var reason = string.Create(
            CultureInfo.InvariantCulture,
            $"{Count(confirmed.Length)} missing on every provider ({string.Join(", ", confirmed[0].Accounts)}) on {first:yyyy-MM-dd} and " +
            $"again on {now:yyyy-MM-dd}.");
        events.Add(new HealthEvent(post.ItemId, post.Name, now, HealthEventKind.Confirmed, reason));
        return after
            with
        { Verdict = HealthVerdict.Missing, Stage = HealthStage.None, Due = now, Urgent = true, Reason = reason, Changed = now };
    }

    private static HealthPost Suspected(
        HealthPost post, HealthPost after, List<GoneArticle> gone, CheckFinding finding, DateTimeOffset now, List<HealthEvent> events)
    {
        // The oldest evidence decides when to ask again; the rest may be younger.
        var due = gone.Min(article => article.First) + CheckSchedule.Between;
        if (due <= now)
            due = now + CheckSchedule.Retry;
        after = after with { Due = due, Urgent = true };
        if (post.Verdict is HealthVerdict.Suspect)
            return after with { Reason = finding.Unclear > 0 ? $"{Base(post.Reason)} {finding.UnclearReason}" : Base(post.Reason) };
        var reason =
            $"{Count(gone.Count)} missing on every provider ({string.Join(", ", gone[0].Accounts)}). It counts if it is so again two " +
            $"days later.";
        events.Add(new HealthEvent(post.ItemId, post.Name, now, HealthEventKind.Suspected, reason));
        return after with { Verdict = HealthVerdict.Suspect, Stage = HealthStage.None, Reason = reason, Changed = now };
    }

    private static HealthPost Complete(
        HealthPost post, HealthPost after, IReadOnlyList<GoneArticle> known, DateTimeOffset now, TimeSpan longest, List<HealthEvent> events)
    {
        after = after with { LastComplete = now, Due = CheckSchedule.Next(post.ItemId, post.Checks + 1, post.Created, now, longest) };
        if (post.Verdict is HealthVerdict.Repaired or HealthVerdict.Replaced)
            return after;
        if (post.Verdict is HealthVerdict.Suspect or HealthVerdict.Missing or HealthVerdict.GivenUp && known.Count > 0)
            events.Add(new HealthEvent(post.ItemId, post.Name, now, HealthEventKind.Recovered, "What was missing is there again."));
        return after with
        {
            Verdict = HealthVerdict.Healthy,
            Stage = HealthStage.None,
            Reason = null,
            Search = null,
            Changed = post.Verdict == HealthVerdict.Healthy ? post.Changed : now
        };
    }

    private static string Count(int articles) => articles == 1 ? "An article was" : string.Create(
        CultureInfo.InvariantCulture, $"{(articles == MostRemembered ? "At least " : "")}{articles} articles were");

    /// <summary>The first two sentences; what follows them is about the last check only.</summary>
    private static string Base(string? reason)
    {
        const string End = "two days later.";
        return reason is null
            ? "" : reason.IndexOf(End, StringComparison.Ordinal) is >= 0 and var at ? reason[..(at + End.Length)] : reason;
    }

    private static bool Same(IReadOnlyList<GoneArticle> before, List<GoneArticle> after) =>
        before.Count == after.Count && before.Zip(after).All(pair => ReferenceEquals(pair.First, pair.Second));

    private static DateTimeOffset Earlier(DateTimeOffset one, DateTimeOffset other) => one < other ? one : other;
}
