namespace NzbDav.Api.Sab.Answers;

/// <summary>See <see cref="StatusBody"/>.</summary>
internal sealed record StatusBodyAnswer(StatusBody Status);
