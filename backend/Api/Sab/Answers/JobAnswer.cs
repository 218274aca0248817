namespace NzbDav.Api.Sab;

/// <summary>A job took another's place.</summary>
internal sealed record JobAnswer(string NzoId, bool Status = true);
