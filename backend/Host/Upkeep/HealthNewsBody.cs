namespace NzbDav.Host.Upkeep;

/// <summary>Something about the health of posts changed: what is shown of it is to be read anew.</summary>
/// <param name="At">When.</param>
internal sealed record HealthNewsBody(DateTimeOffset At);
