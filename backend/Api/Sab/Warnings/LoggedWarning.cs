namespace NzbDav.Api.Sab.Warnings;

/// <summary>A line of the log.</summary>
internal sealed record LoggedWarning(string Text, string Type, DateTimeOffset At);
