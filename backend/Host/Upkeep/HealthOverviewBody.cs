namespace NzbDav.Host.Upkeep;

/// <summary>The health of all posts of the library.</summary>
/// <param name="Posts">Number of known posts.</param>
/// <param name="Counts">Number of posts by verdict: <c>new</c>, <c>healthy</c>, <c>suspect</c>, <c>missing</c>, <c>repaired</c>, <c>replaced</c>, <c>givenUp</c>.</param>
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
