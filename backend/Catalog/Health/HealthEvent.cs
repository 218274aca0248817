namespace NzbDav.Catalog.Health;

/// <summary>An entry of the health history.</summary>
/// <param name="ItemId">The post; null: it is not about one.</param>
/// <param name="Name">The post's name, or the account's.</param>
/// <param name="At">When.</param>
/// <param name="Kind">What happened.</param>
/// <param name="Reason">Why, as a sentence for people.</param>
public sealed record HealthEvent(long? ItemId, string Name, DateTimeOffset At, HealthEventKind Kind, string Reason);
