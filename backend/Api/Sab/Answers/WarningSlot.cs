namespace NzbDav.Api.Sab.Answers;

/// <summary>A warning or an error, with its time in seconds since 1970.</summary>
internal sealed record WarningSlot(string Text, string Type, long Time, string Origin);
