namespace NzbDav.Api.Sab;

/// <summary>It was done, or not.</summary>
internal sealed record StatusAnswer(bool Status);
