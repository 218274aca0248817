namespace NzbDav.Host.Upkeep;

/// <summary>The health of posts changed and has to be read again.</summary>
/// <param name="At">When it changed.</param>
internal sealed record HealthNewsBody(DateTimeOffset At);
