namespace NzbDav.Api.Sab;

/// <summary>See <see cref="StatusBody"/>.</summary>
internal sealed record StatusBodyAnswer(StatusBody Status);
