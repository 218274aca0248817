namespace NzbDav.Api.Native.Streams;

/// <summary>A client's wait of a second or more: a visible stutter.</summary>
/// <param name="At">When it ended.</param>
/// <param name="Seconds">How long it was.</param>
/// <param name="Article">The article of the file that was waited for, from 1; null: not known, or the file is a torrent's.</param>
/// <param name="Story">Which providers were asked for it, with what result and how long it took; null: not known.</param>
internal sealed record StreamWaitBody(DateTimeOffset At, double Seconds, int? Article, string? Story);
