namespace NzbDav.Api.Sab;

/// <summary>Where a job is now.</summary>
internal sealed record PositionAnswer(int Position);
