namespace NzbDav.Host.Upkeep;

/// <summary>How the posts of the library are, as a whole.</summary>
/// <param name="Posts">How many are known.</param>
/// <param name="Counts">How many of each verdict: <c>new</c>, <c>healthy</c>, <c>suspect</c>, <c>missing</c>, <c>repaired</c>, <c>replaced</c>, <c>givenUp</c>.</param>
/// <param name="StatsUsed">STAT commands of today (UTC).</param>
/// <param name="StatsPerDay">Those that a day may have; 0: nothing is checked.</param>
/// <param name="BodiesUsed">Articles fetched today to see whether a STAT tells the truth.</param>
/// <param name="RemovedToday">Posts hidden today.</param>
/// <param name="RemovalsPerDay">Those that a day may have without a person.</param>
/// <param name="Action">What is done without asking: <c>check</c>, <c>repair</c> or <c>replace</c>.</param>
/// <param name="PromiseDays">A post that is gone on every provider is found and confirmed within so many days.</param>
/// <param name="SweepDays">Every article is asked for once within so many days; null: not known yet.</param>
/// <param name="NextDue">When the next post is checked; null: there is none.</param>
/// <param name="Paused">Since when checks are paused; null: they run.</param>
/// <param name="Braked">Since when removals wait for a person; null: they do not.</param>
/// <param name="Waiting">Posts that are to be hidden once a person agrees.</param>
/// <param name="Accounts">What was learned of the providers.</param>
/// <param name="Events">The latest of the history.</param>
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
