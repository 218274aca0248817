namespace NzbDav.Api.Sab;

/// <summary>A warning or an error, and when, in seconds since 1970.</summary>
internal sealed record WarningSlot(string Text, string Type, long Time, string Origin);
