namespace NzbDav.Library.Subtitles;

/// <summary>Words and when they are shown.</summary>
/// <param name="Start">From the beginning of the film.</param>
/// <param name="End">When they go.</param>
/// <param name="Settings">How WebVTT places them; empty: as usual.</param>
/// <param name="Text">The words as WebVTT writes them, lines separated by line feeds.</param>
internal readonly record struct SubtitleCue(TimeSpan Start, TimeSpan End, string Settings, string Text);
