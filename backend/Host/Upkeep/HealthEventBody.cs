namespace NzbDav.Host.Upkeep;

/// <summary>An entry of the health history.</summary>
/// <param name="ItemId">Id of the post; null: the entry is not about a post.</param>
/// <param name="Name">Name of the post or the provider.</param>
/// <param name="At">When it happened.</param>
/// <param name="Kind">What happened: <c>suspected</c>, <c>confirmed</c>, <c>recovered</c>, <c>readFailed</c>, <c>repairBegan</c>, <c>repaired</c>, <c>repairFailed</c>, <c>swapped</c>, <c>searched</c>, <c>replacementPlays</c>, <c>hidden</c>, <c>deleted</c>, <c>givenUp</c>, <c>undone</c>, <c>kept</c>, <c>braked</c>, <c>released</c>, <c>doubted</c>, <c>trusted</c>, <c>statLies</c>.</param>
/// <param name="Reason">Why, as a sentence.</param>
internal sealed record HealthEventBody(string? ItemId, string Name, DateTimeOffset At, string Kind, string Reason);
