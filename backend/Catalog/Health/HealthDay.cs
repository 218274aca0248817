namespace NzbDav.Catalog.Health;

/// <summary>How much of its limits a day has used.</summary>
/// <param name="Day">Days since 0001-01-01 UTC.</param>
/// <param name="Stats">STAT commands.</param>
/// <param name="Bodies">Articles fetched to check a STAT.</param>
/// <param name="Removals">Posts hidden.</param>
public sealed record HealthDay(long Day, int Stats, int Bodies, int Removals);
