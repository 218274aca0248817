namespace NzbDav.Library.Subtitles;

/// <summary>A file that holds subtitles of a film.</summary>
/// <param name="Language">What its name says, as it stands there; null: nothing.</param>
public sealed record SubtitleMatch(string? Language);
