namespace NzbDav.Catalog.Health;

/// <summary>What people set on the health page.</summary>
/// <param name="Paused">Since when nothing is checked; null: checks run.</param>
/// <param name="Braked">Since when removals wait for a person; null: they do not.</param>
/// <param name="Released">Removals of the day that a person allowed beyond the limit, as the day (days since 0001-01-01 UTC); null: none.</param>
public sealed record HealthState(DateTimeOffset? Paused, DateTimeOffset? Braked, long? Released);
