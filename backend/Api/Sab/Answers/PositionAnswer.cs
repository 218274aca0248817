namespace NzbDav.Api.Sab.Answers;

/// <summary>The current position of a job.</summary>
internal sealed record PositionAnswer(int Position);
