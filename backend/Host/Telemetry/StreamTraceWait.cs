namespace NzbDav.Host.Telemetry;

/// <summary>A wait of a second or more within a read.</summary>
/// <param name="At">When it ended.</param>
/// <param name="Seconds">How long.</param>
/// <param name="Article">Which article of the file was waited for, from 1 on; null: not known.</param>
/// <param name="Story">Who was asked, and what came of that; null: not known.</param>
internal sealed record StreamTraceWait(DateTimeOffset At, double Seconds, int? Article, string? Story);
