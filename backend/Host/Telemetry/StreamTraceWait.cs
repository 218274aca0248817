namespace NzbDav.Host.Telemetry;

/// <summary>A wait of a second or more within a read.</summary>
/// <param name="At">When it ended.</param>
/// <param name="Seconds">Its length.</param>
/// <param name="Article">The article of the file that was waited for, from 1; null: not known.</param>
/// <param name="Story">Which providers were asked, with what result; null: not known.</param>
internal sealed record StreamTraceWait(DateTimeOffset At, double Seconds, int? Article, string? Story);
