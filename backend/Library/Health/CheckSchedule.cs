namespace NzbDav.Library.Health;

/// <summary>
/// When posts are checked. Posts are taken down most often in their first weeks, so a new one is checked after 1, 3, 7, 14 and 30 days,
/// then every 30 days, or less often where the quota does not suffice. Each check is moved earlier by a share that depends on the post's
/// id, so that posts of one day do not fall due together. Pure.
/// </summary>
public static class CheckSchedule
{
    /// <summary>Least time between two findings that together prove that an article is missing.</summary>
    public static readonly TimeSpan Between = TimeSpan.FromDays(2);

    /// <summary>Time after which a check without a clear answer is repeated.</summary>
    public static readonly TimeSpan Retry = TimeSpan.FromDays(1);

    /// <summary>Fewest articles that a check asks for.</summary>
    public const int LeastArticles = 16;

    /// <summary>
    /// Share of the quota for scheduled checks, 0 … 1. The rest is for suspects and for articles that are asked of several accounts.
    /// </summary>
    public const double Planned = 0.8;

    /// <summary>Days between two checks of an old post, if the quota allows.</summary>
    private const int UsualDays = 30;

    /// <summary>How long a confirmation may wait for the quota or for readers.</summary>
    private static readonly TimeSpan Slack = TimeSpan.FromDays(2);

    private static readonly int[] Marks = [1, 3, 7, 14, 30];

    /// <summary>The longest time between two checks of one post.</summary>
    /// <param name="posts">Posts in the library.</param>
    /// <param name="statsPerDay">The quota, more than 0.</param>
    public static TimeSpan Longest(int posts, int statsPerDay) =>
        TimeSpan.FromDays(Math.Max(UsualDays, Math.Ceiling(posts * (double)LeastArticles / (Planned * statsPerDay))));

    /// <summary>
    /// Time within which a post that is gone on every provider is found and confirmed. Days on which a provider gives no answer that counts
    /// are not included.
    /// </summary>
    public static TimeSpan Promise(int posts, int statsPerDay) => Longest(posts, statsPerDay) + Between + Slack;

    /// <summary>Time within which every article is asked for once.</summary>
    /// <param name="posts">Posts in the library.</param>
    /// <param name="articles">Articles of all posts.</param>
    /// <param name="statsPerDay">The quota, more than 0.</param>
    public static TimeSpan Sweep(int posts, long articles, int statsPerDay)
    {
        if (posts == 0)
            return TimeSpan.Zero;
        var longest = Longest(posts, statsPerDay);
        return longest * Math.Ceiling(
            Math.Max(1.0, articles / (double)posts / Math.Max(1, ArticlesAt(longest, posts, statsPerDay) - (LeastArticles / 2))));
    }

    /// <summary>
    /// When a post without a row is first checked. If it was imported in the last 30 days: at its next mark (1, 3, 7, 14 or 30 days after
    /// the import). Otherwise: spread over the longest interval.
    /// </summary>
    public static DateTimeOffset First(long id, DateTimeOffset imported, DateTimeOffset now, TimeSpan longest) =>
        now - imported < TimeSpan.FromDays(Marks[^1]) ? Next(id, 0, imported, now, longest) : now + (longest * FractionOf(id, 0));

    /// <summary>When a post that was found complete is checked next.</summary>
    /// <param name="id">Its id.</param>
    /// <param name="checks">Checks so far.</param>
    /// <param name="imported">When it was imported.</param>
    /// <param name="now">Now.</param>
    /// <param name="longest">See <see cref="Longest"/>.</param>
    public static DateTimeOffset Next(long id, int checks, DateTimeOffset imported, DateTimeOffset now, TimeSpan longest)
    {
        for (var i = 0; i < Marks.Length; i++)
        {
            // Always the same for a post and a mark, so that a check that came early is not repeated.
            var at = imported + (TimeSpan.FromDays(Marks[i]) * (0.85 + (0.15 * FractionOf(id, i))));
            if (at > now)
                return at;
        }

        return now + (longest * (0.85 + (0.15 * FractionOf(id, checks))));
    }

    /// <summary>Number of articles that a check asks for: the fewest in a post's first weeks, later as many as the quota allows.</summary>
    /// <param name="interval">Time between the checks of a post of its age.</param>
    /// <param name="posts">Posts in the library.</param>
    /// <param name="statsPerDay">The quota.</param>
    public static int ArticlesAt(TimeSpan interval, int posts, int statsPerDay) => interval < TimeSpan.FromDays(UsualDays) * 0.8
        ? LeastArticles
        : (int)Math.Clamp(Planned * 0.6 * statsPerDay * interval.TotalDays / Math.Max(1, posts), LeastArticles, 2_000);

    /// <summary>0 … 1, always the same for an id and a number. The mixing function of SplitMix64 (public domain, Vigna 2015).</summary>
    private static double FractionOf(long id, int number)
    {
        var z = (ulong)id + ((ulong)(number + 1) * 0x9E3779B97F4A7C15);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
        z ^= z >> 31;
        return (z >> 11) / (double)(1UL << 53);
    }
}

/// <summary>The articles of a post that one check asks for. Pure.</summary>
/// <param name="Articles">Their indexes, ascending.</param>
/// <param name="Place">Index at which the next check continues its sweep.</param>
public sealed record CheckPlan(IReadOnlyList<int> Articles, int Place)
{
    /// <summary>
    /// Half of the smallest check is spread over the post, at other places each time. The rest continues where the last check ended, so
    /// that in time every article is asked for.
    /// </summary>
    /// <param name="total">Articles of the post.</param>
    /// <param name="most">Most articles to ask for.</param>
    /// <param name="place">Index at which the sweep continues.</param>
    /// <param name="checks">Checks so far.</param>
    public static CheckPlan Make(int total, int most, int place, int checks)
    {
        if (total <= most)
            return new CheckPlan([.. Enumerable.Range(0, total)], 0);
        var chosen = new SortedSet<int>();
        var spread = Math.Min(most, CheckSchedule.LeastArticles / 2);

        // The golden ratio spreads any number of offsets evenly.
        var offset = (checks * 0.6180339887498949) % 1;
        for (var i = 0; i < spread; i++)
            chosen.Add((int)((i + offset) * total / spread) % total);
        place %= total;
        var sweep = most - spread;
        for (var i = 0; i < sweep; i++)
            chosen.Add((place + i) % total);
        return new CheckPlan([.. chosen], (place + sweep) % total);
    }
}
