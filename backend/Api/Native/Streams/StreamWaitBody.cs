namespace NzbDav.Api.Native.Streams;

/// <summary>A wait of a second or more that a client had: what a person saw as a stutter.</summary>
/// <param name="At">When it ended.</param>
/// <param name="Seconds">How long it was.</param>
/// <param name="Article">Which article of the file was waited for, from 1 on; null: not known, or the file is a torrent's.</param>
/// <param name="Story">Who was asked for it, what came of that and how long it took; null: not known.</param>
internal sealed record StreamWaitBody(DateTimeOffset At, double Seconds, int? Article, string? Story);
