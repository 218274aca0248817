namespace NzbDav.Api.Sab;

/// <summary>How callers sign in, or which key theirs is.</summary>
internal sealed record AuthAnswer(string Auth);
