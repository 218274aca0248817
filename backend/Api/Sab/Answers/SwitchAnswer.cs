namespace NzbDav.Api.Sab;

/// <summary>Where a job is now, and with which priority.</summary>
internal sealed record SwitchAnswer(SwitchResult Result);
