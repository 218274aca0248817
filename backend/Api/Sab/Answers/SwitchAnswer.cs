namespace NzbDav.Api.Sab.Answers;

/// <summary>The current position and priority of a job.</summary>
internal sealed record SwitchAnswer(SwitchResult Result);
